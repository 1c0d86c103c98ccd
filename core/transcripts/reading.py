"""What a model is asked about an episode, and what its answers say: spans of turns for the sentences of a recap.

The aligner says where each sentence may be. Successive sentences are asked about together, with the turns that they may reach;
neighbouring questions share sentences, and whether a model answers these alike tells how far it is to be believed.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from core.alignment.window_chain import SpanPosteriors
from core.alignment.windows import WindowAlignment
from core.dialogue import Turn, write_line
from core.errors import SourceError
from core.metrics.alignment_quality import measure_overlap
from core.reading.questions import Question, estimate_tokens

KIND = "transcript-spans"
VERSION = 1
SENTENCES = 8
"""Sentences of a question."""
SHARED = 2
"""Sentences that a question shares with the one before."""
MOST_SHARE = 1.5
"""The most tokens of all questions of an episode, as a multiple of its transcript's."""
_REACHES = ((0.01, 12), (0.02, 12), (0.05, 12), (0.1, 12), (0.2, 8), (0.35, 5), (0.5, 2), (0.7, 0))
"""Least probability that a sentence has begun, or lasts, and turns beside those that are so reached: the first that fits."""
_SENTENCE_TOKENS = 24  # of an answer
SCHEMA = {
    "type": "object",
    "properties": {
        "spans": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "sentence": {"type": "integer"},
                    "start": {"type": ["integer", "null"]},
                    "end": {"type": ["integer", "null"]},
                },
                "required": ["sentence", "start", "end"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["spans"],
    "additionalProperties": False,
}

Found = tuple[int | None, int | None]
"""First and last turn (inclusive), both None where no turn tells of a sentence."""


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences and turns of one question, both by number, the stops exclusive."""

    sentences: range
    turns: range


def plan_windows(posteriors: SpanPosteriors, sizes: Sequence[int], most: float) -> list[Window]:
    """Return the windows of an episode's questions, in order of their sentences.

    A window has the turns that its sentences reach with a small probability, and some beside: the widest windows that hold at
    most `most` tokens together, or the narrowest where none do.

    Args:
        posteriors: where the aligner believes the sentences to be.
        sizes: tokens of each turn.
        most: the most tokens of turns in all windows.
    """
    n_sentences, n_turns = posteriors.begun.shape
    total = [0, *accumulate(sizes)]
    starts = range(0, max(n_sentences - SHARED, 1), SENTENCES - SHARED)
    windows: list[Window] = []
    for reach, margin in _REACHES:
        firsts = np.argmax(posteriors.begun >= reach, axis=1)
        lasts = np.maximum((posteriors.lasting >= reach).sum(axis=1), firsts + 1)
        windows = []
        for start in starts:
            rows = range(start, min(start + SENTENCES, n_sentences))
            low = max(int(firsts[rows.start : rows.stop].min()) - margin, 0)
            high = min(int(lasts[rows.start : rows.stop].max()) + margin, n_turns)
            windows.append(Window(rows, range(low, high)))
        if sum(total[window.turns.stop] - total[window.turns.start] for window in windows) <= most:
            break
    return windows


def list_questions(
    unit: str, turns: Sequence[Turn], sentences: Sequence[str], located: WindowAlignment, instructions: str
) -> list[tuple[Window, Question]]:
    """Return the questions about an episode with their windows."""
    lines = [f"[{turn.number}] {write_line(turn.speakers, turn.text)}" for turn in turns]
    sizes = [estimate_tokens(line) + 1 for line in lines]
    own = sum(map(estimate_tokens, sentences)) * SENTENCES / (SENTENCES - SHARED)
    n_windows = math.ceil(len(sentences) / (SENTENCES - SHARED))
    most = MOST_SHARE * sum(sizes) - own - n_windows * (estimate_tokens(instructions) + SENTENCES * _SENTENCE_TOKENS)
    asked = []
    for window in plan_windows(located.posteriors, sizes, most):
        told = "\n".join(f"<{place}> {' '.join(sentences[place].split())}" for place in window.sentences)
        said = "\n".join(lines[window.turns.start : window.turns.stop])
        text = f"Sentences:\n{told}\n\nTurns:\n{said}"
        answer = len(window.sentences) * _SENTENCE_TOKENS + 40
        about = tuple(sentences[window.sentences.start : window.sentences.stop])
        asked.append((window, Question(KIND, VERSION, unit, instructions, text, SCHEMA, answer, about)))
    return asked


def read_spans(answer: str, window: Window) -> dict[int, Found]:
    """Return the spans that an answer gives to the sentences of its question.

    Raises:
        SourceError: it has no JSON object with `spans`, or names a sentence or turn that is not in the question.
    """
    try:
        said = json.loads(answer[answer.index("{") : answer.rindex("}") + 1])
        found = {entry["sentence"]: (entry["start"], entry["end"]) for entry in said["spans"]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SourceError(
            f"the answer {answer[:60]!r} has no spans ({type(error).__name__}); expected an object with spans"
        ) from None
    for sentence, (start, end) in found.items():
        if type(sentence) is not int or sentence not in window.sentences:
            raise SourceError(f"the answer names sentence {sentence!r}; expected {window.sentences[0]} to {window.sentences[-1]}")
        if start is None and end is None:
            continue
        if not (type(start) is type(end) is int and start <= end and start in window.turns and end in window.turns):
            raise SourceError(
                f"the answer names turns {start!r} to {end!r}; expected some of {window.turns[0]} to {window.turns[-1]}"
            )
    return found


AGREED = 0.5
"""F1 from which two spans are alike."""
SURE = 0.9
"""Confidence from which the aligner's spans may test a reader."""
LEAST = 0.5
"""A reader is heard if he is surely right more often than this: of chance, or one answer for all, hardly a third agrees."""
MOST = 0.97
"""Two readers of one episode agreed on so much of it (CRD3's gold): no reader is right more often."""
LEAST_TESTED = 5
"""Sentences read twice, and sure ones, below which nothing is known of a reader."""


def weigh_reader(votes: Mapping[int, Sequence[Found]], located: WindowAlignment) -> float:
    """Return the probability that a reader's span is right, as far as an episode alone can tell; 0 where he is not to be heard.

    Two answers to the same sentence, of independent questions, are alike in a share of p² at least if each is right with the
    probability p. And where the aligner is sure, a reader who reads finds the same place: one who always answers the same, or by
    chance, agrees with himself or with the aligner, and hardly with both. He is heard if the lower bound of both says so (Wilson,
    1927); then the lower of the two, with one success and one failure more than were seen, is his weight.
    """
    twice = [measure_overlap(*found[:2]) >= AGREED for found in votes.values() if len(found) > 1]
    spans = located.cover_each()
    sure = [
        measure_overlap(vote, (spans[sentence].start, spans[sentence].end)) >= AGREED
        for sentence, found in votes.items()
        if (spans[sentence].confidence or 0.0) >= SURE
        for vote in found[:1]
    ]
    if min(len(twice), len(sure)) < LEAST_TESTED:
        return 0.0
    if min(math.sqrt(_bound_share(twice)), _bound_share(sure) / SURE) < LEAST:
        return 0.0
    seen, found = ((sum(outcomes) + 1) / (len(outcomes) + 2) for outcomes in (twice, sure))
    return min(math.sqrt(seen), found / SURE, MOST)


def _bound_share(outcomes: Sequence[bool]) -> float:
    """Return the lower bound of the 90 % interval of a share, by Wilson's score."""
    n, z = len(outcomes), 1.645
    share = sum(outcomes) / n
    middle, spread = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - spread) / (1 + z * z / n)


def blend(located: WindowAlignment, votes: Mapping[int, Sequence[Found]], weight: float) -> WindowAlignment:
    """Return an alignment in which a reader's votes count with a probability, and the aligner's posteriors with the rest.

    A sentence without a vote keeps its posterior. Several votes of a sentence count equally.
    """
    if not weight:
        return located
    before = located.posteriors
    begun, lasting, unaligned = before.begun.copy(), before.lasting.copy(), before.unaligned.copy()
    turns = np.arange(begun.shape[1])
    for sentence, found in votes.items():
        spans = [(start, end) for start, end in found if start is not None and end is not None]
        told = weight * len(spans) / len(found)
        own = (1 - weight) * (1 - before.unaligned[sentence])
        unaligned[sentence] = 1 - told - own
        if told:
            begins = np.mean([turns >= start for start, _ in spans], axis=0)
            lasts = np.mean([turns <= end for _, end in spans], axis=0)
            begun[sentence] = (own * before.begun[sentence] + told * begins) / (own + told)
            lasting[sentence] = (own * before.lasting[sentence] + told * lasts) / (own + told)
    return replace(located, posteriors=SpanPosteriors(begun, lasting, unaligned))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader says of an episode: his spans by sentence, how much he was asked and answered, and how far he is believed."""

    model: str
    questions: int
    answers: int
    unreadable: int
    weight: float
    votes: Mapping[int, Sequence[Found]]


def gather_votes(
    model: str, asked: Sequence[tuple[Window, Question]], answers: Mapping[str, str], located: WindowAlignment
) -> Reading:
    """Return what the answers to an episode's questions say; `answers` are texts by the digest of their question."""
    votes: dict[int, list[Found]] = {}
    unreadable = 0
    for window, question in asked:
        try:
            for sentence, span in read_spans(answers[question.digest], window).items():
                votes.setdefault(sentence, []).append(span)
        except KeyError:
            continue
        except SourceError:
            unreadable += 1
    answered = sum(question.digest in answers for _, question in asked)
    return Reading(model, len(asked), answered, unreadable, weigh_reader(votes, located) if votes else 0.0, votes)
