"""What a model is asked about an episode, and what its answers say: spans of turns for the sentences of a recap.

The aligner says where each sentence may be. Successive sentences are asked about together, with the turns that they may reach;
neighbouring questions share sentences, and whether a model answers these alike tells how far it is to be believed.
"""

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
from core.reading.belief import Reading, gather_answers, group_sentences, read_entries, weigh_reader
from core.reading.questions import Question, estimate_tokens

KIND = "transcript-spans"
VERSION = 1
SENTENCES = 8
"""Sentences of a question."""
SHARED = 2
"""Sentences that a question shares with the one before, at least."""
MOST_SHARE = 1.5
"""The most tokens of all questions of an episode, as a multiple of its transcript's."""
_REACHES = ((0.01, 12), (0.02, 12), (0.05, 12), (0.1, 12), (0.2, 8), (0.35, 5), (0.5, 2), (0.7, 0))
"""Widest first, the first that fits: least probability that a sentence has begun or lasts, and turns added at each end."""
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
    groups = group_sentences(n_sentences, SENTENCES, SHARED)
    windows: list[Window] = []
    for reach, margin in _REACHES:
        firsts = np.argmax(posteriors.begun >= reach, axis=1)
        lasts = np.maximum((posteriors.lasting >= reach).sum(axis=1), firsts + 1)
        windows = []
        for rows in groups:
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
    spans, asked = located.cover_each(), []
    for window in plan_windows(located.posteriors, sizes, most):
        told = "\n".join(f"<{place}> {' '.join(sentences[place].split())}" for place in window.sentences)
        said = "\n".join(lines[window.turns.start : window.turns.stop])
        text = f"Sentences:\n{told}\n\nTurns:\n{said}"
        answer = len(window.sentences) * _SENTENCE_TOKENS + 40
        about = tuple(sentences[window.sentences.start : window.sentences.stop])
        doubt = sum(1 - (spans[place].confidence or 0.0) for place in window.sentences)
        asked.append((window, Question(KIND, VERSION, unit, instructions, text, SCHEMA, answer, about, doubt)))
    return asked


def read_spans(answer: str, window: Window) -> dict[int, Found]:
    """Return the spans that an answer gives to the sentences of its question.

    Raises:
        SourceError: it has no JSON object with `spans`, or names a sentence or turn that is not in the question.
    """
    try:
        found = {entry["sentence"]: (entry["start"], entry["end"]) for entry in read_entries(answer, "spans")}
    except (KeyError, TypeError) as error:
        raise SourceError(f"the answer {answer[:60]!r} lacks {error}; expected sentence, start and end") from None
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


def compare_votes(votes: Mapping[int, Sequence[Found]], located: WindowAlignment) -> float:
    """Return a reader's weight (`weigh_reader`), by how well his spans overlap with each other and with the aligner's."""
    twice = [measure_overlap(*found[:2]) >= AGREED for found in votes.values() if len(found) > 1]
    spans = located.cover_each()
    sure = [
        measure_overlap(vote, (spans[sentence].start, spans[sentence].end)) >= AGREED
        for sentence, found in votes.items()
        if (spans[sentence].confidence or 0.0) >= SURE
        for vote in found[:1]
    ]
    return weigh_reader(twice, sure, SURE)


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
    return replace(located, posteriors=replace(located.posteriors, begun=begun, lasting=lasting, unaligned=unaligned))


@dataclass(frozen=True, slots=True)
class EpisodeReading(Reading):
    """What a reader says of an episode: his spans by sentence."""

    votes: Mapping[int, Sequence[Found]]


def gather_votes(
    model: str, asked: Sequence[tuple[Window, Question]], answers: Mapping[str, str], located: WindowAlignment
) -> EpisodeReading:
    """Return what the answers to an episode's questions say; `answers` are texts by the digest of their question."""
    found, answered, unreadable = gather_answers(asked, answers, read_spans)
    votes = {sentence: [span for _, span in said] for sentence, said in found.items()}
    weight = compare_votes(votes, located) if votes else 0.0
    return EpisodeReading(model, len(asked), answered, unreadable, weight, votes)
