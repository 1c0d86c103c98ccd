"""What a run has to show beside its counts, for runs of a toy pipeline."""

from pathlib import Path

from core.references import UnitReference
from flows.frame.artifacts import describe_run
from flows.frame.run import illustrate_run
from infra.store.objects import Store
from tests.tasks.in_process import read_references, run
from tests.tasks.toy import LETTERS, write_text


def test_what_changed_against_the_release_before_is_told_with_its_cause(tmp_path: Path) -> None:
    store, source = Store(str(tmp_path / "store")), tmp_path / "source"
    write_text(source, "a", "One line.", "Another line.")
    first = run(LETTERS, source, store)
    write_text(source, "a", "One line.", "A changed line.")
    second = run(LETTERS, source, store)
    landed: dict[str, UnitReference] = read_references(store, "letters")
    before = (first.release or "").rsplit("/", 1)[-1]
    shown = illustrate_run(store, LETTERS, second, landed, before)
    assert list(shown.changes) == ["2 rows of texts before, 2 now", "rows changed because of input: 1"]
    assert "line" not in describe_run(second, shown), "Prefect keeps the text of a row, where no takedown reaches it"
    assert not illustrate_run(store, LETTERS, first, landed, None).changes
