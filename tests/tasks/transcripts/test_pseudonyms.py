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
from tasks.pipelines import SUBTITLES, TRANSCRIPTS
from tasks.review.session import export_tasks
from tasks.store.export import export_release
from tasks.transcripts.ingestion import STAGE_VERSIONS
from tests.tasks.in_process import build, plan, read_rows, release_folder, run
from tests.tasks.subtitled import write_film

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
foreign = "keep"
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
        places = [planted for planted in PLANTED if planted in text.lower()]
        places += [text[match.start() - 40 : match.end() + 20] for match in re.finditer(r"\b(?:Will|WILL|John)\b", text)]
        found += [f"{path.relative_to(folder).as_posix()}: {place}" for place in places]
    return found


def test_the_planted_names_are_found_where_they_stay(source: Path, store: Store) -> None:
    run(TRANSCRIPTS, write_group(source), store, matching={"foreign": "keep"})
    assert len({place.split(": ")[0] for place in find_names(Path(store.url, "datasets"))}) > 10


def test_no_file_of_a_release_a_stage_an_export_or_the_readers_names_a_player(
    group: tuple[Path, Store, Path], tmp_path: Path
) -> None:
    source, store, _ = group
    out = tmp_path / "out"
    for form in ("jsonl", "crd3", "index"):
        export_release(store, "transcripts", form, Store(str(out / form)))
        assert list((out / form).rglob("*"))
    (out / "tasks.json").write_text(json.dumps(export_tasks(store, "transcripts"), ensure_ascii=False))
    # The same source and key fill the index.
    filled = rehydrate_release(str(out / "index"), [str(source)], str(tmp_path / "store"), {})
    for folder in (Path(store.url, "datasets"), Path(store.url, "artifacts"), out, Path(filled.url)):
        assert find_names(folder) == []


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
    speakers_told = group[1].read_json(f"{release_folder(group[1], 'transcripts')}/stats.json")["speakers"]
    assert speakers_told["game_master_turns"] > 0, "the statistics know the cast by its pseudonyms"
    assert 0 < speakers_told["main_cast_share"] < 1


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
    config = load_config(TranscriptsConfig, "transcripts", overrides={"matching": {"foreign": "keep"}})
    built = build(TRANSCRIPTS, source, Store(str(tmp_path / "store")), config)["S01E01"].artifacts
    assert {stage: built[stage].fingerprint for stage in ("dialogue", "recap")} == {
        "dialogue": fingerprint("dialogue", STAGE_VERSIONS["dialogue"], [transcript], [cleaning, aliases]),
        "recap": fingerprint("recap", STAGE_VERSIONS["recap"], [page], {"splitter": "prose", "lists": "rejected"}),
    }


MASK = {"cleaning": {"contacts": "mask"}}
PRIVATE = ("lantern.desk@example.org", "(555) 010-9999", "u/wick_and_glass")


@pytest.fixture
def show(source: Path) -> Path:
    lines = [f"{'ABO'[place % 3]}NNA: We carry lantern number {place} to room {place}, and it flickers." for place in range(40)]
    lines[7] = f"ANNA: Write to {PRIVATE[0]} or call {PRIVATE[1]} about lantern 7."
    told = [f"They carry lantern {place} to room {place}." for place in range(0, 40, 3)]
    told[3] = f"Anna gives out her number, {PRIVATE[1]}, and says that {PRIVATE[2]} knows room 9."
    for name, text in (("transcripts/S01E01.txt", "\n".join(lines)), ("recaps/S01E01.txt", "The Night\n\n" + " ".join(told))):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    return source


@pytest.mark.parametrize("settings", [{}, MASK])
def test_an_episode_is_masked_only_where_it_is_asked_for(show: Path, store: Store, settings: dict[str, dict[str, str]]) -> None:
    run(TRANSCRIPTS, show, store, **settings)
    said = repr([read_rows(store, "transcripts", table) for table in ("dialogues", "summaries", "alignments", "pairs")])
    masks = ("[email]", "[phone]", "[user]")
    assert [private in said for private in PRIVATE] == [not settings] * 3
    assert [mask in said for mask in masks] == [bool(settings)] * 3


def test_captions_are_masked_behind_their_own_brackets(source: Path, store: Store) -> None:
    folder = write_film(source, "lamps", synopsis="Lamps flicker in the rain.")
    captions = (folder / "film.srt").read_text(encoding="utf-8")
    private = captions.replace("Where have you put the lantern number 5,", f"(laughs) Call {PRIVATE[1]} for lamp 5. Well,")
    (folder / "film.srt").write_text(private, encoding="utf-8")
    assert run(SUBTITLES, source, store, **MASK).quarantined == ()
    found = repr(read_rows(store, "subtitles", "subtitles"))
    assert "Call [phone] for lamp 5." in found
    assert "010-9999" not in found
