"""The films and episodes with gold, and those read for these benchmarks: `films.tsv` has their scenes by sentences, no text."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from core.errors import ConfigError, SourceError
from core.scripts.config import ScriptsConfig
from core.scripts.json_files import list_episodes, read_cast, read_episode, read_gold
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.story import GoldLink, Story
from core.scripts.synopsis import read_synopsis
from core.text.decoding import decode_text
from core.text.sentences import SentenceSplitter, make_splitter, split_by_rules
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.store.objects import Store
from lab.corpora import find_corpora
from lab.readings.episodes import hash_sentence

READ_FILMS = Path(__file__).with_name("films.tsv")
HELD_OUT = Path(__file__).with_name("films_held_out.tsv")
"""Films that were read and choose nothing."""
KEPT_BACK = (
    "die-hard", "moon-film", "panic-room", "soldier-1998-american-film", "the-breakfast-club",
    "the-last-temptation-of-christ-film", "the-silence-of-the-lambs-film", "total-recall-1990-film",
)  # fmt: skip
"""Films that nobody reads and nothing is chosen on: they are for measuring."""
MOVIES = ("tripod", "the-apartment", "juno-film")
GROUPS = ("friends", *MOVIES)
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
    movies = find_corpora() / "scripts" / "movies"
    if not movies.is_dir():
        raise ConfigError(f"{movies} is no folder; expected the movies' folders there: set FABULA_CORPORA to the corpora")
    return movies


def read_stories(
    movies: Path, config: ScriptsConfig, readings: Readings | None = None
) -> Iterator[tuple[Story, dict[int, tuple[int, ...]]]]:
    """Yield the films read (None: all that choose), each with the positions of the scenes that tell each of its sentences.

    Raises SourceError where a script or synopsis is read otherwise now.
    """
    for film, (n_scenes, read) in (read_readings() if readings is None else readings).items():
        story = read_film(movies / film, make_splitter(config.synopsis.splitter), config.screenplays)
        missing = [sentence for sentence in story.sentences if hash_sentence(sentence) not in read]
        if len(story.scenes) != n_scenes or missing:
            raise SourceError(
                f"{film}: found {len(story.scenes)} scenes, and {len(missing)} of {len(story.sentences)} sentences that were not "
                f"read; expected {n_scenes} scenes and none. The parser or the splitter has changed: read the film again"
            )
        yield story, {place: read[hash_sentence(sentence)] for place, sentence in enumerate(story.sentences)}


def read_film(
    folder: Path, split: SentenceSplitter, config: ScreenplayConfig | None = None, gold: tuple[GoldLink, ...] = ()
) -> Story:
    """Return a film from its folder: the script, the synopsis, and the cast where there is a list of it."""
    film, cast = folder.name, folder / "cast.json"
    scenes = read_screenplay(film, decode_text(film, (folder / "script.txt").read_bytes()), config)
    sentences = read_synopsis(film, (folder / "synopsis.txt").read_text("utf-8"), split)
    members = read_cast(film, cast.read_text("utf-8")) if cast.is_file() else None
    return Story(film, "movie", film, "", scenes, sentences, members, gold)


def open_embedder(folder: Path | None) -> StoredEmbedder:
    """Return the packaged embedder, which embeds a text once: its vectors are kept in a folder, or in memory without one."""
    return StoredEmbedder(Store(str(folder) if folder else "memory://vectors"), "scripts", "read", SentenceEmbedder())


def read_units(scripts: Path) -> Iterator[tuple[str, Story]]:
    """Yield the movies and episodes with gold links, each with its name: GROUP/MOVIE."""
    for group in MOVIES:
        links = read_gold(group, (scripts / "gold" / f"{group}.jsonl").read_text("utf-8"))
        for movie in dict.fromkeys(link.unit for link in links):
            gold = tuple(link for link in links if link.unit == movie)
            yield f"{group}/{movie}", read_film(scripts / "movies" / movie, split_by_rules, gold=gold)
    for path in sorted((scripts / "friends").glob("*.json")):
        text = path.read_text("utf-8")
        for name in list_episodes(path.name, text):
            yield f"friends/{name}", read_episode(path.name, text, name)
