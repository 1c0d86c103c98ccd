"""Evaluation of transcripts on gold, and CRD3's published layout and alignments."""

import importlib.util
import json
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from core.alignment.spans import Chunk, Span
from core.errors import ConfigError, SourceError
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.reproduction import PublishedChunking, PublishedPair, PublishedTurn, summarise_reproduction
from core.transcripts.rows import judge_alignments
from flows.frame.rehydrate import rehydrate_release
from infra.settings import load_config
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import ALIGNMENTS
from tasks.pipelines import TRANSCRIPTS
from tasks.store.export import export_release
from tasks.transcripts.crd3 import list_episodes, read_chunkings, read_split, read_turns, reproduce_episode
from tasks.transcripts.evaluation import evaluate_transcripts, record_quality
from tests.flows.stories import write_episode
from tests.tasks import in_process

EVERYTHING = FilterConfig(min_turns=1, min_chunks=1)


def build_store(folder: Path, source: Path, profile: str = "default", wordnet: Path | None = None) -> Store:
    """Run the episodes of a source by Needleman-Wunsch, which gives no confidence."""
    store = Store(str(folder))
    resources = {"wordnet": str(wordnet)} if wordnet else {}
    aligner = {"aligner": "needleman-wunsch"}
    in_process.run(TRANSCRIPTS, source, store, profile=profile, resources=resources, alignment=aligner)
    return store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """S01E01 has landed, S01E02 is in quarantine."""
    source = tmp_path_factory.mktemp("source")
    write_episode(source, "S01E01")
    write_episode(source, "S01E02")
    (source / "transcripts" / "S01E02.txt").write_text("")
    return build_store(tmp_path_factory.mktemp("store"), source)


def write_gold(folder: Path, unit: str = "S01E01", shift: int = 0) -> str:
    """Write the right turns of 'They carry the lantern to room 2n and find key 2n.': turn 2n."""
    rows = [
        {"text": f"They carry the lantern to room {n} and find key {n}.", "turn_start": n + shift, "turn_end": n + shift}
        for n in range(0, 48, 2)
    ]
    (folder / f"{unit}.json").write_text(json.dumps(rows))
    return str(folder)


def read_pairs(store: Store) -> Iterator[tuple[Chunk, Span]]:
    for key in store.list_keys("artifacts/transcripts/alignments"):
        yield from ALIGNMENTS.decode(store.read(key))


def test_the_store_is_compared_with_gold_and_crd3_beside(store: Store, tmp_path: Path, wordnet: Path) -> None:
    found = evaluate_transcripts(store, write_gold(tmp_path), EVERYTHING, str(wordnet))
    assert found.notes == ()
    for profile in ("store", "crd3"):
        figures = found.figures[profile]
        assert figures["coverage"] == 1
        assert figures["chunks"] == figures["kept_chunks"] + round((1 - figures["kept_share"]) * figures["chunks"])
        assert figures["all"]["macro"]["f1"]["value"] > 0.5
        assert set(figures["by_episode"]) == {"S01E01"}
    assert found.figures["store"]["chunks"] == sum(1 for _ in read_pairs(store))
    assert found.figures["store"]["kept_share"] == 1
    assert found.figures["crd3"]["kept_share"] < 1  # its own filter


def test_gold_of_an_episode_that_is_not_there_is_named_and_not_found(store: Store, tmp_path: Path) -> None:
    write_gold(tmp_path, "S01E02")
    write_gold(tmp_path, "S01E03")
    found = evaluate_transcripts(store, write_gold(tmp_path), EVERYTHING)
    assert found.figures["episodes"] == ["S01E01"]
    assert found.figures["store"]["coverage"] == pytest.approx(1 / 3)
    assert f"gold S01E02: store {store.url} has it in quarantine: transcripts/S01E02.txt: " in found.notes[0]
    assert f"gold S01E03: store {store.url} lacks the episode; run `fabula run transcripts`" in found.notes[1]


@pytest.mark.parametrize(
    ("unit", "shift", "error", "message"),
    [
        ("S01E09", 0, ConfigError, "none of the 1 gold episodes is in the store, such as S01E09"),
        ("S01E01", 50, ConfigError, "gold S01E01: it names turn 96, but the stored dialogue has 60 turns"),
        ("", 0, ConfigError, r"no EPISODE\.json"),
        ("S01E01", None, SourceError, r"S01E01\.json: not valid JSON"),
    ],
)
def test_gold_that_is_not_there_or_does_not_fit_the_store_is_refused(
    store: Store, tmp_path: Path, unit: str, shift: int | None, error: type[Exception], message: str
) -> None:
    if unit:
        write_gold(tmp_path, unit, shift or 0)
    if shift is None:
        (tmp_path / f"{unit}.json").write_text("{")
    with pytest.raises(error, match=message):
        evaluate_transcripts(store, str(tmp_path), EVERYTHING)


def run_reference(tool: Path, gold: Path, rows: Path) -> dict[str, Any]:
    """Return what the reference tool prints, unrounded."""
    spec = importlib.util.spec_from_file_location("score_gold", tool)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["round"] = lambda value, _: value
    with redirect_stdout(StringIO()) as printed:
        module.main(str(gold), str(rows))
    return json.loads(printed.getvalue())


def flatten(figures: dict[str, Any]) -> dict[str, float]:
    return {f"{kind} {name}": figures[kind][name] for kind in ("pooled", "macro") for name in ("precision", "recall", "f1")}


def test_the_counting_is_that_of_the_reference_tool(corpora: Path, wordnet: Path, tmp_path: Path) -> None:
    tool, gold = corpora.parent / "tools" / "score_gold.py", corpora / "crd3" / "gold"
    if not tool.is_file():
        pytest.skip("no tools/score_gold.py beside the corpora")
    source = tmp_path / "source"
    for folder in ("transcripts", "raw summary data"):
        (source / folder).mkdir(parents=True)
        for episode in gold.glob("*.json"):
            for path in (corpora / "crd3" / folder).glob(f"{episode.stem}[_-]*"):
                shutil.copy(path, source / folder)
    store = build_store(tmp_path / "store", source, "crd3", wordnet)
    config = replace(FilterConfig(), min_chunks=1)
    rows = tmp_path / "rows.jsonl"
    with rows.open("w") as lines:
        for key in store.list_keys("artifacts/transcripts/alignments"):
            pairs = ALIGNMENTS.decode(store.read(key))
            reasons = judge_alignments(pairs, config)
            for (chunk, span), reason in zip(pairs, reasons, strict=True):
                ends = {"turn_start": span.start, "turn_end": span.end}
                lines.write(
                    json.dumps({"episode": key.split("/")[3], "chunk": chunk.text, **ends, "kept": reason is None}) + "\n"
                )
    expected = run_reference(tool, gold, rows)
    found = evaluate_transcripts(store, str(gold), config, str(wordnet)).figures["store"]
    assert found["coverage"] == pytest.approx(expected["coverage"], abs=1e-9)
    for which, count in (("all", "chunks"), ("kept", "kept_chunks")):
        assert found[count] == expected[which]["chunks"] > 0
        ours = {kind: {name: entry["value"] for name, entry in found[which][kind].items()} for kind in ("pooled", "macro")}
        assert flatten(ours) == pytest.approx(flatten(expected[which]), abs=1e-9)


def read_quality(store: Store) -> str:
    card = store.read(f"{in_process.release_folder(store, 'transcripts')}/README.md").decode()
    _, found, rest = card.partition("\n## Quality on gold\n")
    return rest.split("\n## ")[0] if found else ""


def test_a_recorded_comparison_stands_on_the_card_until_the_aligner_changes(tmp_path: Path) -> None:
    store, filters = Store(str(tmp_path / "made")), load_config(TranscriptsConfig, "transcripts").filter
    in_process.make_example(store, "transcripts")
    assert read_quality(store) == ""
    rows = in_process.read_rows(store, "transcripts", "pairs")
    row = next(row for row in rows if row["episode"] == "S01E01" and row["chunk_size"] == 2)
    gold = tmp_path / "gold"
    gold.mkdir()
    spans = [{"text": row["summary"], "turn_start": row["turn_start"], "turn_end": row["turn_end"]}]
    (gold / "S01E01.json").write_text(json.dumps(spans))
    evaluation = evaluate_transcripts(store, str(gold), filters)
    record_quality(store, "transcripts", evaluation.figures, filters, False, "2026-11-02")

    summary = in_process.make_example(store, "transcripts")
    assert summary.new_release, "the card is another one"
    assert summary.computed == ()
    told = read_quality(store)
    assert "Compared with spans that people read" in told
    assert "S01E01. Judged 2026-11-02, compared 20" in told
    assert "| F1 in turns, every chunk |" in told
    assert not in_process.make_example(store, "transcripts").new_release

    export_release(store, "transcripts", "index", Store(str(tmp_path / "index")))
    source = in_process.EXAMPLES / "transcripts"
    filled = rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "filled"), {})
    assert filled.version == in_process.name_version(summary)

    in_process.make_example(store, "transcripts", filter={"max_turns": 30})
    assert read_quality(store) == "", "these were the figures of another filter"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = {"TURN START": 0, "TURN END": 1, "ALIGNMENT SCORE": 0.5, "CHUNK ID": 0}
    aligned = json.dumps([{"CHUNK": "A gate opens.", "ALIGNMENT": found, "TURNS": []}])
    cleaned = {"TURNS": [{"NAMES": ["MATT"], "UTTERANCES": ["The gate", "opens."], "NUMBER": 0}]}
    for path, content in {
        "cleaned data/C1E001.json": json.dumps(cleaned),
        "aligned data/c=3/C1E001_3_1.json": aligned,
        "aligned data/c=2/C1E001_2_0.json": aligned,
        "aligned data/c=2/C1E0011_2_0.json": "[]",
        "aligned data/train_files": "C1E001\nC1E002\n",
        "aligned data/val_files": "",
        "aligned data/test_files": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    return tmp_path


def test_reads_the_layout(root: Path) -> None:
    assert list_episodes(root) == ["C1E001", "C1E0011"]
    assert read_split(root) == {"train": ("C1E001", "C1E002"), "validation": (), "test": ()}
    assert read_turns(root, "C1E001") == [PublishedTurn(("MATT",), "The gate opens.")]
    pairs = (PublishedPair("A gate opens.", 0, 1, 0.5),)
    assert read_chunkings(root, "C1E001") == [PublishedChunking(2, 0, pairs), PublishedChunking(3, 1, pairs)]
    assert read_chunkings(root, "C1E0011") == []


def test_another_layout_is_a_config_error_that_shows_the_right_one(root: Path) -> None:
    with pytest.raises(ConfigError, match=r"no folder 'cleaned data': expected .*'aligned data/c=2/C1E001_2_0.json'"):
        list_episodes(root / "cleaned data")
    (root / "aligned data" / "val_files").unlink()
    with pytest.raises(ConfigError, match="val_files"):
        read_split(root)
    for path in (root / "aligned data").glob("c=*/*"):
        path.unlink()
    with pytest.raises(ConfigError, match="no alignments"):
        list_episodes(root)


@pytest.mark.parametrize("content", ["{", "[]", '{"TURNS": [{}]}', '{"TURNS": 3}', '[{"CHUNK": "a"}]', "[" * 100_000])
def test_a_bad_file_is_named(root: Path, content: str) -> None:
    for path, read in (("cleaned data/C1E001.json", read_turns), ("aligned data/c=2/C1E001_2_0.json", read_chunkings)):
        if content != "[]" or read is read_turns:  # an episode may have no alignments
            (root / path).write_text(content, encoding="utf-8")
            with pytest.raises(SourceError, match=Path(path).name):
                read(root, "C1E001")


def test_the_published_alignments_come_out_again(corpora: Path, wordnet: Path) -> None:
    """All of campaign 1: table 3's counts exactly, the spans all but 28 of 36,161."""
    root = corpora / "crd3"
    report = summarise_reproduction(
        [reproduce_episode(root, episode, wordnet) for episode in list_episodes(root)], read_split(root)
    )
    assert (report["episodes"], report["pairs"], report["kept"]) == (94, 36_161, 23_320)
    assert report["split"] == {"train": 23_320, "validation": 0, "test": 0}
    assert report["identical"] >= 0.999
    assert report["identical_scores"] >= 0.998
    assert report["mean_iou"] >= 0.9999
