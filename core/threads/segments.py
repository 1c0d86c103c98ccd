"""Segments of comments (algorithm 2): runs of 1 to n consecutive sentences, or whole comments."""

from collections.abc import Sequence
from dataclasses import dataclass

Sentences = tuple[str, ...]
"""The sentences of one utterance, in order."""


@dataclass(frozen=True, slots=True)
class CleanComment:
    """A comment that passed the filters: its id, its parent's, its author's pseudonym and its cleaned sentences."""

    id: str
    parent: str
    author: str
    sentences: Sentences


@dataclass(frozen=True, slots=True)
class CleanPost:
    """A post that passed the filters, as speaker 1's sentences, with the comments that may reply (`replies`) or serve threading.

    `first` is the number of the first sentence: −1 where the title stands before the text, else 0.
    """

    id: str
    forum: str
    title: str
    author: str
    sentences: Sentences
    first: int
    replies: tuple[CleanComment, ...]
    threads: tuple[CleanComment, ...]


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
