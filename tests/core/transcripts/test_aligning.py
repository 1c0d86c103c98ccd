from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.alignment.spans import Chunk, Span
from core.errors import SourceError
from core.transcripts.aligning import check_match, find_other_episode, outline_recap, rate_match
from core.transcripts.config import MatchingConfig
from core.transcripts.recaps.recap import Recap, RecapSection, place_sentences

RECAP = Recap(
    "",
    "",
    (
        RecapSection("recap", "Previously", "", ("They slept.",), ("They slept.",)),
        RecapSection("plot", "Part I", "", ("They wake. They eat.", "They leave."), ("They wake.", "They eat.", "They leave.")),
        RecapSection("break", "Break", "", (), ()),
        RecapSection("plot", "Part II", "Home", ("They arrive.",), ("They arrive.",)),
    ),
)


def test_sections_give_roles_and_groupings() -> None:
    outline = outline_recap(RECAP)
    assert outline.roles == ("retold", "story", "story", "story", "story")
    assert outline.groupings == ((0, 1, 1, 2, 3), (0, 1, 1, 1, 3))


def test_an_empty_part_counts_and_a_break_at_the_end_does_not() -> None:
    empty, shown = RecapSection("plot", "Part II", "", (), ()), RecapSection("break", "Break", "", ("Ads.",), ("Ads.",))
    outline = outline_recap(replace(RECAP, sections=(*RECAP.sections[:2], shown, empty)))
    assert (outline.roles[-1], outline.parts, outline.n_parts) == ("unspoken", (0, 0, 0, 0, 1), 2)
    assert outline_recap(replace(RECAP, sections=(*RECAP.sections[:2], shown))).n_parts == 1
    news = RecapSection("announcements", "News", "", ("Dates.",), ("Dates.",))
    assert outline_recap(replace(RECAP, sections=(*RECAP.sections[:2], shown, news, shown, empty))).n_parts == 2


def test_a_sentence_belongs_to_the_paragraph_in_which_it_begins() -> None:
    section = RecapSection("plot", "", "", ("One  two.\nThree.", "Four."), ("One two.", "Three.", "Four."))
    assert place_sentences(section) == [0, 0, 1]
    run_on = RecapSection("plot", "", "", ("One", "two.", "Three."), ("One two.", "Three."))
    assert place_sentences(run_on) == [0, 2]
    assert place_sentences(RecapSection("plot", "", "", (), ("One.",))) == [0]


CONFIG = MatchingConfig()
TURNS = 1000


def make_recap(sentences: int = 40, title: str = "Low Tide", **infobox: tuple[str, ...]) -> Recap:
    plot = tuple(f"Event {number} happens." for number in range(sentences))
    return Recap(title, "", (RecapSection("plot", "Synopsis", "", (" ".join(plot),), plot),), infobox)


def align(spans: Sequence[tuple[int, int, float]], confidence: float | None = 0.9) -> list[tuple[Chunk, Span]]:
    """Return chunks of 2 with these spans, and one of 4 that spans everything."""
    pairs = [
        (Chunk(2, 0, place, 2 * place, 2 * place + 1, ""), Span(start, end, score, confidence))
        for place, (start, end, score) in enumerate(spans)
    ]
    return [*pairs, (Chunk(4, 0, 0, 0, 3, ""), Span(0, TURNS - 1, 1.0, confidence))]


def test_the_share_told_is_that_of_the_probable_spans_of_the_smallest_chunks() -> None:
    match = rate_match(align([(0, 149, 0.9), (100, 249, 0.7), (500, 999, 0.69)]), make_recap(), TURNS, CONFIG)
    assert match is not None
    assert (match.told, match.least, match.sentences) == (0.25, 0.16, 40)
    assert match.fits()


def test_a_recap_that_tells_little_is_refused_with_both_figures() -> None:
    with pytest.raises(
        SourceError, match=r"do not match.*40 plot sentences find 5\.0% of the turns of C1E001, and 16\.0% is the"
    ):
        check_match("C1E001", "recaps/a.html", align([(0, 49, 0.9), (100, 999, 0.2)]), make_recap(), TURNS, CONFIG)


def test_less_is_expected_of_a_short_recap_and_nothing_of_a_stub() -> None:
    aligned = align([(0, 59, 0.9)])
    short = rate_match(aligned, make_recap(14), TURNS, CONFIG)
    assert short is not None
    assert short.least == pytest.approx(0.056)
    assert short.fits()
    assert rate_match(align([]), make_recap(11), TURNS, CONFIG) is None


@pytest.mark.parametrize(("second", "least"), [((), 0.08), (("She sleeps.",), 0.082), (("She sleeps.",) * 3, 0.172)])
def test_half_as_much_is_expected_of_a_page_with_one_of_two_parts(second: tuple[str, ...], least: float) -> None:
    recap = make_recap()
    rest = (RecapSection("break", "Break", "", (), ()), RecapSection("plot", "Part II", "", second, second))
    match = rate_match(align([(0, 99, 0.9)]), replace(recap, sections=(*recap.sections, *rest)), TURNS, CONFIG)
    assert match is not None
    assert match.least == pytest.approx(least)


@pytest.mark.parametrize(
    ("unit", "title", "fields", "named"),
    [
        ("C1E040", "Desperate Measures", ("Chapter 4, Episode 02", "(#C1E40)"), None),
        ("C1E040", "Desperate Measures", ("1x40",), None),
        ("C1E041", "Desperate Measures", ("Chapter 4, Episode 02", "(#C1E40)"), "C1E40"),
        ("C1E041", "Desperate Measures", ("1x40",), "1x40"),
        ("S01E02", "S01E03 The Long Way", (), "S01E03"),
        ("S01E02", "The Long Way", ("S01E02", "S01E03"), None),
        ("S01E02", "The Long Way", (), None),
        ("the-long-way", "S01E03 The Long Way", (), None),
    ],
)
def test_a_page_that_names_another_episode_is_found(unit: str, title: str, fields: tuple[str, ...], named: str | None) -> None:
    assert find_other_episode(unit, make_recap(title=title, Episode=fields)) == named


def test_a_page_of_another_episode_is_refused_however_well_it_fits() -> None:
    with pytest.raises(SourceError, match="the page is about episode C1E2, the unit is C1E001"):
        check_match("C1E001", "a", align([(0, 999, 0.9)]), make_recap(Episode=("C1E2",)), TURNS, CONFIG)
