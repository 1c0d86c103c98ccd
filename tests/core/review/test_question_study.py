from dataclasses import replace

import pytest

from core.review.judgements import Judgement, WrittenQuestion, parse_judgement
from core.review.question_study import tabulate_study


def judge(item: str, question: str, answer: object, annotator: str, other: str | None = None) -> Judgement:
    return Judgement(
        item=item, dataset="d", version="v", question=question, answer=answer, annotator=annotator, other=other,  # type: ignore[arg-type]
        at="2026-11-22T18:00:00+00:00",
    )  # fmt: skip


def study() -> list[Judgement]:
    choice = WrittenQuestion("Who rows?", "Mara", ("Mara", "Odo", "Pim", "Tess"))
    judgements = []
    for item in ("p1", "p2", "p3", "p4"):
        judgements += [judge(item, "write-factoid", WrittenQuestion("Where do they land?", "the jetty"), "anna")]
        judgements += [judge(item, "write-choice", choice, "anna")]
    answers = {"p1": ("the jetty", "Mara"), "p2": ("a cave", "Odo"), "p3": (None, None), "p4": ("the pier", "Mara")}
    for item, (factoid, chosen) in answers.items():
        judgements += [judge(item, "answer-factoid", factoid, "ben", "anna"), judge(item, "answer-choice", chosen, "ben", "anna")]
    judgements += [judge("p1", "grade-factoid", "correct", "anna", "ben"), judge("p2", "grade-factoid", "misread", "anna", "ben")]
    return [*judgements, judge("p3", "grade-factoid", "alignment", "anna", "ben")]


def test_table_4_counts_correct_wrong_declined_and_causes_and_a_revised_answer_once() -> None:
    factoid, choice, total = tabulate_study(study())
    assert (factoid.correct, factoid.wrong, factoid.declined, factoid.ungraded) == (1, 1, 1, 1)
    assert factoid.causes == {"alignment": 1, "misread": 1}
    assert (choice.correct, choice.wrong, choice.declined, choice.ungraded) == (2, 1, 1, 0)
    assert (total.correct, total.wrong, total.declined, total.precision) == (3, 2, 2, pytest.approx(3 / 7))
    later = replace(judge("p1", "answer-choice", "Odo", "ben", "anna"), version="w", at="2026-11-23T18:00:00+00:00")
    _, choice, _ = tabulate_study([*study(), later])
    assert (choice.correct, choice.wrong, choice.declined) == (1, 2, 1)


def test_a_grade_counts_for_the_question_of_the_one_who_grades() -> None:
    asked = WrittenQuestion("Where do they land?", "the jetty")
    judgements = [judge("p1", "write-factoid", asked, name) for name in ("anna", "cleo")]
    judgements += [judge("p1", "answer-factoid", "a cave", "ben", name) for name in ("anna", "cleo")]
    judgements += [judge("p1", "grade-factoid", grade, name, "ben") for name, grade in (("anna", "correct"), ("cleo", "misread"))]
    factoid, _, _ = tabulate_study(judgements)
    assert (factoid.correct, factoid.wrong, factoid.causes) == (1, 1, {"misread": 1})


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("write-choice", '{"asked": "Who?", "right": "Mara", "choices": ["Mara", "Odo", "Pim"]}'),
        ("write-choice", '{"asked": "Who?", "right": "Mara", "choices": ["Mara", "Mara", "Odo", "Pim"]}'),
        ("write-choice", '{"asked": "Who?", "right": "Tess", "choices": ["Mara", "Bo", "Odo", "Pim"]}'),
        ("write-factoid", '{"asked": " ", "right": "Mara"}'),
        ("span", '{"start": 5, "end": 3}'),
        ("span", '{"start": null, "end": 3}'),
        ("span", "[1, 2]"),
        ("links", "[1, -2]"),
        ("links", "[true]"),
        ("pair", "null"),
        ("preference", "3"),
    ],
)
def test_answers_of_another_form_are_refused(question: str, answer: str) -> None:
    line = '{"item": "i", "dataset": "d", "version": "v", "reader": "r", "at": "2026-11-22T18:00:00+00:00", '
    with pytest.raises(Exception, match=r"expected|without"):
        parse_judgement(f'{line}"question": "{question}", "answer": {answer}}}'.encode())
