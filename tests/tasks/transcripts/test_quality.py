"""What was measured on gold stands on the card of the next release, as long as it holds."""

import json
from collections.abc import Callable
from pathlib import Path

from flows.frame.rehydrate import rehydrate_release
from infra.store.objects import Store
from tasks.pipelines import TRANSCRIPTS
from tasks.store.export import export_index
from tasks.transcripts.evaluation import evaluate_transcripts, record_quality
from tests.tasks import in_process
from tests.tasks.conftest import Example


def read_quality(store: Store) -> str:
    card = store.read(f"{in_process.release_folder(store, 'transcripts')}/README.md").decode()
    _, found, rest = card.partition("\n## Quality on gold\n")
    return rest.split("\n## ")[0] if found else ""


def test_a_recorded_comparison_stands_on_the_card_until_the_aligner_changes(
    run_example: Callable[..., Example], tmp_path: Path
) -> None:
    example = run_example(TRANSCRIPTS)
    store, settings = example.store, example.source / "settings.toml"
    assert read_quality(store) == ""
    row = next(row for row in example.rows("pairs") if row["episode"] == "S01E01" and row["chunk_size"] == 2)
    gold = tmp_path / "gold"
    gold.mkdir()
    spans = [{"text": row["summary"], "turn_start": row["turn_start"], "turn_end": row["turn_end"]}]
    (gold / "S01E01.json").write_text(json.dumps(spans))
    evaluation = evaluate_transcripts(store.url, str(gold), example.config.filter)
    record_quality(store.url, "transcripts", evaluation.figures, example.config.filter, False, "2026-11-02")

    summary = in_process.run(TRANSCRIPTS, example.source, store, config_file=settings)
    assert summary.new_release, "the card is another one"
    assert summary.computed == ()
    told = read_quality(store)
    assert "Compared with spans that people read" in told
    assert "S01E01. Judged 2026-11-02, compared 20" in told
    assert "| F1 in turns, every chunk |" in told
    assert not in_process.run(TRANSCRIPTS, example.source, store, config_file=settings).new_release

    export_index(store, "transcripts", Store(str(tmp_path / "index")))
    filled = rehydrate_release(str(tmp_path / "index"), [str(example.source)], str(tmp_path / "filled"), {})
    assert filled.version == in_process.name_version(summary)

    in_process.run(TRANSCRIPTS, example.source, store, config_file=settings, filter={"max_turns": 30})
    assert read_quality(store) == "", "these were the figures of another filter"
