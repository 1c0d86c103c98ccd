"""Finds and reads WordNet's noun files, which the `tweet-lemmas` tokeniser needs."""

import hashlib
import os
from functools import lru_cache
from pathlib import Path

from core.errors import ConfigError
from core.text.tokens import NounDictionary, parse_noun_exceptions, parse_noun_index
from infra.named_files import read_named, read_named_text

DEBIAN_FOLDER = Path("/usr/share/wordnet")
REMEDY = "install them with `apt-get install wordnet-base`, name their folder with --wordnet DIR, or set WNSEARCHDIR"


def find_wordnet(folder: str | Path | None = None) -> Path:
    """Return the folder of the WordNet database files: `folder` if given, else $WNSEARCHDIR, else `DEBIAN_FOLDER`."""
    found = Path(folder or os.environ.get("WNSEARCHDIR") or DEBIAN_FOLDER)
    missing = [name for name in ("index.noun", "noun.exc") if not (found / name).is_file()]
    if missing:
        raise ConfigError(f"WordNet's noun files are needed, but {found} has no {' and no '.join(missing)}; {REMEDY}")
    return found


def read_nouns(folder: str | Path | None = None) -> NounDictionary:
    """Return the nouns of the WordNet database that `find_wordnet` finds."""
    return _read_database(find_wordnet(folder).resolve())


@lru_cache(maxsize=2)  # a worker reads the database once, not for every episode
def _read_database(folder: Path) -> NounDictionary:
    index, exceptions = folder / "index.noun", folder / "noun.exc"
    texts = [read_named_text(path, "WordNet's file", REMEDY) for path in (index, exceptions)]
    nouns = NounDictionary(parse_noun_index(texts[0]), parse_noun_exceptions(texts[1]))
    if "dog" not in nouns.lemmas:
        raise ConfigError(f"{index} is not a WordNet noun index (no entry for 'dog'): {REMEDY}")
    if nouns.exceptions.get("wolves") != ("wolf",):
        raise ConfigError(f"{exceptions} is not WordNet's list of irregular nouns (no entry for 'wolves'): {REMEDY}")
    return nouns


def checksum_nouns(folder: str | Path | None = None) -> str:
    """Return the SHA-256 of the noun files that `read_nouns` reads, for fingerprints."""
    return _checksum(find_wordnet(folder).resolve())


@lru_cache(maxsize=2)
def _checksum(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in ("index.noun", "noun.exc"):
        digest.update(read_named(folder / name, "WordNet's file", REMEDY))
    return digest.hexdigest()
