"""Reads series from JSON (the format of the Friends corpus): episodes with scenes, full speaker names and a plot per scene."""

import json
from collections import Counter
from dataclasses import dataclass

from core.dataset.units import UNIT_ID
from core.dialogue import Turn
from core.errors import SourceError
from core.scripts.gold import GoldLink
from core.scripts.scenes import Scene
from core.scripts.source_json import parse_json, text_field

_EXPECTED = 'an object with "episodes", each with "episode_id" and "scenes" (each with "utterances" and "plots")'
_MAX_LISTED = 5


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode: its scenes, the synopsis to align, and its gold.

    `synopsis` holds the plots of all scenes in order. `gold` links each plot to the scene for which it was written. `summary` is
    the episode's own shorter summary; it has no gold.
    """

    id: str
    title: str
    scenes: tuple[Scene, ...]
    synopsis: tuple[str, ...]
    gold: tuple[GoldLink, ...]
    summary: str


def list_episodes(name: str, text: str) -> tuple[str, ...]:
    """Return the ids of the episodes in a series file, in the file's order; `name` is the file's name, for messages.

    Raises:
        SourceError: the file is not a series file or has no episode, or an id is missing, invalid or not unique.
    """
    ids: list[str] = []
    for number, row in enumerate(_episode_rows(name, text), start=1):
        unit = text_field(row, "episode_id")
        if UNIT_ID.fullmatch(unit) is None:
            raise SourceError(
                f"{name}: episode {number:,} has the id {unit[:120]!r}; expected 1 to 100 of A-Z a-z 0-9 . _ -. Correct it"
            )
        ids.append(unit)
    if len(set(ids)) < len(ids):
        twice = sorted(unit for unit, count in Counter(ids).items() if count > 1)[:_MAX_LISTED]
        raise SourceError(f"{name}: found {', '.join(twice)} more than once; give every episode an id of its own")
    return tuple(ids)


def read_episode(name: str, text: str, unit: str) -> Episode:
    """Read the episode `unit` of a series file; `name` is the file's name, for messages.

    Raises:
        SourceError: the file has no such episode, or the episode has no dialogue.
    """
    for row in _episode_rows(name, text):
        if text_field(row, "episode_id") == unit:
            return _read_episode(f"{name}, {unit}", unit, row)
    raise SourceError(f"{name}: no episode {unit}; the file has changed since it was listed. Run again")


def cut_episode(name: str, text: str, unit: str) -> str:
    """Return a series file with one of its episodes alone, so that what is stored of an episode holds no other's words.

    Raises:
        SourceError: the file has no such episode.
    """
    rows = [row for row in _episode_rows(name, text) if text_field(row, "episode_id") == unit]
    if not rows:
        raise SourceError(f"{name}: no episode {unit}; the file has changed since it was listed. Run again")
    return json.dumps({"episodes": rows})


def _episode_rows(name: str, text: str) -> list[dict[str, object]]:
    series = parse_json(name, text, _EXPECTED)
    episodes = series.get("episodes") if isinstance(series, dict) else None
    if not isinstance(episodes, list) or not episodes or not all(isinstance(row, dict) for row in episodes):
        raise SourceError(f"{name}: no episodes; expected {_EXPECTED}. Correct the file or move it elsewhere")
    return episodes


def _read_episode(place: str, unit: str, row: dict[str, object]) -> Episode:
    rows = row.get("scenes")
    if not isinstance(rows, list) or not rows:
        raise SourceError(f'{place}: no scenes; expected a list "scenes". Add them or remove the episode')
    scenes: list[Scene] = []
    synopsis: list[str] = []
    gold: list[GoldLink] = []
    turns = 0
    for index, scene_row in enumerate(rows):
        if not isinstance(scene_row, dict):
            raise SourceError(f'{place}: scene {index:,} is not an object; expected "utterances" and "plots". Correct it')
        scene = _read_scene(index, scene_row, turns)
        turns += len(scene.turns)
        scenes.append(scene)
        for plot in _texts(scene_row.get("plots")):
            gold.append(GoldLink(unit, len(synopsis), plot, (index,), index, len(rows), "plots"))
            synopsis.append(plot)
    if not turns:
        raise SourceError(
            f'{place}: no dialogue in {len(scenes):,} scenes; expected utterances with "speakers" and "transcript". Add them'
        )
    return Episode(unit, text_field(row, "title"), tuple(scenes), tuple(synopsis), tuple(gold), text_field(row, "summary"))


def _read_scene(index: int, row: dict[str, object], first_turn: int) -> Scene:
    """Read one scene. An utterance without speech is narration; if it comes first and is in brackets, it is the heading."""
    turns: list[Turn] = []
    narration: list[str] = []
    places: list[int] = []
    spoken: list[str] = []
    heading = ""
    utterances = row.get("utterances")
    for place, utterance in enumerate(utterances if isinstance(utterances, list) else []):
        if not isinstance(utterance, dict):
            continue
        words, noted = text_field(utterance, "transcript"), text_field(utterance, "transcript_with_note")
        speakers = _texts(utterance.get("speakers"))
        if words and any(map(str.isalnum, words)):
            number = first_turn + len(turns)
            turns.append(Turn(number, speakers, (words,), ", ".join(speakers), noted or words))
            spoken.append(noted if noted != words else "")
        elif place == 0 and noted.startswith("["):
            heading = noted
        elif noted or words:
            narration.append(noted or words)
            places.append(len(turns))
    return Scene(index, index, heading, tuple(turns), tuple(narration), tuple(places), tuple(spoken))


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        return ()
    return tuple(text for value in values if isinstance(value, str) and (text := " ".join(value.split())))
