"""What the search works on and makes: cleaned posts, segments of comments (algorithm 2), dialogues that name their sources."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.special import expit

Sentences = tuple[str, ...]
"""The sentences of one utterance, in order."""
_CONTINUES = re.compile(
    r"[(•–—]|-(?!\d)|\W*(?:(?:and|but|however|then|otherwise|plus|again|though|anyway|anyways|or|especially|also|now|he|she|they|even|still|"
    r"regardless|finally|another|second|secondly|third|thirdly|lastly|additionally|furthermore|moreover|similarly|therefore|thus|"
    r"after that|hence|likewise|meanwhile|nevertheless|nonetheless|afterwards|edit\d*|eta|tl;?dr)\b|"
    r"for (?:example|instance)|as for|that (?:said|being said|way)|having said that|"
    r"with that (?:said|being said)|if (?:so|not)\b|"
    r"so (?:yes|yeah|no)\b|(?:his|hers?|him|their|it was)\b|the (?:reason|other|second|third|former|latter)\b|"
    r"either way|anyhow|overall|"
    r"bottom line|in the end|all in all|in conclusion|my point|(?:the )?point (?:is|being)\b|"
    r"(?:[\w'’]+ ){1,3}(?:also|then|therefore)\b|in (?:fact|addition|other words|your case|that case|this case)|"
    r"on the other hand|on top of (?:that|this)|"
    r"(?:best of|good) luck|hope (?:this|that|it) helps|i hope (?:this|that|it) helps)",
    re.IGNORECASE,
)
"""Beginnings of sentences that go on with a thought, or end a comment: docs/threads.md says how they were found."""
_FORUM_TALK = re.compile(
    r"\bOP(?:['’]s)?\b|\br/\w|\b(?i:this (?:sub(?:reddit)?|forum|thread)|(?:up|down)[ -]?vot(?:e[sd]?|ing)|"
    r"(?:an)?other (?:posters?|commenters?|comments?|repl(?:y|ies))|other users? (?:here|have|has|said)|"
    r"(?:as|like|what) (?:many )?(?:others|(?:every|some)(?:one|body)(?: else)?) (?:here )?(?:already )?"
    r"(?:(?:(?:have|has|had|is|are) )?(?:already )?(?:said|saying|mentioned|suggested|suggesting|noted|pointed out|told you))\b|"
    r"your (?:other )?comments?)\b"
)
"""What is said to the readers of a forum, not to the author of the post, or of what others have said there."""
_WORDS = re.compile(r"[^\W_]+")
_LEAST_QUOTED = 5  # words; a shorter sentence may be said by two people


@dataclass(frozen=True, slots=True)
class CleanComment:
    """A comment that passed the filters: its id, its parent's, its author's pseudonym and its cleaned sentences.

    `linked`: an address stood in it.
    """

    id: str
    parent: str
    author: str
    sentences: Sentences
    linked: bool = False


@dataclass(frozen=True, slots=True)
class CleanPost:
    """A post that passed the filters, as speaker 1's sentences, with the comments that may reply (`replies`) or serve threading.

    `first` is the number of the first sentence: −1 where the title stands before the text, else 0. `unsaid` are the sentences
    that were cut off: comments may speak of them. `linked`: an address stood in its text.
    """

    id: str
    forum: str
    title: str
    author: str
    sentences: Sentences
    first: int
    replies: tuple[CleanComment, ...]
    threads: tuple[CleanComment, ...]
    unsaid: Sentences = ()
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """The sentences `start` to `stop` (exclusive) of a comment."""

    comment: CleanComment
    start: int
    stop: int

    @property
    def sentences(self) -> Sentences:
        """The segment's sentences."""
        return self.comment.sentences[self.start : self.stop]

    def overlaps(self, other: "Segment") -> bool:
        """Tell whether both hold a sentence of the same comment."""
        return self.comment.id == other.comment.id and self.start < other.stop and other.start < self.stop


def speaks_of_forum(sentence: str) -> bool:
    """Tell whether a sentence speaks of the forum, or of what others have said there."""
    return _FORUM_TALK.search(sentence) is not None


def is_apt(segment: Segment, post: Sentences) -> bool:
    """Tell whether a segment may reply to a post in a dialogue.

    It begins with a thought (what a comment begins with does), announces no list, repeats no sentence of the post, does not
    speak of the forum, and does not begin or end inside a quotation.
    """
    said = segment.sentences
    begins = segment.start == 0 or _CONTINUES.match(said[0]) is None
    repeats = any(sentence in post for sentence in said) or not _index_sentences(post).isdisjoint(
        words for sentence in said if len(words := _list_words(sentence)) >= _LEAST_QUOTED
    )
    whole = len(said) == len(segment.comment.sentences)
    torn = not whole and _has_open_quotation(said)
    return begins and not repeats and not torn and not said[-1].endswith(":") and not any(map(speaks_of_forum, said))


@lru_cache(maxsize=4)
def _index_sentences(post: Sentences) -> frozenset[tuple[str, ...]]:
    """Return the words of each sentence of a post; it is asked again for every segment of its comments."""
    return frozenset(map(_list_words, post))


def _list_words(sentence: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(sentence.casefold()))


def _has_open_quotation(sentences: Sentences) -> bool:
    """Tell whether a quotation is opened and not closed, or closed and not opened."""
    text = "".join(sentences)
    return text.count('"') % 2 == 1 or text.count("“") != text.count("”")


def cut_segments(comments: Sequence[CleanComment], longest: int) -> list[Segment]:
    """Return the runs of 1 to `longest` sentences of each comment, by start and then length; the whole comments if it is 0.

    Reference: thesis, algorithm 2. As printed its inner loop ends at size 3 and may run over the end of the comment; meant are
    "A, B, C, AB, ABC, BC" (section 3.2.2).
    """
    if longest == 0:
        return [Segment(comment, 0, len(comment.sentences)) for comment in comments]
    return [
        Segment(comment, start, stop)
        for comment in comments
        for start in range(len(comment.sentences))
        for stop in range(start + 1, min(start + longest, len(comment.sentences)) + 1)
    ]


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
