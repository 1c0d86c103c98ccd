"""Takes comments and people that are taken down out of a forum's records, before these are stored."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from core.dataset.takedown import Takedown, WithheldRecord
from core.errors import SourceError
from core.people.pseudonyms import digest_privately, pseudonymise
from core.threads.deep_json import read_json
from core.threads.formats import NAMELESS, PEOPLE, TAKEN_DOWN, list_parts, read_author, read_comment_text

_PLACES = ("id", "link_id", "conversation_id", "root", "reply_to", "reply-to")
"""Fields of a line that is a comment, by which it is found to be one of its post."""
_pseudonymise = lru_cache(maxsize=2**16)(pseudonymise)


def withhold_people(post: str, line: bytes, takedown: Takedown, key: bytes) -> WithheldRecord:
    """Return a record of a post without the comments that are taken down, by their ids or by their authors.

    Replies that stand inside such a comment go with it: no dialogue could use them. A mark in its place
    keeps its people's names: other comments may name them, and only known names become pseudonyms. A post whose author is taken
    down is out as a whole. A record with nothing on the list stays byte for byte as it is.

    Args:
        post: the post's id.
        line: the record.
        takedown: the list.
        key: makes the pseudonyms of authors, by which the list names people.
    """

    def find_person(author: Any) -> str:
        name = read_author(author)
        return "" if name is None else takedown.find(_pseudonymise(name, key))

    def find_comment(name: str) -> str:
        if (found := takedown.find_comment(post, name)) or not takedown.has_nameless:
            return found
        hidden = digest_privately(key, name.removeprefix("t1_"))  # an id that holds a name is published as a digest
        return takedown.find_comment(post, NAMELESS + hidden)

    if not takedown.has_parts:
        return WithheldRecord(line)
    record = read_json(line)
    try:
        own, comments = list_parts(record, key)
    except SourceError:
        own, comments = None, []  # whoever builds the post tells what is wrong with it
    if own is not None:
        others = record.get(PEOPLE, []) if isinstance(record, dict) else []
        if listed := next(filter(None, map(find_person, (own.get("author"), *others))), ""):
            return WithheldRecord(None, (listed,), unit=True)
    if own is None:
        people = list(_list_people(record))
        found = next(filter(None, (*map(find_person, people), *(find_comment(each.id) for each in comments))), "")
        if not found or not isinstance(record, dict):
            return WithheldRecord(line)
        kept = {name: record[name] for name in _PLACES if name in record}
        return WithheldRecord(json.dumps(kept | {TAKEN_DOWN: people}).encode(), (found,))
    nameless = {
        (each.author, each.text): find_comment(each.id)
        for each in comments
        if takedown.has_nameless and each.id.startswith(NAMELESS)
    }

    def judge(entry: Mapping[str, Any], place: str | None) -> str:
        data = entry["data"] if isinstance(entry.get("data"), dict) else entry
        name = data.get("id", data.get("sid", place))
        if "title" in data:  # a post, perhaps another one that this one repeats
            return find_person(data.get("author"))
        found = find_person(data.get("author")) or (find_comment(str(name)) if name is not None else "")
        return found or (nameless.get(_read_words(data), "") if name is None else "")

    listed_ids = _replace(record, judge)
    if not listed_ids:
        return WithheldRecord(line)
    try:
        return WithheldRecord(json.dumps(record).encode(), tuple(listed_ids))
    except RecursionError as error:
        raise SourceError(f"{post}: nested too deep to be stored without {listed_ids[0]}, so it stays out as a whole") from error


def _list_people(record: Any) -> Iterator[str]:
    """Yield the authors of all that stands in a record, each as often as he is named."""
    waiting = [record]
    while waiting:
        level = waiting.pop()
        if isinstance(level, dict):
            speaker = level.get("speaker", level.get("user"))
            others = level.get(PEOPLE)
            known = others if isinstance(others, list) else []
            for value in (level.get("author"), speaker.get("id") if isinstance(speaker, dict) else speaker, *known):
                if (name := read_author(value)) is not None:
                    yield name
        waiting += [entry for entry in (level.values() if isinstance(level, dict) else level) if isinstance(entry, dict | list)]


def _read_words(data: Mapping[str, Any]) -> tuple[str | None, str]:
    try:
        return read_author(data.get("author")), read_comment_text(data)
    except SourceError:
        return None, ""


def _replace(record: Any, judge: Callable[[Mapping[str, Any], str | None], str]) -> list[str]:
    """Put a mark in place of the objects, however deep inside, that are judged to be on the list; return the ids on the list."""
    listed: dict[str, None] = {}
    waiting = [record]
    while waiting:
        level = waiting.pop()
        for place, entry in list(level.items() if isinstance(level, dict) else enumerate(level)):
            if isinstance(entry, dict) and (found := judge(entry, place if isinstance(place, str) else None)):
                listed[found] = None
                mark = {TAKEN_DOWN: list(dict.fromkeys(_list_people(entry)))}
                level[place] = {"kind": entry.get("kind"), "data": mark} if isinstance(entry.get("data"), dict) else mark
            elif isinstance(entry, dict | list):
                waiting.append(entry)
    return list(listed)
