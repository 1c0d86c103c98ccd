"""The gold movies and episodes, and vectors that are kept between runs; `fabula evaluate scripts --gold` prints their rates."""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.scripts.config import ScriptsConfig, Weights
from core.scripts.evaluation import find_sentences
from core.scripts.json_files import list_episodes, read_cast, read_episode, read_gold
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.story import Story
from core.scripts.synopsis import read_synopsis
from core.text.sentences import split_by_rules
from infra.models.sentence_embedder import SentenceEmbedder
from lab.fitting.weights import GoldMovie, measure_movie

KEPT_BACK = (
    "die-hard", "moon-film", "panic-room", "soldier-1998-american-film", "the-breakfast-club",
    "the-last-temptation-of-christ-film", "the-silence-of-the-lambs-film", "total-recall-1990-film",
)  # fmt: skip
"""Films that nobody reads and nothing is chosen on: they are for measuring."""
GROUPS = ("friends", "tripod", "the-apartment", "juno-film")
NAMES = tuple(entry.name for entry in fields(Weights))


@dataclass(frozen=True)
class Unit:
    """A movie or episode with its gold links."""

    group: str
    name: str
    story: Story


class KeptVectors:
    """An `Embedder` that caches its vectors, in a folder if one is given."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._embed = folder, SentenceEmbedder()
        self._vectors: dict[str, NDArray[np.float32]] = {}
        if folder and (folder / "vectors.npz").is_file():
            with np.load(folder / "vectors.npz") as kept:
                self._vectors = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector per text. Only new texts are embedded."""
        keys = [hashlib.sha256(text.encode()).hexdigest()[:32] for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors}
        if missing:
            print(f"embedding {len(missing):,} texts", file=sys.stderr)
            self._vectors.update(zip(missing, self._embed(list(missing.values())), strict=True))
        return np.array([self._vectors[key] for key in keys])

    def keep(self) -> None:
        """Write the vectors to the folder, if one was given."""
        if self._folder:
            self._folder.mkdir(parents=True, exist_ok=True)
            vectors = np.array(list(self._vectors.values()))
            np.savez(self._folder / "vectors.npz", keys=np.array(list(self._vectors)), vectors=vectors)


def read_units(scripts: Path) -> Iterator[Unit]:
    for group in GROUPS[1:]:
        links = read_gold(group, (scripts / "gold" / f"{group}.jsonl").read_text("utf-8"))
        for movie in dict.fromkeys(link.unit for link in links):
            folder = scripts / "movies" / movie
            script = (folder / "script.txt").read_bytes().decode("utf-8", "replace")
            sentences = read_synopsis(movie, (folder / "synopsis.txt").read_text("utf-8"), split_by_rules)
            cast = folder / "cast.json"
            members = read_cast(movie, cast.read_text("utf-8")) if cast.is_file() else ()
            gold = tuple(link for link in links if link.unit == movie)
            story = Story(movie, "movie", movie, "", read_screenplay(movie, script), sentences, members, gold)
            yield Unit(group, f"{group}/{movie}", story)
    for path in sorted((scripts / "friends").glob("*.json")):
        text = path.read_text("utf-8")
        for name in list_episodes(path.name, text):
            yield Unit("friends", f"friends/{name}", read_episode(path.name, text, name))


def measure(units: Sequence[Unit], embed: KeptVectors, config: ScriptsConfig) -> list[GoldMovie]:
    return [
        measure_movie(unit.name, unit.group, unit.story, find_sentences(unit.story, unit.story.gold), embed, config, NAMES)
        for unit in units
    ]
