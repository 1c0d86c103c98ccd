"""CRD3's question study: one annotator asks about summaries, another answers from the turns; table 4 counts what came of it.

Reference: CRD3, section 4.1 and table 4.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from core.review.judgements import REPLIES, WRITTEN_QUESTIONS, Judgement, WrittenQuestion, keep_latest

Kind = Literal["factoid", "choice"]
KINDS: tuple[Kind, ...] = ("factoid", "choice")
GRADES = ("correct", "alignment", "misread", "other")
"""Grades of an answer. All but the first are causes of an error: the right turns are not in the pair, the annotator took the
question or the turns otherwise than they were meant, or something else."""


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A row of table 4: answers that were correct, wrong and declined, those that nobody has graded, and errors by cause.

    Declined answers count as incorrect, as in the paper, and have causes too.
    """

    kind: str
    correct: int
    wrong: int
    declined: int
    ungraded: int
    causes: dict[str, int]

    @property
    def precision(self) -> float | None:
        """The share of correct answers among those that are graded or declined; None without any."""
        total = self.correct + self.wrong + self.declined
        return self.correct / total if total else None


def tabulate_study(judgements: Iterable[Judgement]) -> list[StudyRow]:
    """Return table 4: a row for each kind of question, and their total.

    A choice is correct if it is the right one. An open answer needs a grade (`grade-factoid`, whose `other` is the answering
    annotator) by the one who asked. The cause of an error is the grade of the answer, of either kind. Of an annotator's answers
    to a question in several releases the last counts.
    """
    answers = keep_latest(replace(entry, version="") for entry in judgements)
    asked = {
        (entry.question.removeprefix("write-"), entry.item, entry.annotator): entry
        for entry in answers
        if entry.question in WRITTEN_QUESTIONS
    }
    grades = {
        (entry.question.removeprefix("grade-"), entry.item, entry.other, entry.annotator): str(entry.answer)
        for entry in answers
        if entry.question.startswith("grade-") and entry.answer in GRADES
    }
    found: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    causes: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for entry in answers:
        kind = entry.question.removeprefix("answer-")
        written = asked.get((kind, entry.item, entry.other or ""))
        if entry.question not in REPLIES or written is None or not isinstance(written.answer, WrittenQuestion):
            continue
        grade = grades.get((kind, entry.item, entry.annotator, written.annotator))
        outcome = _judge(kind, entry, written.answer, grade)
        found[kind][outcome] += 1
        if outcome in ("wrong", "declined"):
            causes[kind][grade if grade in GRADES[1:] else "unknown"] += 1
    rows = [_make_row(kind, found[kind], causes[kind]) for kind in KINDS]
    return [*rows, _make_row("total", found["factoid"] + found["choice"], causes["factoid"] + causes["choice"])]


def _judge(kind: str, entry: Judgement, written: WrittenQuestion, grade: str | None) -> str:
    if entry.answer is None:
        return "declined"
    if kind == "choice":
        return "correct" if entry.answer == written.right else "wrong"
    return "ungraded" if grade is None else "correct" if grade == "correct" else "wrong"


def _make_row(kind: str, found: Counter[str], causes: Counter[str]) -> StudyRow:
    correct, wrong, declined, ungraded = (found[name] for name in ("correct", "wrong", "declined", "ungraded"))
    return StudyRow(kind, correct, wrong, declined, ungraded, dict(sorted(causes.items())))
