import pytest

from core.review.curves import LEAST_ROWS, Look, measure_curve, order_looks, simulate_review
from core.review.priority import SpanErrors


def look(number: int, wrong: int, size: int = 10) -> Look:
    """Return a row of `size` turns, `wrong` of which are, and of which the aligner knows just how many are wrong."""
    errors = SpanErrors(float(wrong), float(wrong), size)
    sure = 1 - wrong / size
    return Look(
        unit=f"u{number // 20}", inside=size - wrong, found=size, gold=size, errors=errors, confidence=sure, turns=size
    )  # fmt: skip


LOOKS = [look(number, number // 20 % 3 + number % 3, 40 if number % 7 == 0 else 10) for number in range(100)]


def test_a_whole_review_is_right_and_too_few_rows_or_units_make_no_curve() -> None:
    for orders in order_looks(LOOKS).values():
        first, last = measure_curve(LOOKS, orders, (0.0, 1.0))
        right = sum(each.inside for each in LOOKS) / sum(each.found for each in LOOKS)
        assert first.pooled.value == pytest.approx(right)
        assert first.pooled.low < right < first.pooled.high
        assert (last.pooled.value, last.macro.value, last.read) == pytest.approx((1, 1, 1))
    assert simulate_review(LOOKS[: LEAST_ROWS - 1], "sentences", "stories") is None
    assert simulate_review([each for each in LOOKS if each.unit in ("u0", "u1")] * 3, "sentences", "stories") is None
    curve = simulate_review(LOOKS, "sentences", "stories")
    assert (curve.rows, curve.units, curve.recorded) == (100, 5, "")


def test_where_the_aligner_knows_its_errors_the_order_by_worth_is_best_and_random_worst() -> None:
    orders = order_looks(LOOKS)
    worth, confidence, chance = (
        measure_curve(LOOKS, orders[name], (0.2,))[0].pooled.value for name in ("worth", "confidence", "random")
    )
    assert worth >= confidence > chance
