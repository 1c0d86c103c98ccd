"""Reviews count: a run honours what readers decided, computes no unit anew for it, and `diff` names the cause."""

from dataclasses import replace
from typing import Any

import pytest

from core.review.decisions import Decision
from core.review.judgements import Judgement, TurnSpan, digest_row, digest_texts
from infra.store.objects import Store
from infra.store.reviews import add_judgements
from tasks.frame.model import INGESTION
from tasks.frame.release import digest_decisions
from tasks.pipelines import find_pipeline
from tasks.store.compare import compare_releases
from tasks.transcripts.evaluation import evaluate_reviewed
from tests.tasks.in_process import make_example, name_version, read_rows


def decide(
    store: Store, row: dict[str, Any], answer: Any, question: str = "span", annotator: str = "anna", hour: int = 1
) -> Judgement:
    turns = [each["text"] for each in read_rows(store, "transcripts", "dialogues") if each["episode"] == row["episode"]]
    return Judgement(
        item=row["id"], dataset="transcripts", version="v", question=question, answer=answer, annotator=annotator,
        at=f"2026-11-22T{hour:02}:00:00+00:00", seconds=20.0, unit=row["episode"],
        digest=digest_row(row["summary"], digest_texts(turns)),
    )  # fmt: skip


def test_a_release_honours_reviews_and_diff_and_evaluation_name_them(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    before = make_example(store, "transcripts")
    rows = [row for row in read_rows(store, "transcripts", "pairs") if row["turn_end"] > row["turn_start"]]
    moved, rejected = rows[0], next(row for row in rows if row["summary"] not in rows[0]["summary"] and row is not rows[0])
    span = TurnSpan(moved["turn_start"] + 1, moved["turn_end"])
    add_judgements(store, [decide(store, moved, span), decide(store, rejected, False, "pair")])
    after = make_example(store, "transcripts")
    assert (after.computed, after.new_release) == ((), True)
    new = {row["id"]: row for row in read_rows(store, "transcripts", "alignments")}
    assert (new[moved["id"]]["turn_start"], new[moved["id"]]["decided_by"]) == (span.start, "people")
    assert new[moved["id"]]["found_start"] == moved["turn_start"]
    released = {row["id"]: row for row in read_rows(store, "transcripts", "pairs")}
    assert released[moved["id"]]["turns"][0]["number"] == span.start
    assert released[moved["id"]]["confidence"] is None
    dropped = {row["id"]: row["reason"] for row in read_rows(store, "transcripts", "rejects")}
    assert dropped[rejected["id"]] == "reviewed"
    untouched = {row["id"] for row in new.values() if row["decided_by"] == "aligner"}
    assert len(untouched) > len(new) / 2
    found = compare_releases(store, "transcripts", name_version(before), name_version(after))
    causes = {row.id: (row.change, why) for row, why in found.changes}
    assert causes[moved["id"]] == ("moved", ("review",))
    assert causes[rejected["id"]] == ("removed", ("review",))
    assert {why for _, why in causes.values()} == {("review",)}
    figures = evaluate_reviewed(store, find_pipeline("transcripts").load(INGESTION).config().filter).figures
    assert figures["store"]["chunks"] == 1
    assert figures["store"]["all"]["pooled"]["f1"]["value"] < 1

    # A second annotator who agrees changes nothing, two who do not agree leave a row as it was found, and a third one decides.
    row = max(rows, key=lambda each: each["turn_end"])
    far, near = TurnSpan(0, 0), TurnSpan(row["turn_end"], row["turn_end"])
    add_judgements(
        store, [decide(store, rejected, False, "pair", "ben"), decide(store, row, far), decide(store, row, near, "span", "ben")]
    )
    assert make_example(store, "transcripts").new_release is False
    assert f"do not agree on 1 row(s), such as {row['id']}" in caplog.text
    add_judgements(store, [decide(store, row, far, annotator="cleo")])
    make_example(store, "transcripts")
    (found,) = [each for each in read_rows(store, "transcripts", "alignments") if each["id"] == row["id"]]
    assert (found["turn_start"], found["turn_end"]) == (0, 0)


def test_a_decision_is_in_the_digest_of_its_row_whatever_text_it_is_about() -> None:
    old, new = (Decision(item="a", verdict="accept", decided_by="people", digest=digest) for digest in ("1", "2"))
    first = digest_decisions((old, new))
    assert first != digest_decisions((replace(old, verdict="reject"), new))
    assert first != digest_decisions((old, replace(new, verdict="reject")))
