"""CRD3's own repository (`cleaned data/`, `aligned data/c=N/`, lists of the splits): read, and its alignments computed again."""

import json
import re
from pathlib import Path
from typing import Any

from core.errors import ConfigError, SourceError
from core.text.tokens import make_tokenizer
from core.transcripts.reproduction import (
    EpisodeReproduction,
    PublishedChunking,
    PublishedPair,
    PublishedTurn,
    reproduce_alignments,
)
from infra.models.wordnet import read_nouns

_ALIGNED = re.compile(r"(?P<episode>[A-Za-z0-9][A-Za-z0-9.-]*)_(?P<size>\d+)_(?P<offset>\d+)\.json")
_SPLIT_FILES = {"train": "train_files", "validation": "val_files", "test": "test_files"}
_EXPECTED = "expected CRD3's layout: 'cleaned data/C1E001.json', 'aligned data/c=2/C1E001_2_0.json', 'aligned data/train_files'"
_LARGEST = 256 * 2**20  # bytes; published files with their turns have up to 5 MB


def list_episodes(root: Path) -> list[str]:
    """Return the episodes with published alignments, sorted. Raises ConfigError where `root` is not laid out as CRD3's data."""
    for folder in ("cleaned data", "aligned data"):
        if not (root / folder).is_dir():
            raise ConfigError(f"{root} has no folder '{folder}': {_EXPECTED}")
    names = (_ALIGNED.fullmatch(path.name) for path in (root / "aligned data").glob("c=*/*.json"))
    episodes = sorted({name["episode"] for name in names if name})
    if not episodes:
        raise ConfigError(f"{root / 'aligned data'} has no alignments: {_EXPECTED}")
    return episodes


def read_split(root: Path) -> dict[str, tuple[str, ...]]:
    """Return the published split: the episodes of train, validation and test. Raises ConfigError where a list is missing."""
    split = {}
    for name, file in _SPLIT_FILES.items():
        path = root / "aligned data" / file
        try:
            split[name] = tuple(path.read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} cannot be read ({error}): expected one episode a line") from error
    return split


def read_turns(root: Path, episode: str) -> list[PublishedTurn]:
    """Return the cleaned turns of an episode. Raises SourceError, naming the file, where it is missing or malformed."""
    path = root / "cleaned data" / f"{episode}.json"
    data = _read_json(path)
    try:
        return [PublishedTurn(tuple(turn["NAMES"]), " ".join(turn["UTTERANCES"])) for turn in data["TURNS"]]
    except (KeyError, TypeError) as error:
        raise SourceError(f"{path}: not CRD3's cleaned data ({error!r}): expected TURNS with NAMES and UTTERANCES") from error


def read_chunkings(root: Path, episode: str) -> list[PublishedChunking]:
    """Return the published chunkings of an episode, by size and offset; files may leave out TURNS, and empty ones are skipped."""
    paths = (root / "aligned data").glob(f"c=*/{episode}_*.json")
    named = [(name, path) for path in paths if (name := _ALIGNED.fullmatch(path.name)) and name["episode"] == episode]
    chunkings = [PublishedChunking(int(name["size"]), int(name["offset"]), _read_pairs(path)) for name, path in named]
    return sorted((chunking for chunking in chunkings if chunking.pairs), key=lambda chunking: (chunking.size, chunking.offset))


def _read_pairs(path: Path) -> tuple[PublishedPair, ...]:
    data = _read_json(path)
    try:
        return tuple(_pair(entry["CHUNK"], entry["ALIGNMENT"]) for entry in data)
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(f"{path}: not a CRD3 alignment ({error!r}): expected a list of CHUNK and ALIGNMENT") from error


def _pair(chunk: Any, alignment: dict[str, Any]) -> PublishedPair:
    if not isinstance(chunk, str):
        raise TypeError("CHUNK is no string")
    start, end = int(alignment["TURN START"]), int(alignment["TURN END"])
    return PublishedPair(chunk, start, end, float(alignment["ALIGNMENT SCORE"]))


def _read_json(path: Path) -> Any:
    try:
        if path.stat().st_size > _LARGEST:
            raise SourceError(f"{path}: larger than {_LARGEST >> 20} MB, too large for a file of CRD3")
        return json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise SourceError(f"{path} is missing: {_EXPECTED}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise SourceError(f"{path} cannot be read as JSON: {error}") from error


def reproduce_episode(root: str | Path, episode: str, wordnet: str | Path | None = None) -> EpisodeReproduction:
    """Recompute the published alignments of an episode under `root`, by WordNet's noun files (None: where they usually are)."""
    tokenizer = make_tokenizer("tweet-lemmas", read_nouns(wordnet))
    return reproduce_alignments(episode, read_turns(Path(root), episode), read_chunkings(Path(root), episode), tokenizer)
