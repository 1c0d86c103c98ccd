"""A dialogue of two speakers, every part of which names the post or comment that it was taken from."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from core.threads.scoring import KnownScores, ScoreRequest
from core.threads.segments import Segment, Sentences

PieceKind = Literal["post", "comment", "thread", "reaction", "generated"]
SPEAKERS = ("Speaker 1", "Speaker 2")
ROLES = ("user", "assistant")
SAME_WORDS = 25
"""Words of a post that tell it from all others."""
_WORD = re.compile(r"\w+")
_AGREES = re.compile(
    r"\b(?:i (?:totally |completely |fully |actually |also )?(?:agree|second (?:this|that))|agreed|"
    r"you(?:['’]re| are)(?: \w+)? right|good point|fair (?:point|enough)|that(?:['’]s| is) true|exactly this|"
    r"couldn['’]t agree more|you(?:['’]ve| have) convinced me)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive sentences of one source: sentences `start` to `stop` (exclusive) of the post or comment `source`.

    A post's title is its sentence −1. `author` is a pseudonym. Reactions and generated replies have no source and no author.
    """

    kind: PieceKind
    source: str
    author: str
    start: int
    stop: int
    sentences: Sentences


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Turns of speaker 1 and speaker 2 in alternation, the first turn by speaker 1, each with its pieces in order.

    `scores` has the score of each turn after the first, in the context of all turns before it.
    """

    turns: tuple[tuple[Piece, ...], ...]
    scores: tuple[float, ...]

    @property
    def utterances(self) -> tuple[Sentences, ...]:
        """The sentences of each turn."""
        return join_pieces(self.turns)

    @property
    def coherence(self) -> float:
        """How well the turns follow, 0 to 1: the mean of the scores as probabilities."""
        return measure_coherence(self.scores)


def join_pieces(turns: Sequence[Sequence[Piece]]) -> tuple[Sentences, ...]:
    """Return the sentences of each turn."""
    return tuple(tuple(sentence for piece in turn for sentence in piece.sentences) for turn in turns)


def rate_turns(utterances: Sequence[Sentences], scores: KnownScores, longest_context: int) -> tuple[float, ...]:
    """Return the score of each utterance after the first, in the context of those before it."""
    return tuple(
        scores(
            [
                ScoreRequest(tuple(utterances[max(0, place - longest_context) : place]), utterances[place])
                for place in range(1, len(utterances))
            ]
        )
    )


def measure_coherence(scores: Sequence[float]) -> float:
    """Return the mean of scores as probabilities, 0 without scores.

    Reference: thesis, section 3.2.5: GRADE's role, to find the least coherent dialogues.
    """
    return float(np.mean(expit(scores))) if len(scores) else 0.0


def take_segment(segment: Segment) -> Piece:
    """Return a segment of a comment as a piece of a dialogue."""
    comment = segment.comment
    kind: PieceKind = "comment" if comment.id else "generated"
    return Piece(kind, comment.id, comment.author, segment.start, segment.stop, segment.sentences)


def agrees(sentences: Sentences) -> bool:
    """Tell whether an utterance says that its speaker agrees, or has changed their mind (section 4.6)."""
    return any(_AGREES.search(sentence) for sentence in sentences)


def hash_beginning(dialogue: str) -> int:
    """Return a hash of the first `SAME_WORDS` words of speaker 1, in small letters; `dialogue` has a line a turn.

    It is the same for a post that stands under several ids, whatever the replies are.
    """
    own = (line.removeprefix(f"{SPEAKERS[0]}: ") for line in dialogue.split("\n") if line.startswith(f"{SPEAKERS[0]}: "))
    words = _WORD.findall(" ".join(own).casefold())[:SAME_WORDS]
    return int.from_bytes(hashlib.blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest())
