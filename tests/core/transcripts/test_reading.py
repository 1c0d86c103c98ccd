import json
from collections.abc import Callable
from random import Random

import pytest

from core.alignment.spans import Chunk
from core.alignment.windows import WindowAlignment
from core.errors import SourceError
from core.metrics.alignment_quality import measure_overlap
from core.reading.questions import estimate_tokens
from core.transcripts.aligning import locate_recap
from core.transcripts.config import AlignmentConfig
from core.transcripts.reading import MOST_SHARE, Found, Window, blend, gather_votes, list_questions, read_spans
from lab.quality.synthetic_episodes import SyntheticEpisode, make_episode

Reader = Callable[[Window, int], Found]


@pytest.fixture(scope="module")
def episode() -> SyntheticEpisode:
    return make_episode(3)


@pytest.fixture(scope="module")
def located(episode: SyntheticEpisode) -> WindowAlignment:
    return locate_recap(episode.turns, episode.recap, AlignmentConfig())


def hear(episode: SyntheticEpisode, located: WindowAlignment, reader: Reader) -> tuple[float, WindowAlignment]:
    asked = list_questions("S01E01", episode.turns, episode.recap.sentences, located, "Find the spans.")
    answers = {}
    for window, question in asked:
        spans = [(sentence, *reader(window, sentence)) for sentence in window.sentences]
        answers[question.digest] = json.dumps(
            {"spans": [dict(zip(("sentence", "start", "end"), each, strict=True)) for each in spans]}
        )
    reading = gather_votes("model", asked, answers, located)
    assert (reading.questions, reading.answers, reading.unreadable) == (len(asked), len(asked), 0)
    return reading.weight, blend(located, reading.votes, reading.weight)


def score(episode: SyntheticEpisode, located: WindowAlignment) -> float:
    spans = located.cover_each()
    found = [
        measure_overlap((span.start, span.end), (gold.start, gold.end)) for span, gold in zip(spans, episode.gold, strict=True)
    ]
    return sum(found) / len(found)


def read_gold(episode: SyntheticEpisode) -> Reader:
    def answer(window: Window, sentence: int) -> Found:
        gold = episode.gold[sentence]
        return (gold.start, gold.end) if {gold.start, gold.end} <= {*window.turns} else (None, None)

    return answer


def test_a_reader_who_reads_moves_the_spans_to_where_they_are(episode: SyntheticEpisode, located: WindowAlignment) -> None:
    weight, heard = hear(episode, located, read_gold(episode))
    assert weight > 0.7
    assert score(episode, heard) > score(episode, located) + 0.03
    whole = heard.cover(Chunk(3, 0, 0, 0, 2, ""))
    assert whole.confidence > 0.7


@pytest.mark.parametrize(
    "reader",
    [
        lambda window, _: (window.turns[0], window.turns[0]),
        lambda window, _: (window.turns[0], window.turns[-1]),
        lambda *_: (None, None),
        lambda window, sentence: tuple(sorted(Random(f"{window}{sentence}").sample(window.turns, 2))),
        lambda window, sentence: (place := window.turns[(7 * sentence) % len(window.turns)], place),
    ],
    ids=["always-first", "always-all", "always-nothing", "chance", "by-number"],
)
def test_a_reader_who_does_not_read_changes_nothing(episode: SyntheticEpisode, located: WindowAlignment, reader: Reader) -> None:
    weight, heard = hear(episode, located, reader)
    assert weight == 0.0
    assert heard is located


def test_an_episode_costs_no_more_than_its_share(episode: SyntheticEpisode, located: WindowAlignment) -> None:
    asked = list_questions("S01E01", episode.turns, episode.recap.sentences, located, "Find the spans.")
    lines = "\n".join(f"[{turn.number}] {turn.speakers[0]}: {turn.text}" for turn in episode.turns)
    assert sum(question.tokens for _, question in asked) <= MOST_SHARE * estimate_tokens(lines) * 1.05
    assert {sentence for window, _ in asked for sentence in window.sentences} == {*range(len(episode.recap.sentences))}
    again = list_questions("other", episode.turns, episode.recap.sentences, located, "Find the spans.")
    assert [question.digest for _, question in again] == [question.digest for _, question in asked]


@pytest.mark.parametrize(
    "answer",
    [
        '{"spans": [{"sentence": 9, "start": 12, "end": 13}]}',
        '{"spans": [{"sentence": 1, "start": 9, "end": 13}]}',
        '{"spans": [{"sentence": 1, "start": 15, "end": 13}]}',
        '{"spans": [{"sentence": 1, "start": true, "end": 13}]}',
        '{"spans": [{"sentence": 1, "start": 12}]}',
        "[" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_told(answer: str) -> None:
    with pytest.raises(SourceError, match="the answer"):
        read_spans(answer, Window(range(3), range(10, 20)))


def test_an_answer_may_stand_in_other_words() -> None:
    said = 'Here it is:\n```json\n{"spans": [{"sentence": 1, "start": 12, "end": 13}]}\n```'
    assert read_spans(said, Window(range(3), range(10, 20))) == {1: (12, 13)}
