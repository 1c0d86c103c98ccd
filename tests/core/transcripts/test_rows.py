"""What becomes of every chunk of an episode: kinds, repeats, shared turns, the cover to train on, and what tells nothing."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from core.alignment.spans import Chunk, Span
from core.transcripts.config import FilterConfig
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.rows import JudgedChunk, choose_cover, decide_rows

LENIENT = FilterConfig(min_chunks=0)
RECAP = Recap(
    "",
    "",
    (
        RecapSection("recap", "Previously", "", ("They slept.",), ("They slept.",)),
        RecapSection("plot", "Part I", "", ("They wake.", "They eat."), ("They wake.", "They eat.")),
        RecapSection("break", "Break", "", ("Shown:", "A film was shown.", "Fan art"), ("A film was shown.",), (0, 2)),
        RecapSection("plot", "Part II", "", ("They leave.",), ("They leave.",)),
    ),
)
WORDS = [10] * 20


def row(
    first: int, last: int, start: int, end: int, confidence: float = 0.9, size: int = 2, text: str = ""
) -> tuple[Chunk, Span]:
    summary = text or " ".join(RECAP.sentences[first : last + 1])
    return Chunk(size, 0, first, first, last, summary), Span(start, end, 1.0, confidence)


def judge(*rows: tuple[Chunk, Span], words: list[int] = WORDS, config: FilterConfig = LENIENT) -> list[JudgedChunk]:
    return decide_rows(rows, RECAP, words, config)[: len(rows)]


def test_every_row_has_the_kind_of_the_section_in_which_it_begins() -> None:
    judged = judge(*(row(place, place, place, place) for place in range(5)))
    assert [entry.kind for entry in judged] == ["recap", "plot", "plot", "break", "plot"]


def test_a_page_whose_headings_name_no_kind_tells_the_plot() -> None:
    recap = Recap("", "", (RecapSection("other", "At sea", "", ("They sail.",), ("They sail.",)),))
    (judged,) = decide_rows([row(0, 0, 0, 1, text="They sail.")], recap, WORDS, LENIENT)
    assert judged.kind == "plot"
    with_plot = Recap("", "", (*recap.sections, RECAP.sections[1]))
    assert decide_rows([row(0, 0, 0, 1, text="They sail.")], with_plot, WORDS, LENIENT)[0].kind == "other"


def test_paragraphs_that_tell_nothing_are_rejected_at_their_place() -> None:
    untold = decide_rows([], RECAP, WORDS, LENIENT)
    assert [(entry.chunk.text, entry.kind, entry.reason) for entry in untold] == [
        ("Shown:", "break", "untold"),
        ("Fan art", "break", "untold"),
    ]
    assert [(entry.chunk.size, entry.chunk.offset, entry.chunk.index) for entry in untold] == [(0, 2, 0), (0, 2, 1)]
    assert all(entry.chunk.last_sentence < entry.chunk.first_sentence for entry in untold)


def test_a_repeat_of_summary_and_span_is_rejected_and_the_first_stays() -> None:
    rows = [row(0, 0, 3, 4, size=0), row(0, 0, 3, 4, size=2), row(0, 0, 3, 5, size=3)]
    assert [entry.reason for entry in judge(*rows)] == [None, "duplicate", None]
    assert [entry.reason for entry in judge(*rows, config=FilterConfig(min_chunks=0, duplicates="keep"))] == [None] * 3


def test_a_repeat_of_a_rejected_pair_keeps_its_own_reason() -> None:
    rows = [row(0, 0, 3, 4, 0.1), row(0, 0, 3, 4, 0.1)]
    assert [entry.reason for entry in judge(*rows)] == ["low-confidence", "low-confidence"]


def test_of_pairs_that_share_one_long_turn_the_one_that_tells_most_of_it_is_kept() -> None:
    words = [10, 900, 10, 10]
    rows = [row(0, 0, 1, 1), row(1, 2, 0, 2), row(1, 1, 1, 1), row(3, 3, 2, 3)]
    assert [entry.reason for entry in judge(*rows, words=words)] == ["shared-turn", None, "shared-turn", None]
    off = FilterConfig(min_chunks=0, shared_turn_words=0)
    assert [entry.reason for entry in judge(*rows, words=words, config=off)] == [None] * 4


def test_pairs_about_the_same_sentences_may_share_a_long_turn() -> None:
    words = [10, 900, 10, 10]
    assert [entry.reason for entry in judge(row(1, 1, 1, 1), row(1, 2, 1, 1), words=words)] == [None, None]
    short = [10, 30, 10, 10]
    assert [entry.reason for entry in judge(row(0, 0, 1, 1), row(1, 2, 1, 1), words=short)] == [None, None]


def test_the_rows_to_train_on_are_kept_rows_of_few_sentences() -> None:
    config = FilterConfig(min_chunks=0, train_on_sentences=2)
    rows = [row(0, 4, 0, 9), row(0, 0, 0, 1), row(1, 2, 2, 4), row(1, 1, 2, 2), row(3, 4, 5, 9, 0.2)]
    judged = judge(*rows, config=config)
    assert [entry.train_on for entry in judged] == [False, True, True, False, False]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3), st.sampled_from([0.5, 0.8, 0.9, None])), max_size=8))
def test_no_other_set_without_a_common_sentence_covers_more(drawn: list[tuple[int, int, float | None]]) -> None:
    rows = [
        JudgedChunk(Chunk(2, 0, 0, first, first + more, ""), Span(0, 0, 1.0, confidence), "plot", None)
        for first, more, confidence in drawn
    ]

    def weigh(places: tuple[int, ...]) -> float:
        sentences = [n for p in places for n in range(rows[p].chunk.first_sentence, rows[p].chunk.last_sentence + 1)]
        if len(set(sentences)) < len(sentences):
            return -1.0
        return sum(
            (rows[p].chunk.last_sentence - rows[p].chunk.first_sentence + 1)
            * (1.0 if (sure := rows[p].span.confidence) is None else sure)
            for p in places
        )

    best = max(weigh(places) for size in range(len(rows) + 1) for places in combinations(range(len(rows)), size))
    assert abs(weigh(tuple(choose_cover(rows))) - best) < 1e-9


def test_pairs_that_no_summariser_reads_as_a_whole_are_not_among_those_to_train_on() -> None:
    long, short = row(0, 1, 0, 500), row(2, 3, 501, 1000)
    words = [10] * 1001
    assert [entry.train_on for entry in judge(long, short, words=words)] == [False, True]
    unbounded = FilterConfig(min_chunks=0, train_on_turns=0)
    assert [entry.train_on for entry in judge(long, short, words=words, config=unbounded)] == [True, True]
