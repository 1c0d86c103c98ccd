"""The people of a run: who is known before any transcript is read, from the tables of speakers and the settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.speakers import Alias, parse_alias_table
from core.transcripts.people import People, know_people
from infra.pseudonym_key import read_pseudonym_key
from infra.store.objects import Store


@dataclass(frozen=True, slots=True)
class SharedNames:
    """What all episodes share: the texts of the alias tables, and what identifies the key of pseudonyms ("": there are none)."""

    tables: tuple[str, ...]
    key: str = ""


def find_people(store: Store, config: TranscriptsConfig, tables: Sequence[str], expected: str | None = None) -> People | None:
    """Return whom the tables and the settings name, None where names stay; errors as in `read_pseudonym_key`."""
    if not config.cleaning.pseudonyms:
        return None
    rows = [(row.label, row.speakers) for text in tables for row in read_aliases(text)]
    return know_people(read_pseudonym_key(store, expected), rows, config)


@lru_cache(maxsize=8)  # a worker builds many episodes, and parses a table once
def read_aliases(text: str) -> tuple[Alias, ...]:
    """Return the rows of an alias table."""
    return parse_alias_table("speakers.tsv", text)
