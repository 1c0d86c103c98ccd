"""Reads gold links: the scenes that each synopsis sentence describes, as annotators marked them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from core.errors import SourceError
from core.scripts.source_json import parse_json, text_field

_EXPECTED = 'a JSON object a line with "movie_id", "sent", "sent_idx", "scene_idx" (a list) and "n_scenes"'


@dataclass(frozen=True, slots=True)
class GoldLink:
    """A synopsis sentence and the scenes it describes.

    `sentence_index` is 0-based, or −1 if the gold does not say. `scenes` are strict indices in order; −1 is the text before the
    first heading. `primary` is the scene that the sentence describes most, None if the gold does not say. `scene_count` is the
    number of strict scenes in the annotators' script, 0 if unknown. `source` says who made the gold.
    """

    unit: str
    sentence_index: int
    sentence: str
    scenes: tuple[int, ...]
    primary: int | None = None
    scene_count: int = 0
    source: str = ""


def read_gold(name: str, text: str) -> tuple[GoldLink, ...]:
    """Read gold links from JSON Lines; `name` is the file's name, for messages.

    Scenes that are not integers of −1 or more are dropped. Rows without scenes are kept; evaluation leaves them out. Each run of
    white space in a sentence becomes one space, as in `read_synopsis`, since sentences are matched by their text.

    Raises:
        SourceError: a line is not a JSON object with the expected fields.
    """
    links = []
    for number, row_text in enumerate(text.split("\n"), start=1):
        if not row_text.strip():
            continue
        row = parse_json(f"{name}, line {number:,}", row_text, _EXPECTED)
        if not isinstance(row, dict) or not (unit := text_field(row, "movie_id")) or not (sentence := text_field(row, "sent")):
            raise SourceError(f"{name}, line {number:,}: not a gold link; expected {_EXPECTED}. Correct the line")
        scenes = row.get("scene_idx")
        indices = [index for index in scenes if _is_index(index) and index >= -1] if isinstance(scenes, list) else []
        primary, count, place = row.get("primary"), row.get("n_scenes"), row.get("sent_idx")
        links.append(
            GoldLink(
                unit,
                place if _is_index(place) else -1,
                sentence,
                tuple(sorted(set(indices))),
                primary if _is_index(primary) else None,
                count if _is_index(count) else 0,
                text_field(row, "source"),
            )
        )
    return tuple(links)


def find_nearest(name: str, names: Iterable[str]) -> tuple[str, bool]:
    """Return the most similar of some names, "" where there is none, and whether `name` is a misspelling of it.

    A misspelling differs in one letter, or in one of every twelve (a letter too many, too few or another, two neighbours
    exchanged), and not in its numbers: `s1_e02` is another episode than `s1_e01`.
    """
    found = process.extractOne(name, sorted(names), scorer=fuzz.ratio)
    if found is None:
        return "", False
    nearest: str = found[0]
    allowed = max(1, len(name) // 12)
    numbers = [re.findall(r"\d+", text) for text in (name, nearest)]
    return nearest, numbers[0] == numbers[1] and OSA.distance(name, nearest) <= allowed


def _is_index(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
