"""One hostile input, and what several kinds of files share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.errors import SourceError
from core.text.sentences import make_splitter

PROSE = make_splitter("prose")
SAID = "She rowed to the lighthouse, and nobody asked why. "


@dataclass(frozen=True, slots=True)
class Hostile:
    """An input that grows: `make` returns it for a size, and `read` reads it. `first` is the smallest size that is timed."""

    parser: str
    what: str
    read: Callable[[Any], object]
    make: Callable[[int], Any]
    first: int = 250


def list_cases(parser: str, read: Callable[[Any], object], *cases: tuple[str, Callable[[int], Any]]) -> tuple[Hostile, ...]:
    """Return inputs that one function reads: what each is, and how it is made."""
    return tuple(Hostile(parser, what, read, make) for what, make in cases)


def read(hostile: Hostile, content: Any) -> bool:
    """Read an input; return whether it was refused."""
    try:
        hostile.read(content)
    except SourceError:
        return True
    return False


def make_srt(n: int, text: str) -> bytes:
    """Return a subtitle file of n cues of a second, all with one text."""
    times = (f"{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}" for i in range(n))
    return "".join(f"{i}\n{time},000 --> {time},900\n{text}\n\n" for i, time in enumerate(times, 1)).encode()


def make_cue(text: str) -> bytes:
    """Return a subtitle file of one cue."""
    return f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n\n".encode()
