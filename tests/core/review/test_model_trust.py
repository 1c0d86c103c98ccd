"""When a model that reads is believed."""

from core.review.model_trust import measure_trust


def test_trust_needs_rows_agreement_and_a_sure_gain() -> None:
    assert not measure_trust([]).believed
    assert not measure_trust([(1.0, 0.5)] * 19).believed
    assert measure_trust([(1.0, 0.5)] * 20).believed
    assert not measure_trust([(1.0, 1.0)] * 40).believed
    assert not measure_trust([(1.0, 0.2)] * 15 + [(0.3, 0.2)] * 6).believed
