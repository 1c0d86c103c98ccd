"""A private group's campaign: with `cleaning.pseudonyms` no file that can be published names a player."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError
from core.fingerprints import fingerprint
from core.people.pseudonyms import pseudonymise
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from flows.frame.rehydrate import rehydrate_release
from infra.pseudonym_key import KEY
from infra.settings import load_config
from infra.store.objects import Store
from tasks.frame.build import build_unit
from tasks.pipelines import TRANSCRIPTS
from tasks.review.exchange import export_tasks
from tasks.store.export import export_release
from tasks.transcripts.ingestion import STAGE_VERSIONS
from tests.tasks.in_process import build, plan, read_rows, run

TABLE = """QUENTORIA\tQUENTORIA VASHBROOK
QUENTROIA\tQUENTORIA VASHBROOK
ZEPHYRA\tQUENTORIA VASHBROOK
WILL\tWILL TARRANTEY
HELGARD\tHELGARD QUILLON
JOHN\tJOHN SMITHERTON\tS01E02
"""
SECRET = "a secret of the group"
PLANTED = ("quentoria", "quentroia", "vashbrook", "tarrantey", "bramwell", "oskarsen", "helgard", "quillon", "smitherton")
"""Parts of names that no other word has; `Will` and `John` are looked for as words that are capitalised."""
SPEECH = (
    ("QUENTORIA", "Thanks, Bramwell. We carry the lantern to room {}."),
    ("BRAMWELL OSKARSEN", "@quentoria_vashbrook is right, and QUENTORIA's dice are hot in room {}."),
    ("Quentroia", "Ask Helgard, she knows key {}. Will, will you?"),
    ("WILL and BRAMWELL OSKARSEN (together)", "Will's key {} opens it. Thanks, Will!\n(Quentoria laughs) [Vashbrook sighs]"),
    ("DM", "Keyleth and Zephyra find key {}. <i>Quen\u00adtoria</i>, roll. Oskarsen&#39;s turn. Everyone, look at room {}."),
    ("ZEPHYRA", "I look for lantern {}."),
)
RECAP = """<html><head><title>A night with Quentoria</title></head>
<body><h1 class="page-header__title">A night with Quentoria</h1>
<div id="mw-content-text"><aside class="portable-infobox"><div class="pi-item pi-data"><h3 class="pi-data-label">Starring</h3>
<div class="pi-data-value"><a href="/wiki/Quentoria_Vashbrook">Quentoria Vashbrook</a> – Zephyra</div></div>
<div class="pi-item pi-data"><h3 class="pi-data-label">Helgard's camera</h3><div class="pi-data-value">Quillon</div></div></aside>
<p>The blurb is by Will Tarrantey.</p><h2>Synopsis</h2>
<h3>Pre-Show with Vashbrook</h3><p>Bramwell greets. Will Tarrantey waves.</p>
<h3>Part I</h3><h4>Oskarsen's turn</h4><p>{}</p>
<h3>Post-Show</h3><ul><li>Edited by Helgard Quillon</li><li>Dice of Will</li></ul>
<p>They say good night to <a href="/wiki/Helgard_Quillon">Helgard</a>.</p></div>
<nav id="articleCategories"><ul><li class="category"><a href="/wiki/Category:Nights_of_Quentoria">Nights</a></li></ul></nav>
</body></html>"""


def write_group(folder: Path) -> Path:
    """Write two episodes with players' names wherever a source has text."""
    for part in ("transcripts", "recaps"):
        (folder / part).mkdir(parents=True)
    (folder / "speakers.tsv").write_text(TABLE)
    turns = [(label, text.format(number, number)) for number in range(20) for label, text in SPEECH]
    plain = "\n\n".join(f"{label}: {text}" for label, text in turns)
    (folder / "transcripts" / "S01E01.txt").write_text(f"Recorded at Quentoria Vashbrook's.\n\n{plain}\n")
    lines = [
        {"name": label.replace("WILL", "JOHN").title(), "text": text, "ts": place} for place, (label, text) in enumerate(turns)
    ]
    (folder / "transcripts" / "S01E02.json").write_text(json.dumps({"lines": lines}))
    told = " ".join(f"Quentoria carries the lantern to room {n}. Zephyra finds key {n} with Will's help." for n in range(20))
    for unit in ("S01E01", "S01E02"):
        (folder / "recaps" / f"{unit}.html").write_text(RECAP.replace("{}", told))
    return folder


SETTINGS = """[cleaning]
pseudonyms = true
[cleaning.aliases]
"Bramwell Oskarsen" = ["BRAMWELL OSKARSEN"]
[matching]
least_told = 0.0
[filter]
excluded = ["Helgard Quillon says"]
min_confidence = 0.0
[statistics]
game_master = "Quentoria Vashbrook"
main_cast = ["WILL TARRANTEY", "BRAMWELL OSKARSEN"]
[provenance]
license = "as Helgard Quillon says"
attribution = "Told by Quentoria, Will and Oskarsen"
"""


@pytest.fixture(scope="module")
def group(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Store, Path]]:
    """A source with planted names, the store of a run with pseudonyms, and the file of settings."""
    folder = tmp_path_factory.mktemp("group")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY, SECRET)
        source, store, file = write_group(folder / "source"), Store(str(folder / "store")), folder / "settings.toml"
        file.write_text(SETTINGS)
        summary = run(TRANSCRIPTS, source, store, config_file=file)
        assert summary.quarantined == ()
        assert summary.rows["pairs"] > 20
        yield source, store, file


def find_names(folder: Path) -> list[str]:
    """Return where the files of a folder name a player: bytes, decompressed where they are compressed, tables row by row."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        text = gzip.decompress(content).decode() if path.suffix == ".gz" else content.decode("utf-8", "replace")
        if path.suffix == ".parquet":
            text = json.dumps(pq.read_table(path).to_pylist(), ensure_ascii=False)
        name = path.relative_to(folder).as_posix()
        found += [f"{name}: {planted}" for planted in PLANTED if planted in text.lower()]
        found += [
            f"{name}: {text[match.start() - 40 : match.end() + 20]}" for match in re.finditer(r"\b(?:Will|WILL|John)\b", text)
        ]
    return found


def test_the_planted_names_are_found_where_they_stay(tmp_path: Path) -> None:
    source = write_group(tmp_path / "source")
    run(TRANSCRIPTS, source, Store(str(tmp_path / "store")), matching={"least_told": 0.0})
    assert len({place.split(": ")[0] for place in find_names(tmp_path / "store" / "datasets")}) > 10


def test_no_file_of_a_release_or_of_a_stage_names_a_player(group: tuple[Path, Store, Path]) -> None:
    folder = Path(group[1].url)
    assert find_names(folder / "datasets") == []
    assert find_names(folder / "artifacts") == []


@pytest.mark.parametrize("form", ["jsonl", "crd3"])
def test_no_export_names_a_player(group: tuple[Path, Store, Path], form: str, tmp_path: Path) -> None:
    export_release(group[1], "transcripts", form, Store(str(tmp_path)))
    assert list(tmp_path.rglob("*"))
    assert find_names(tmp_path) == []


def test_no_row_that_readers_get_names_a_player(group: tuple[Path, Store, Path], tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps(export_tasks(group[1], "transcripts"), ensure_ascii=False))
    assert find_names(tmp_path) == []


def test_an_index_names_no_player_and_the_same_source_and_key_fill_it(group: tuple[Path, Store, Path], tmp_path: Path) -> None:
    export_release(group[1], "transcripts", "index", Store(str(tmp_path / "index")))
    assert find_names(tmp_path / "index") == []
    filled = rehydrate_release(str(tmp_path / "index"), [str(group[0])], str(tmp_path / "store"), {})
    assert find_names(Path(filled.url)) == []


def test_a_player_has_one_pseudonym_in_all_episodes_columns_and_texts(group: tuple[Path, Store, Path]) -> None:
    quentoria, will, bramwell = (
        pseudonymise(name, SECRET.encode(), "speaker") for name in ("quentoria vashbrook", "will tarrantey", "bramwell oskarsen")
    )
    turns = read_rows(group[1], "transcripts", "dialogues")
    speakers = {
        unit: {name for turn in turns if turn["episode"] == unit for name in turn["speakers"]} for unit in ("S01E01", "S01E02")
    }
    assert speakers["S01E01"] == {"DM", quentoria, will, bramwell}
    assert {quentoria, bramwell} < speakers["S01E02"]
    thanked = [turn["text"] for turn in turns if turn["text"].startswith("Thanks, ")]
    assert len(thanked) == 40
    assert all(text.startswith(f"Thanks, {bramwell}.") for text in thanked)
    assert any("Keyleth and Zephyra find key 3." in turn["text"] for turn in turns)
    summaries = read_rows(group[1], "transcripts", "summaries")
    assert {row["title"] for row in summaries} == {f"A night with {quentoria}"}
    assert {tuple(row["categories"]) for row in summaries} == {(f"Nights of {quentoria}",)}
    assert {"label": "Starring", "values": [f"{quentoria} – Zephyra"]} in summaries[0]["infobox"]


def test_statistics_know_the_cast_by_its_pseudonyms(group: tuple[Path, Store, Path]) -> None:
    store = group[1]
    (stats,) = (json.loads(store.read(key)) for key in store.list_keys("datasets") if key.endswith("/stats.json"))
    assert stats["speakers"]["game_master_turns"] > 0
    assert 0 < stats["speakers"]["main_cast_share"] < 1


def test_the_second_run_computes_nothing_and_another_key_everything(
    group: tuple[Path, Store, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, store, file = group
    config = load_config(TranscriptsConfig, "transcripts", file=str(file))
    assert [reference.computed for reference in build(TRANSCRIPTS, source, store, config).values()] == [(), ()]
    planned = plan(TRANSCRIPTS, source, store, config)
    monkeypatch.setenv(KEY, "another secret of theirs")
    with pytest.raises(ConfigError, match=KEY):
        build_unit(planned.requests["S01E01"])
    assert plan(TRANSCRIPTS, source, store, config).settings != planned.settings
    assert "dialogue" in build(TRANSCRIPTS, source, store, config)["S01E01"].computed


def test_without_the_setting_artifacts_are_found_by_the_fingerprints_from_before_it(tmp_path: Path) -> None:
    source = write_group(tmp_path / "source")
    aliases = select_aliases("S01E01", [parse_alias_table("speakers.tsv", TABLE)])
    transcript, page = (
        hashlib.sha256((source / path).read_bytes()).hexdigest() + Path(path).suffix
        for path in ("transcripts/S01E01.txt", "recaps/S01E01.html")
    )
    cleaning = {"aliases": {}, "stage_directions": "keep", "onomatopoeia": "keep", "unlabelled_speaker": "", "labels": "learned"}
    config = load_config(TranscriptsConfig, "transcripts", overrides={"matching": {"least_told": 0.0}})
    built = build(TRANSCRIPTS, source, Store(str(tmp_path / "store")), config)["S01E01"].artifacts
    assert {stage: built[stage].fingerprint for stage in ("dialogue", "recap")} == {
        "dialogue": fingerprint("dialogue", STAGE_VERSIONS["dialogue"], [transcript], [cleaning, aliases]),
        "recap": fingerprint("recap", STAGE_VERSIONS["recap"], [page], {"splitter": "prose", "lists": "rejected"}),
    }
