import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.errors import SourceError
from core.subtitles.config import VariantConfig
from core.subtitles.subtitle import Subtitle, SubtitleMetadata
from core.subtitles.variants import VariantFigures, choose_variant, measure_variant


def variant(name, sentences=1000, *, complete=True, unknown=0.01, rating=0.0):
    return VariantFigures(name, sentences, complete, unknown, rating)


def test_figures_come_from_turns_and_metadata():
    turns = tuple(Turn(n, (), ("a",), "", "a") for n in range(3))
    assert measure_variant(Subtitle("7", turns)) == VariantFigures("7", 3, True, None, None)
    metadata = SubtitleMetadata(cds=(1, 2), rating=7.0, unknown_share=0.1)
    assert measure_variant(Subtitle("7", turns, (), metadata)) == VariantFigures("7", 3, False, 0.1, 7.0)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (variant("0", complete=False), "one disc of several"),
        (variant("0", 700), "700 sentences, more than 10% from the median 1,000"),
        (variant("0", unknown=0.03), "unknown words: 3.0%, the chosen one has 1.0%"),
        (variant("0", unknown=None), "unknown words: not stated, the chosen one has 1.0%"),
        (variant("0", rating=6.5), "rated 6.5, the chosen one 7"),
        (variant("0", 950, rating=7.0), "950 sentences, the chosen one is nearer to the median 1,000"),
        (variant("5", rating=7.0), "as good as the chosen one, whose id comes first"),
    ],
)
def test_the_first_difference_decides_and_gives_the_reason(other, reason):
    choice = choose_variant([other, variant("3", rating=7.0), variant("10", rating=7.0)])
    assert choice.chosen == "3"
    assert dict(choice.rejected)[other.id] == reason
    assert dict(choice.rejected)["10"] == "as good as the chosen one, whose id comes first"


def test_of_two_variants_equally_far_from_the_median_the_longer_one_is_chosen():
    choice = choose_variant([variant("1", 600), variant("2", 1200)])
    assert (choice.chosen, choice.rejected) == ("2", (("1", "600 sentences, the chosen one has more"),))


def test_a_single_disc_is_chosen_if_there_is_nothing_else():
    choice = choose_variant([variant("1", 500, complete=False)])
    assert choice.chosen == "1"
    assert choice.reason == "the only one; one disc of several, no complete subtitle is there"


def test_the_tolerance_is_a_setting():
    variants = [variant("1", 850, unknown=0.0), variant("2"), variant("3")]
    assert choose_variant(variants).chosen == "2"
    assert choose_variant(variants, VariantConfig(tolerance=0.2)).chosen == "1"


def test_no_variants_are_an_error():
    with pytest.raises(SourceError, match="no readable English subtitle"):
        choose_variant([])


FIGURES = st.builds(
    VariantFigures,
    st.text("a19", min_size=1, max_size=3),
    st.integers(0, 3000),
    st.booleans(),
    st.none() | st.floats(0, 1),
    st.none() | st.floats(0, 10),
)


@given(st.lists(FIGURES, min_size=1, max_size=7, unique_by=lambda figures: figures.id), st.randoms())
def test_the_order_does_not_matter_and_every_rejected_variant_has_a_reason(variants, random):
    choice = choose_variant(variants)
    random.shuffle(variants)
    assert choose_variant(variants) == choice
    assert {name for name, _ in choice.rejected} == {figures.id for figures in variants} - {choice.chosen}
    assert all(reason for _, reason in choice.rejected)
    assert choose_variant([figures for figures in variants if figures.id == choice.chosen]).chosen == choice.chosen
