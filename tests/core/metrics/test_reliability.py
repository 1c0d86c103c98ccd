from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.pictures import PLOT_HEIGHT
from core.metrics.reliability import draw_reliability, rate_confidences

PREDICTIONS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


@given(PREDICTIONS, st.integers(1, 12))
def test_the_table_holds_every_prediction_once(predictions: list[tuple[float, bool]], n_bins: int) -> None:
    confidences, outcomes = zip(*predictions, strict=True)
    table = rate_confidences(confidences, outcomes, n_bins)
    counts = np.array([entry.count for entry in table.bins])
    assert counts.sum() == len(predictions)
    assert np.average([entry.stated for entry in table.bins], weights=counts) == pytest.approx(np.mean(confidences))
    assert np.average([entry.observed for entry in table.bins], weights=counts) == pytest.approx(np.mean(outcomes))
    assert all(entry.low - 1e-9 <= entry.stated <= entry.high + 1e-9 for entry in table.bins)
    assert table.brier == pytest.approx(np.mean([(c - o) ** 2 for c, o in predictions]))
    assert 0 <= table.calibration_error <= 1


def test_a_calibrated_forecast_has_no_error_and_a_certain_wrong_one_the_largest() -> None:
    calibrated = rate_confidences([0.75] * 4 + [0.25] * 4, [True, True, True, False, True, False, False, False])
    assert calibrated.calibration_error == pytest.approx(0)
    assert calibrated.brier == pytest.approx(0.1875)
    wrong = rate_confidences([1.0, 1.0, 0.0], [False, False, True])
    assert (wrong.calibration_error, wrong.brier) == (1, 1)
    assert rate_confidences([], []) is None


@pytest.mark.parametrize(
    ("confidences", "message"), [([1.5], "from 1.5 to 1.5"), ([float("nan")], "0 to 1"), ([], "0 confidences")]
)
def test_refuses_values_that_are_not_probabilities(confidences: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate_confidences(confidences, [True])


@given(PREDICTIONS)
def test_the_diagram_is_well_formed_and_draws_every_bin(predictions: list[tuple[float, bool]]) -> None:
    table = rate_confidences(*zip(*predictions, strict=True))
    root = ElementTree.fromstring(draw_reliability(table, "a <title> & more"))
    svg = "{http://www.w3.org/2000/svg}"
    assert str(root.findtext(f"{svg}title")).startswith("a <title> & more: ")
    bars = [group.find(f"{svg}rect") for group in root.iter(f"{svg}g")]
    heights = [float(bar.get("height", "")) for bar in bars if bar is not None]
    assert heights == pytest.approx([max(PLOT_HEIGHT * entry.observed, 0.5) for entry in table.bins], abs=0.06)
