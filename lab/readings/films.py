"""Reads `films.tsv`: the scenes that synopsis sentences tell of, in films read for these benchmarks, without any text."""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from core.errors import ConfigError, SourceError
from core.scripts.config import ScriptsConfig
from core.scripts.json_files import read_cast
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.similarities import measure_similarities, named_weights
from core.scripts.story import Story
from core.scripts.synopsis import read_synopsis
from core.similarity.cosine import Embedder
from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from lab.fitting.weights import GoldMovie
from lab.readings.episodes import hash_sentence

READ_FILMS = Path(__file__).with_name("films.tsv")
HELD_OUT = Path(__file__).with_name("films_held_out.tsv")
"""Films that were read and choose nothing."""
Readings = Mapping[str, tuple[int, Mapping[str, tuple[int, ...]]]]


def read_readings(path: Path = READ_FILMS) -> Readings:
    """Return each film's number of scenes, and by the hash of a sentence the positions of the scenes that tell it (or none)."""
    readings: dict[str, tuple[int, dict[str, tuple[int, ...]]]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            scenes = tuple(int(scene) for scene in row["scenes"].split(",") if scene)
            readings.setdefault(row["film"], (int(row["n_scenes"]), {}))[1][row["sentence"]] = scenes
    return readings


def choose_readings(names: Iterable[str] | None = None, path: Path = READ_FILMS) -> Readings:
    """Return the readings of the films named, of all films of `path` where none is."""
    readings = read_readings(path)
    names = list(names or readings)
    if unknown := sorted(set(names) - set(readings)):
        raise ConfigError(f"not among the films that were read: {', '.join(unknown)}; expected some of {', '.join(readings)}")
    return {film: readings[film] for film in readings if film in names}


def find_movies() -> Path:
    """Return the folder of the movies of the corpora."""
    corpora = os.environ.get("FABULA_CORPORA")
    if not corpora:
        raise ConfigError("FABULA_CORPORA is not set: set it to the folder of the corpora, which has scripts/movies")
    movies = Path(corpora) / "scripts" / "movies"
    if not movies.is_dir():
        raise ConfigError(f"{movies} is no folder; expected the movies' folders there: set FABULA_CORPORA to the corpora")
    return movies


def measure_readings(
    movies: Path, embed: Embedder, config: ScriptsConfig, readings: Readings | None = None
) -> Iterator[GoldMovie]:
    """Yield the films read, with their similarities; a scene's strict index is its position here."""
    for film, (n_scenes, read) in (read_readings() if readings is None else readings).items():
        story = read_story(movies / film, n_scenes, read, config)
        names = named_weights(config.alignment.weights)
        similarities = measure_similarities(story, embed, names, config)
        gold = {place: read[hash_sentence(sentence)] for place, sentence in enumerate(story.sentences)}
        yield GoldMovie(f"read/{film}", "read", similarities, np.arange(n_scenes), n_scenes, gold)


def read_story(folder: Path, n_scenes: int, read: Mapping[str, tuple[int, ...]], config: ScriptsConfig) -> Story:
    """Return a film that was read, from its folder."""
    film = folder.name
    scenes = read_screenplay(film, decode_text(film, (folder / "script.txt").read_bytes()), config.screenplays)
    sentences = read_synopsis(film, (folder / "synopsis.txt").read_text("utf-8"), make_splitter(config.synopsis.splitter))
    missing = [sentence for sentence in sentences if hash_sentence(sentence) not in read]
    if len(scenes) != n_scenes or missing:
        raise SourceError(
            f"{film}: found {len(scenes)} scenes, and {len(missing)} of {len(sentences)} sentences that were not read; "
            f"expected {n_scenes} scenes and none. The parser or the splitter has changed: read the film again"
        )
    cast = folder / "cast.json"
    members = read_cast(film, cast.read_text("utf-8")) if cast.is_file() else None
    return Story(film, "movie", film, "", scenes, sentences, members)
