from core.review.decisions import Settlement, settle
from core.review.judgements import Judgement, TurnSpan


def judge(
    annotator: str, answer: object, question: str = "span", hour: int = 1, seconds: float | None = 9.0, **more: str
) -> Judgement:
    return Judgement(
        item=more.pop("item", "E1_2_0_0000"), dataset="d", version="v", question=question, answer=answer, annotator=annotator,  # type: ignore[arg-type]
        at=f"2026-11-22T{hour:02}:00:00+00:00", seconds=seconds, unit="E1", digest=more.pop("digest", "b"), **more,
    )  # fmt: skip


def settled(*judgements: Judgement) -> Settlement:
    return settle(judgements)


def test_the_last_answer_of_an_annotator_counts_and_one_faster_than_anyone_reads_does_not() -> None:
    later = judge("anna", TurnSpan(3, 5), hour=2)
    for order in ([judge("anna", TurnSpan(1, 2)), later], [later, judge("anna", TurnSpan(1, 2))]):
        (decision,) = settled(*order).decisions
        assert (decision.start, decision.end, decision.decided_by) == (3, 5, "people")
    found = settled(judge("anna", TurnSpan(3, 5), seconds=0.4))
    assert (found.decisions, found.hasty) == ((), 1)


def test_two_annotators_who_overlap_give_the_turns_of_both_and_two_who_do_not_are_in_dispute() -> None:
    (decision,) = settled(judge("anna", TurnSpan(3, 9)), judge("ben", TurnSpan(4, 10))).decisions
    assert (decision.start, decision.end) == (4, 9)
    found = settled(judge("anna", TurnSpan(0, 3)), judge("ben", TurnSpan(8, 9)))
    assert found.decisions == ()
    assert found.disputes[0].annotators == ("anna", "ben")
    third = judge("cleo", TurnSpan(7, 9))
    (decision,) = settled(judge("anna", TurnSpan(0, 3)), judge("ben", TurnSpan(8, 9)), third).decisions
    assert (decision.start, decision.end) == (7, 9)


def test_turns_and_scenes_that_more_than_half_choose_are_decided_and_a_tie_is_a_dispute() -> None:
    reject = judge("anna", False, "pair")
    assert settled(reject).decisions[0].verdict == "reject"
    assert len(settled(reject, judge("ben", TurnSpan(1, 2))).disputes) == 1
    (decision,) = settled(reject, judge("ben", TurnSpan(1, 2)), judge("cleo", TurnSpan(1, 3))).decisions
    assert (decision.verdict, decision.start, decision.end) == ("correct", 1, 2)
    votes = [judge(name, scenes, "links") for name, scenes in (("anna", (1, 2)), ("ben", (2,)), ("cleo", (2, 5)))]
    assert settled(*votes).decisions[0].scenes == (2,)
    assert len(settled(judge("anna", (1,), "links"), judge("ben", (4,), "links")).disputes) == 1
    assert settled(judge("anna", (), "links")).decisions[0].scenes == ()


def test_a_model_counts_only_where_no_person_has_answered_and_only_if_it_is_believed() -> None:
    model = judge("model@m", TurnSpan(1, 2), seconds=0.1)
    believed = judge("model@m", "believed", "measured-agreement", item="d gold", hour=2)
    assert settled(model).decisions == ()
    assert settled(model, believed, judge("model@m", "not believed", "measured-agreement", item="d gold", hour=3)).decisions == ()
    (decision,) = settled(model, believed).decisions
    assert decision.decided_by == "model m"
    (decision,) = settled(model, believed, judge("anna", TurnSpan(5, 6))).decisions
    assert (decision.decided_by, decision.start) == ("people", 5)


def test_a_dispute_about_a_former_text_goes_when_the_row_is_decided_under_the_new_one() -> None:
    old = [judge("anna", TurnSpan(0, 3), digest="old"), judge("ben", TurnSpan(8, 9), digest="old")]
    assert len(settled(*old).disputes) == 1
    found = settled(*old, judge("cleo", TurnSpan(1, 2), digest="new", hour=2))
    assert (len(found.decisions), found.disputes) == (1, ())
    assert len(settled(*old, judge("cleo", TurnSpan(1, 2), digest="older", hour=0)).disputes) == 1
