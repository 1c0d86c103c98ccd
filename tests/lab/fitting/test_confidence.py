"""The constants of the transcripts' confidence are those that the repository fits."""

import pytest

from core.alignment.config import CURVE
from core.metrics.fitting import fit_curve
from lab.fitting.confidence import TABLE, read_table


@pytest.mark.skipif(not TABLE.is_file(), reason="its table is derived: `make tables` makes it from FABULA_CORPORA")
def test_the_constants_in_use_are_those_fitted_on_the_table() -> None:
    judged = read_table()
    slope, offset = fit_curve(judged)
    assert (round(slope, 2), round(offset, 2)) == CURVE
    assert len({each.unit for each in judged}) == 33
