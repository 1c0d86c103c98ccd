"""Writes synthetic corpora of any size. The text depends only on the unit's number; no line is from a real corpus.

- films: `ttNNNNNNN/film.srt` (120 captions) and `synopsis.txt`, for `fabula run subtitles`: small units that share shards;
- tiny: `transcripts/SNNNENN.txt` (12 turns) and `recaps/SNNNENN.md` (6 sentences), for `fabula run transcripts`: small units
  without shards;
- episodes: as `tiny`, but with 2,000 turns of about 12 words and 80 sentences, which is the size of CRD3's episodes.

Words are drawn by Zipf's law (exponent 1) from a vocabulary of 20,000. The most frequent words are English function words, so
that language detection finds English; the others are made of syllables. A recap's sentence repeats words of its turns. A smaller
corpus is the beginning of a larger one.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["films", "tiny", "episodes"]
WORDS = 20_000
_COMMON = (
    "the of and to a in that it is was he for on are with as his they at be this from have or by one had not but "
    "what all were when we there can an your which their said if do will each about how up out them then she many "
    "some so these would other into has more her two like him see time could no make than first been its who now "
    "people my made over did down only way"
)
_PEOPLE = ("MAREN", "TOBIN", "ISOLDE", "QUILL", "BRAMWELL", "ODETTE", "FENWICK")


@cache
def list_vocabulary() -> NDArray[np.object_]:
    """Return the words, the most frequent first."""
    syllables = ["".join(parts) for parts in product("bdfgklmnprstvz", "aeiou", ("", "n", "r", "s", "l"))]
    words = dict.fromkeys([*_COMMON.split(), *(first + last for first, last in product(syllables, syllables))])
    return np.array(list(words)[:WORDS], dtype=object)


@cache
def _cumulated() -> NDArray[np.float64]:
    weights = 1 / np.arange(1, WORDS + 1)
    cumulated: NDArray[np.float64] = np.cumsum(weights / weights.sum())
    return cumulated


def draw_sentences(random: np.random.Generator, count: int, mean: float) -> list[str]:
    """Return `count` sentences of `mean` words on average, at least 3 each."""
    lengths = 3 + random.poisson(mean - 3, count)
    ends = np.cumsum(lengths)
    places = np.minimum(np.searchsorted(_cumulated(), random.random(int(ends[-1]))), WORDS - 1)
    words = list_vocabulary()[places]
    return [" ".join(words[end - length : end]).capitalize() + "." for end, length in zip(ends, lengths, strict=True)]


def retell(random: np.random.Generator, turns: list[str], count: int) -> list[str]:
    """Return `count` sentences in order, each with words of its share of the turns and some other words."""
    cuts = np.linspace(0, len(turns), count + 1).astype(int)
    others = draw_sentences(random, count, 8)
    told = []
    for start, stop, other in zip(cuts, cuts[1:], others, strict=False):
        words = " ".join(turns[start : max(stop, start + 1)]).replace(".", "").lower().split()
        chosen = np.sort(random.choice(len(words), min(len(words), 8), replace=False))
        told.append(f"{' '.join(words[place] for place in chosen).capitalize()} {other.lower()}")
    return told


def write_film(folder: Path, number: int) -> None:
    """Write one film and its synopsis."""
    random = np.random.default_rng([1, number])
    lines = draw_sentences(random, 120, 7)
    captions = (f"{place + 1}\n{_clock(3 * place)} --> {_clock(3 * place + 2)}\n{line}\n" for place, line in enumerate(lines))
    _write(folder / f"tt{1_000_000 + number}" / "film.srt", "\n".join(captions))
    _write(folder / f"tt{1_000_000 + number}" / "synopsis.txt", " ".join(retell(random, lines, 8)) + "\n")


def write_tiny(folder: Path, number: int) -> None:
    """Write one transcript of 12 turns and its recap."""
    _write_transcript(folder, number, np.random.default_rng([2, number]), 12, 6)


def write_episode(folder: Path, number: int) -> None:
    """Write one transcript of 2,000 turns and its recap."""
    _write_transcript(folder, number, np.random.default_rng([3, number]), 2000, 80)


_WRITERS: dict[Kind, Callable[[Path, int], None]] = {"films": write_film, "tiny": write_tiny, "episodes": write_episode}


def write_corpus(kind: Kind, count: int, folder: Path) -> None:
    """Write those of the units 0 to `count` - 1 that do not exist yet. An interrupted corpus is continued."""
    done = folder / f".{kind}-count"
    start = int(done.read_text()) if done.exists() else 0
    for number in range(start, count):
        _WRITERS[kind](folder, number)
        if number % 500 == 499:
            done.write_text(str(number + 1))
    done.write_text(str(max(start, count)))


def _write_transcript(folder: Path, number: int, random: np.random.Generator, turns: int, sentences: int) -> None:
    unit = f"S{number // 100 + 1:03d}E{number % 100 + 1:02d}"
    said = draw_sentences(random, turns, 12)
    people = random.integers(len(_PEOPLE), size=turns)
    lines = (f"{_PEOPLE[person]}: {text}" for person, text in zip(people, said, strict=True))
    _write(folder / "transcripts" / f"{unit}.txt", "\n\n".join(lines) + "\n")
    _write(folder / "recaps" / f"{unit}.md", f"# {unit}\n\n## Recap\n\n{' '.join(retell(random, said, sentences))}\n")


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},000"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
