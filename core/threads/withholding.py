"""Takes comments and people that are taken down out of a forum's records, before these are stored."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from core.errors import SourceError
from core.people.pseudonyms import digest_privately, pseudonymise
from core.takedown import Takedown, WithheldRecord
from core.threads.deep_json import read_json
from core.threads.fields import read_author, read_comment_text
from core.threads.formats import NAMELESS, list_parts
from core.threads.posts import Comment


def withhold_people(post: str, line: bytes, takedown: Takedown, key: bytes) -> WithheldRecord:
    """Return a record of a post without the comments that are taken down, by their ids or by their authors.

    Replies that stand inside such a comment go with it: no dialogue could use them. A post whose author is taken down is out as a
    whole. A record with nothing on the list stays byte for byte as it is.

    Args:
        post: the post's id.
        line: the record.
        takedown: the list.
        key: makes the pseudonyms of authors, by which the list names people.

    Raises:
        SourceError: the record is no JSON, or nested too deep to be written without a comment.
    """

    def find_person(author: Any) -> str:
        name = read_author(author)  # an author may stand as a pseudonym already
        return "" if name is None else takedown.find(pseudonymise(name, key)) or takedown.find(name)

    def find_id(name: str) -> str:  # an id that holds a name is published as a digest
        return takedown.find_comment(post, name) or takedown.find_comment(post, NAMELESS + digest_privately(key, name))

    def find_comment(comment: Comment) -> str:
        return find_person(comment.author) or find_id(comment.id)

    record = read_json(line)
    try:
        own, comments = list_parts(record, key)
    except SourceError:
        own, comments = None, []  # whoever builds the post tells what is wrong with it
    if own is not None and (listed := find_person(own.get("author"))):
        return WithheldRecord(None, (listed,), unit=True)
    if own is None:
        found = [*map(find_comment, comments), *(map(find_person, _list_authors(record)) if isinstance(record, dict) else ())]
        if listed := next(filter(None, found), ""):
            return WithheldRecord(None, (listed,))
        return WithheldRecord(line)
    nameless = {(each.author, each.text): find_comment(each) for each in comments if each.id.startswith(NAMELESS)}

    def judge(entry: Mapping[str, Any], place: str | None) -> str:
        data = entry["data"] if isinstance(entry.get("data"), dict) else entry
        name = data.get("id", data.get("sid", place))
        if "title" in data:  # a post, perhaps another one that this one repeats
            return find_person(data.get("author"))
        found = find_person(data.get("author")) or (find_id(str(name).removeprefix("t1_")) if name is not None else "")
        return found or (nameless.get(_read_words(data), "") if name is None else "")

    listed_ids = _remove(record, judge)
    if not listed_ids:
        return WithheldRecord(line)
    try:
        return WithheldRecord(json.dumps(record).encode(), tuple(listed_ids))
    except RecursionError as error:
        raise SourceError(f"{post}: nested too deep to be stored without {listed_ids[0]}, so it stays out as a whole") from error


def _list_authors(record: Mapping[str, Any]) -> Iterator[Any]:
    speaker = record.get("speaker", record.get("user"))
    yield from (record.get("author"), speaker.get("id") if isinstance(speaker, dict) else speaker)


def _read_words(data: Mapping[str, Any]) -> tuple[str | None, str]:
    try:
        return read_author(data.get("author")), read_comment_text(data)
    except SourceError:
        return None, ""


def _remove(record: Any, judge: Callable[[Mapping[str, Any], str | None], str]) -> list[str]:
    """Remove the objects, however deep inside, that are judged to be on the list; return the ids on the list."""
    listed: dict[str, None] = {}
    waiting = [record]
    while waiting:
        level = waiting.pop()
        entries = list(level.items() if isinstance(level, dict) else enumerate(level))
        for place, entry in reversed(entries):
            if isinstance(entry, dict) and (found := judge(entry, place if isinstance(place, str) else None)):
                listed[found] = None
                del level[place]
            elif isinstance(entry, dict | list):
                waiting.append(entry)
    return list(listed)
