"""Reads what a source says in JSON: a movie's title and cast list, gold links, and series (the format of the Friends corpus)."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from core.dataset.units import UNIT_ID
from core.dialogue import Turn
from core.errors import SourceError
from core.scripts.story import CastMember, GoldLink, Scene, Story

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # the escape of a surrogate, which is valid only in a pair
_META = 'an object such as {"title": "…", "year": "1999", "genres": ["Drama"]}'
_CAST = 'a list of objects such as {"actor": "…", "character": "…"}'
_MAX_NAME = 200  # characters; a longer text is not a name
_PARENTHESIS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_QUOTED = re.compile(r"(?<!\w)[\"“'‘]([^\"“”]{1,60}?)[\"”'’](?!\w)")
_OTHER_NAME = re.compile(r"\s*[/\\|]\s*|\s+a\.?k\.?a\.?\s+|\s+as\s+(?=[A-Z])", re.IGNORECASE)
_EDGES = " \t,;:/-–—"
_GOLD = 'a JSON object a line with "movie_id", "sent", "sent_idx", "scene_idx" (a list) and "n_scenes"'
_SERIES = 'an object with "episodes", each with "episode_id" and "scenes" (each with "utterances" and "plots")'


def _parse_json(name: str, text: str, expected: str) -> object:
    """Parse the JSON text of the file `name`; `expected` describes the right content, for messages."""
    try:
        value: object = json.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise SourceError(f"{name}: JSON nested too deeply; expected {expected}. Is this the right file?") from error
    except ValueError as error:  # JSONDecodeError, and integers with thousands of digits
        raise SourceError(f"{name}: not valid JSON ({error}); expected {expected}. Correct it or export it again") from error
    if _SURROGATE.search(text) is not None:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = rf"\u{ord(error.object[error.start]):04x}"
            raise SourceError(f"{name}: found the lone surrogate {half}; the text is damaged. Export the file again") from error
    return value


def _text_field(row: dict[str, object], key: str) -> str:
    """Return a field of an object as text on one line; "" if it is missing or neither a text nor a number."""
    value = row.get(key)
    if isinstance(value, str):
        return " ".join(value.split())
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def read_meta(name: str, text: str) -> tuple[str, str]:
    """Return the title and the year of `meta.json`, "" where one is missing or of the wrong type."""
    row = _parse_json(name, text, _META)
    if not isinstance(row, dict):
        raise SourceError(f"{name}: not a JSON object; expected {_META}. Correct the file, or remove it: it is optional")
    return _text_field(row, "title"), _text_field(row, "year")


def read_cast(name: str, text: str) -> tuple[CastMember, ...]:
    """Read a cast list from JSON: a list of objects with `actor` and `character`, or a list of names.

    The first name of an entry is the character's name (`Tony Stark / Iron Man`: Tony Stark). The other names are alter egos, and
    so are the variants of a nickname in quotes (`Robert "Bobby" Drake`: Bobby, Bobby Drake, Robert Drake). What stands in
    brackets is dropped: (voice), (as J. Doe). A character with several actors is one member.
    """
    rows = _parse_json(name, text, _CAST)
    if isinstance(rows, dict):
        rows = rows.get("cast", rows.get("characters"))
    if not isinstance(rows, list):
        raise SourceError(f"{name}: no list of characters; expected {_CAST}. Correct the file, or remove it: it is optional")
    same: dict[str, list[CastMember]] = {}
    for row in rows:
        entry = {"character": row} if isinstance(row, str) else row if isinstance(row, dict) else {}
        if (member := _read_character(_text_field(entry, "character"), _text_field(entry, "actor"))) is not None:
            same.setdefault(member.name.casefold(), []).append(member)
    return tuple(map(_merge, same.values()))


def _read_character(character: str, actor: str) -> CastMember | None:
    if len(character) > _MAX_NAME:
        return None
    parts = [" ".join(part.split()).strip(_EDGES) for part in _OTHER_NAME.split(_PARENTHESIS.sub(" ", character))]
    names = dict.fromkeys(name for part in parts for name in (part, *_expand_nickname(part)) if any(map(str.isalpha, name)))
    first, *others = names or [""]
    return CastMember(first, tuple(others), actor) if first else None


def _expand_nickname(name: str) -> list[str]:
    """Return the other names in `Robert "Bobby" Drake`: Robert Drake, Bobby Drake, Bobby; in `"Bud"`: Bud."""
    match = _QUOTED.search(name)
    if match is None:
        return []
    nickname, before, after = match[1].strip(_EDGES), name[: match.start()].strip(_EDGES), name[match.end() :].strip(_EDGES)
    return [f"{before} {after}" if before and after else "", f"{nickname} {after}".strip(), nickname]


def _merge(members: Sequence[CastMember]) -> CastMember:
    """Make one member of those with the same name."""
    alter_egos = dict.fromkeys(alter_ego for member in members for alter_ego in member.alter_egos)
    actors = [actor for member in members[:-1] for actor in member.actor.split(", ")]
    named = dict.fromkeys(actor for actor in (*actors, members[-1].actor) if actor)
    return replace(members[0], alter_egos=tuple(alter_egos), actor=", ".join(named))


def read_gold(name: str, text: str) -> tuple[GoldLink, ...]:
    """Read gold links from JSON Lines; scenes that are not integers of −1 or more are dropped.

    Each run of white space in a sentence becomes one space, as in `read_synopsis`, since sentences are matched by their text.
    """
    links = []
    for number, row_text in enumerate(text.split("\n"), start=1):
        if not row_text.strip():
            continue
        row = _parse_json(f"{name}, line {number:,}", row_text, _GOLD)
        if not isinstance(row, dict) or not (unit := _text_field(row, "movie_id")) or not (sentence := _text_field(row, "sent")):
            raise SourceError(f"{name}, line {number:,}: not a gold link; expected {_GOLD}. Correct the line")
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
                _text_field(row, "source"),
            )
        )
    return tuple(links)


def _is_index(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def list_episodes(name: str, text: str) -> tuple[str, ...]:
    """Return the ids of the episodes in a series file, in the file's order; each must be a valid unit id of its own."""
    ids: list[str] = []
    for number, row in enumerate(_episode_rows(name, text), start=1):
        unit = _text_field(row, "episode_id")
        if UNIT_ID.fullmatch(unit) is None:
            raise SourceError(
                f"{name}: episode {number:,} has the id {unit[:120]!r}; expected 1 to 100 of A-Z a-z 0-9 . _ -. Correct it"
            )
        ids.append(unit)
    if len(set(ids)) < len(ids):
        twice = sorted(unit for unit, count in Counter(ids).items() if count > 1)[:5]
        raise SourceError(f"{name}: found {', '.join(twice)} more than once; give every episode an id of its own")
    return tuple(ids)


def read_episode(name: str, text: str, unit: str) -> Story:
    """Read the episode `unit` of a series file.

    The synopsis holds the plots of all scenes in order, and the gold links each plot to the scene for which it was written. A
    series file names its speakers in full, so they are the cast.
    """
    place, row = f"{name}, {unit}", _find_episode(name, text, unit)
    rows = row.get("scenes")
    if not isinstance(rows, list) or not rows:
        raise SourceError(f'{place}: no scenes; expected a list "scenes". Add them or remove the episode')
    scenes: list[Scene] = []
    gold: list[GoldLink] = []
    turns: list[Turn] = []
    for index, scene_row in enumerate(rows):
        if not isinstance(scene_row, dict):
            raise SourceError(f'{place}: scene {index:,} is not an object; expected "utterances" and "plots". Correct it')
        scene = _read_scene(index, scene_row, len(turns))
        turns += scene.turns
        scenes.append(scene)
        gold += (
            GoldLink(unit, number, plot, (index,), index, len(rows), "plots")
            for number, plot in enumerate(_texts(scene_row.get("plots")), len(gold))
        )
    if not turns:
        raise SourceError(
            f'{place}: no dialogue in {len(scenes):,} scenes; expected utterances with "speakers" and "transcript". Add them'
        )
    if not gold:
        raise SourceError(f"{place}: no plots; expected sentences that tell what happens in its scenes")
    cast = tuple(CastMember(name) for name in dict.fromkeys(speaker for turn in turns for speaker in turn.speakers))
    sentences = tuple(link.sentence for link in gold)
    return Story(unit, "episode", _text_field(row, "title"), "", tuple(scenes), sentences, cast, tuple(gold))


def cut_episode(name: str, text: str, unit: str) -> str:
    """Return a series file with one of its episodes alone, so that what is stored of an episode holds no other's words."""
    return json.dumps({"episodes": [_find_episode(name, text, unit)]})


def _find_episode(name: str, text: str, unit: str) -> dict[str, object]:
    row = next((row for row in _episode_rows(name, text) if _text_field(row, "episode_id") == unit), None)
    if row is None:
        raise SourceError(f"{name}: no episode {unit}; the file has changed since it was listed. Run again")
    return row


def _episode_rows(name: str, text: str) -> list[dict[str, object]]:
    series = _parse_json(name, text, _SERIES)
    episodes = series.get("episodes") if isinstance(series, dict) else None
    if not isinstance(episodes, list) or not episodes or not all(isinstance(row, dict) for row in episodes):
        raise SourceError(f"{name}: no episodes; expected {_SERIES}. Correct the file or move it elsewhere")
    return episodes


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
        words, noted = _text_field(utterance, "transcript"), _text_field(utterance, "transcript_with_note")
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
