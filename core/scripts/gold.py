"""Gold: which scenes a synopsis sentence describes, as people have read it."""

from dataclasses import dataclass
from typing import TypeGuard

from core.errors import SourceError
from core.scripts.source_json import parse_json, text_field

_EXPECTED = 'a JSON object a line with "movie_id", "sent", "sent_idx", "scene_idx" (a list) and "n_scenes"'


@dataclass(frozen=True, slots=True)
class GoldLink:
    """A synopsis sentence and the scenes it describes.

    `sentence_index` is 0-based. `scenes` count by the strict index (−1: before the first heading), in order; `primary` is the one
    it describes most, None where the gold does not say. `scene_count` is the number of strict scenes that the gold was made with
    (0: unknown), `source` who made it.
    """

    unit: str
    sentence_index: int
    sentence: str
    scenes: tuple[int, ...]
    primary: int | None = None
    scene_count: int = 0
    source: str = ""


def read_gold(name: str, text: str) -> tuple[GoldLink, ...]:
    """Read gold links, a JSON object a line; `name` is the file's. Rows without scenes are kept (evaluation leaves them out).

    What is no scene (no number, below −1) is dropped. Sentences have their white space made single, as those of `read_synopsis`
    have: they are matched by text.

    Raises:
        SourceError: a line is no such object.
    """
    links = []
    for number, row_text in enumerate(text.split("\n"), start=1):
        if not row_text.strip():
            continue
        row = parse_json(f"{name}, line {number:,}", row_text, _EXPECTED)
        if not isinstance(row, dict) or not (unit := text_field(row, "movie_id")) or not (sentence := text_field(row, "sent")):
            raise SourceError(f"{name}, line {number:,}: no gold link; expected {_EXPECTED}. Correct the line")
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


def _is_index(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
