from dataclasses import replace
from functools import cache
from itertools import islice, permutations

import numpy as np
import pytest

from core.alignment.aligners import EpisodeAlignment
from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.errors import SourceError
from core.records import FieldNames, read_record
from core.transcripts.matching import SURE, Match, RecapFit, check_named, compare_recaps, find_other_episode, list_terms, rate_fit
from core.transcripts.recaps.recap import Recap, RecapSection
from tests.meetings import CHAT, MeetingConfig, make_meetings


@cache
def read_fits(count: int, config: MeetingConfig) -> dict[str, RecapFit]:
    """Return what tells how the summaries of some made-up dialogues fit."""
    fits = {}
    for record in (read_record(made, FieldNames()) for made in make_meetings(count, config=config)):
        said = list_terms(" ".join(turn) for turn in record.turns)
        fits[record.name] = RecapFit("held", said, list_terms(part.text for part in record.summaries))
    return fits


@pytest.mark.parametrize(("count", "config", "found"), [(12, MeetingConfig(), 0.99), (40, CHAT, 0.7)], ids=["meetings", "chats"])
def test_foreign_summaries_are_found_and_own_ones_are_not_refused(count: int, config: MeetingConfig, found: float) -> None:
    """Four meetings are of one project each, and share its words; a chat's summary has a few words, and may be left open."""
    fits = read_fits(count, config)
    own = [match.score for match in compare_recaps(fits).values()]
    exchanged = [
        compare_recaps({**fits, unit: replace(fits[unit], told=fits[other].told)}, [unit])[unit]
        for unit, other in permutations(list(fits)[:8], 2)
    ]
    assert min(own) > -SURE
    assert sum(match.score < -SURE for match in exchanged) / len(exchanged) >= found
    assert sum(match.score > SURE for match in exchanged) / len(exchanged) <= 0.01


def test_the_unit_that_a_recap_fits_is_named() -> None:
    fits = dict(islice(read_fits(12, MeetingConfig()).items(), 6))
    first, second = list(fits)[1:3]
    swapped = {first: replace(fits[first], told=fits[second].told), second: replace(fits[second], told=fits[first].told)}
    matches = compare_recaps(fits | swapped)
    assert {unit: match.better for unit, match in matches.items() if match.score < -SURE} == {first: second, second: first}


def test_the_reach_alone_tells_of_a_unit_alone_or_where_the_words_leave_it_open() -> None:
    fits = read_fits(12, MeetingConfig())
    first, second, *_ = fits
    assert compare_recaps({first: fits[first]}) == {first: Match(0.0)}
    found = [compare_recaps({first: replace(fits[first], reach=reach)})[first].foreign for reach in (None, 0.4, 1.1)]
    assert found == [False, True, False]
    assert [*compare_recaps({first: replace(fits[first], told=()), second: fits[second]})] == [second]
    found = [Match(score, reach=reach).foreign for score in (-9.0, 2.0, 9.0) for reach in (None, 0.5, 2.0)]
    assert found == [True, True, True, False, True, False, False, False, False]


@pytest.mark.parametrize(("sentences", "end", "reach"), [(11, 49, None), (12, 2, 0.03 / 0.048), (100, 29, 0.3 / 0.2)])
def test_reach_is_what_probable_spans_of_the_plot_cover(sentences: int, end: int, reach: float | None) -> None:
    """12 sentences reach 4.8 % of the turns at least, 100 a fifth; an improbable span reaches nothing."""
    plot = RecapSection("plot", "Part I", "", ("A.",) * sentences, ("A.",) * sentences)
    spans = [Span(0, end, 0.9, 0.9), Span(50, 99, 0.6, 0.6)]
    chunks = [Chunk(1, 0, number, number, number, "A.") for number in range(2)]
    pairs = tuple(zip(chunks, spans, strict=True))
    turns = [Turn(number, (), ("x",), "", "x") for number in range(100)]
    found = rate_fit(EpisodeAlignment(pairs, np.zeros(100)), turns, Recap("T", "", (plot,))).reach
    assert found == (reach if reach is None else pytest.approx(reach))


def test_terms_are_those_of_the_plot_and_of_turns_with_their_speakers() -> None:
    sections = (
        RecapSection("recap", "Previously", "", ("They slept.",), ("They slept.",)),
        RecapSection("plot", "Part I", "", ("Wolves wake.",), ("Wolves wake.",)),
    )
    turn = Turn(0, ("Ines",), ("The wolves!",), "INES", "The wolves!")
    aligned = EpisodeAlignment((), None, "sections")  # type: ignore[arg-type]
    assert rate_fit(aligned, [turn], Recap("", "", sections)) == RecapFit("sections", ("ine", "wolv"), ("wake", "wolv"))
    assert rate_fit(aligned, [turn], Recap("", "", sections, independent=True)).order == "held"


@pytest.mark.parametrize(
    ("unit", "title", "fields", "named"),
    [
        ("C1E040", "Desperate Measures", ("Chapter 4, Episode 02", "(#C1E40)"), None),
        ("C1E041", "Desperate Measures", ("Chapter 4, Episode 02", "(#C1E40)"), "C1E40"),
        ("C1E041", "Desperate Measures", ("1x40",), "1x40"),
        ("S01E02", "S01E03 The Long Way", (), "S01E03"),
        ("S01E02", "The Long Way", ("S01E02", "S01E03"), None),
        ("the-long-way", "S01E03 The Long Way", (), None),
    ],
)
def test_a_page_that_names_another_episode_is_found(unit: str, title: str, fields: tuple[str, ...], named: str | None) -> None:
    assert find_other_episode(unit, Recap(title, "", (), {"Episode": fields})) == named


def test_a_page_of_another_episode_is_refused() -> None:
    with pytest.raises(SourceError, match="the page is about episode C1E2, the unit is C1E001"):
        check_named("C1E001", "a", Recap("", "", (), {"Episode": ("C1E2",)}))
