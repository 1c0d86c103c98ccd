"""Exports of forums and mail, turned into the lines that `formats` reads, before anything of them is stored.

A table has the forms that are JSON: Hacker News, Discourse, Lemmy. Each becomes a line for the post and a line for each comment.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from core.errors import SourceError
from core.records import list_entries, pick_field
from core.text.decoding import bound_values
from core.threads.deep_json import read_json
from core.threads.formats import PEOPLE, UNPLACED, is_page, list_children, read_identity
from core.threads.mail import MailReader
from core.threads.spoken import MARKS, is_spoken_file, list_spoken, open_spoken, write_records
from core.threads.stack_exchange import RowReader

Record = dict[str, Any]
DELETED = "[deleted]"
_AUTHORS = ("author", "user", "username", "name")


def unpack_page(content: bytes) -> list[bytes]:
    """Return the records of a `.json` file: a page of Reddit's API, a listing of posts, a list of trees, or an export.

    Records one a line, under a name that ends in `.json`, are taken too; so are the titles in ConvoKit's `conversations.json`.
    """
    try:
        bound_values(content)
    except ValueError as error:
        raise SourceError(str(error)) from error
    try:
        found = read_json(content)
    except SourceError:
        lines = [line for line in content.splitlines() if line.strip()]
        if len(lines) < 2 or not _is_record(lines[0]):
            raise
        return [record for line in lines for record in convert_line(line)]
    if told := list_spoken(found):
        return _encode([record for dialogue in told for record in write_records(dialogue)])
    children = [found]
    if isinstance(found, dict) and _find_reader(found) is None and all(isinstance(entry, dict) for entry in found.values()):
        titles = {name: entry.get("title") or dict(entry.get("meta") or {}).get("title") for name, entry in found.items()}
        children = [{"conversation_id": name, "title": title} for name, title in titles.items() if title]
        if not children and not all("meta" in entry for entry in found.values()):  # ConvoKit keeps them of talks without titles
            name, entry = next(iter(found.items()))
            shown = f"{len(found):,} objects by name, such as {name[:40]!r} with the fields {', '.join(entry)[:80]}"
            raise SourceError(f"found {shown}; expected posts, or dialogues of a known form (docs/threads.md)")
    elif isinstance(found, dict) and found.get("kind") == "Listing":
        children = [child for child in list_children(found) if child.get("kind") == "t3"]
    elif isinstance(found, list) and not is_page(found):
        children = found
    try:
        return [json.dumps(record).encode() for child in children for record in _convert(child)]
    except RecursionError as error:
        raise SourceError("nested too deep for a .json file; give the post as a line of a .jsonl file") from error


def open_converter(path: str) -> Callable[[bytes | None], list[bytes]]:
    """Return what makes records of the lines of a file, one after the other; None is the end of the file.

    A line of JSON is most often a record itself. A file of mail or of Stack Exchange is known by its name.
    """
    name = PurePosixPath(path)
    plain = name.name.lower().removesuffix(".gz").removesuffix(".zst")
    if plain.endswith(".json"):
        return lambda content: [] if content is None else unpack_page(content)
    if plain.endswith(".xml"):
        rows = RowReader(name.parent.name)
        return lambda line: _encode(rows(line))
    if is_spoken_file(path):
        read = open_spoken(path)
        return lambda line: _encode([record for dialogue in read(line) for record in write_records(dialogue)])
    if plain.endswith((".mbox", ".txt")):
        mail = MailReader(name.name.partition(".")[0] if plain.endswith(".mbox") else name.parent.name)
        return lambda line: _encode(mail(line))
    return convert_line


def convert_line(line: bytes | None) -> list[bytes]:
    """Return the records of a line of JSON, most often the line itself."""
    line = (line or b"").strip()
    if not any(mark in line for mark in (*_MARKS, *MARKS)):
        return [line] if line else []
    found = read_json(line)
    if told := list_spoken(found):
        return _encode([record for dialogue in told for record in write_records(dialogue)])
    records = _convert(found)
    return [line] if records == [found] else _encode(records)


def _encode(records: list[Record]) -> list[bytes]:
    return [json.dumps(record).encode() for record in records]


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(read_json(line), dict)
    except SourceError:
        return False


def _find_reader(found: Any) -> Callable[[Mapping[str, Any]], Iterator[Record]] | None:
    return next((read for _, is_form, read in _FORMS if is_form(found)), None) if isinstance(found, dict) else None


def _convert(found: Any) -> list[Any]:
    """Return the records of one JSON value; what is no export is a record itself."""
    read = _find_reader(found)
    return [found] if read is None else [*read(found)]


def _post(name: str, forum: Any, title: Any, text: Any, author: Any, **more: Any) -> Record:
    return {"id": name, "subreddit": forum, "title": title, "selftext": text, "author": author, **more}


def _comment(name: str, post: str, parent: str, text: Any, author: Any, **more: Any) -> Record:
    """Return a comment's record; `parent` is "" for the post itself."""
    return {"id": name, "link_id": post, "parent_id": parent or f"t3_{post}", "body": text, "author": author, **more}


def _read_item(item: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the post and the comments of an item of Hacker News, as hn.algolia.com gives it, with all that is below it."""
    known = item.get("story_id") is not None
    if not known and item.get("parent_id") is not None:
        raise SourceError("a comment that names no story; give the item of its story")
    story = f"hn-{read_identity(item, 'story_id' if known else 'id')}"
    waiting: list[tuple[Mapping[str, Any], str]] = [(item, "")]
    while waiting:
        each, parent = waiting.pop()
        name = f"hn-{read_identity(each, 'id')}"
        if name == story:
            is_text, forum = not each.get("url") or bool(each.get("text")), "Hacker News" if "created_at_i" in each else None
            yield _post(story, forum, each.get("title"), each.get("text"), each.get("author"), is_self=is_text)
        else:
            above = parent or f"hn-{read_identity(each, 'parent_id')}"
            yield _comment(name, story, "" if above == story else above, each.get("text") or DELETED, each.get("author"))
        waiting += [(child, name) for child in reversed(each.get("children") or []) if isinstance(child, dict)]


def _read_hits(page: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the stories and comments of a page of a search of Hacker News (`hn.algolia.com/api/v1/search`)."""
    for hit in page["hits"]:
        text = hit.get("comment_text") or hit.get("story_text")
        yield from _read_item({**hit, "id": hit.get("objectID"), "text": text, "children": []})


def _read_answers(post: Mapping[str, Any]) -> Iterator[Record]:
    """Yield a question and its answers, nested or as columns (ELI5), as datasets of forums have them."""
    name = read_identity({"id": pick_field(post, ("q_id", "question_id", "qid", "id"))}, "id")
    title, text = pick_field(post, ("title", "question")), pick_field(post, ("selftext", "text", "body", "question_body"))
    yield _post(name, pick_field(post, ("subreddit", "forum")), title, text, pick_field(post, _AUTHORS))
    waiting: list[tuple[Any, str, str]] = [(post["answers"], "", name)]
    while waiting:
        level, parent, above = waiting.pop()
        for number, answer in enumerate(list_entries(level), 1):
            fields = answer if isinstance(answer, dict) else {"text": answer}
            given = pick_field(fields, ("a_id", "answer_id", "id"))
            own = f"{above}.{number}" if given is None else read_identity({"id": given}, "id")
            said = pick_field(fields, ("text", "body", "answer", "content"))
            yield _comment(own, name, parent, DELETED if said is None else said, pick_field(fields, _AUTHORS))
            waiting.append((pick_field(fields, ("answers", "comments", "replies", "children")), own, own))


def _refuse_item(item: Mapping[str, Any]) -> Iterator[Record]:
    raise SourceError(f"item {item.get('id')} of Hacker News' own API, which names no story; get hn.algolia.com/api/v1/items/ID")


def _read_topic(topic: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the post and the comments of a topic of Discourse; notices of the forum's keepers are left out."""
    for post in topic["post_stream"].get("posts", []):
        number, topic_id = read_identity(post, "post_number"), f"topic-{read_identity(post, 'topic_id')}"
        if post.get("post_type", 1) != 1:
            continue
        gone = post.get("user_deleted") or post.get("hidden") or post.get("deleted_at")
        text = DELETED if gone else post.get("cooked", post.get("raw"))
        more = {PEOPLE: [post[field] for field in ("name", "display_username") if post.get(field)]}
        if number == "1":
            yield _post(topic_id, topic.get("category_name"), topic.get("title"), text, post.get("username"), **more)
            continue
        above = post.get("reply_to_post_number")
        parent = "" if above in (None, 1, "1") else f"{topic_id}.{above}"
        yield _comment(f"{topic_id}.{number}", topic_id, parent, text, post.get("username"), **more, **{UNPLACED: not parent})


def _list_views(page: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = [view for name in ("posts", "comments") if isinstance(views := page.get(name), list) for view in views]
    return [view for view in (page.get("post_view"), *listed) if isinstance(view, dict)]


def _read_lemmy(page: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the posts and comments of a reply of Lemmy's API: one post, a list of posts, or a list of comments."""
    for view in _list_views(page):
        said, creator, name = view.get("comment", view["post"]), view["creator"], f"lemmy-{read_identity(view['post'], 'id')}"
        text = DELETED if said.get("deleted") or said.get("removed") else said.get("content", said.get("body"))
        more = {"author": creator.get("name"), PEOPLE: [creator["display_name"]] if creator.get("display_name") else []}
        if "comment" in view:
            path = str(said.get("path", "")).split(".")  # `0.12.34`: comment 34 replies to 12, and that to the post
            yield _comment(f"lemmy-{read_identity(said, 'id')}", name, f"lemmy-{path[-2]}" if len(path) > 2 else "", text, **more)
        else:
            link = {"is_self": not said.get("url") or bool(text), "over_18": said.get("nsfw")}
            yield _post(name, view["community"].get("name"), said.get("name"), text, **link, **more)


def _is_search(hits: Any) -> bool:
    return isinstance(hits, list) and all(isinstance(hit, dict) and "objectID" in hit for hit in hits)


_FORMS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any]], Iterator[Record]]], ...] = (
    ("hits", lambda page: _is_search(page.get("hits")), _read_hits),
    ("children", lambda item: isinstance(item.get("children"), list), _read_item),
    ("answers", lambda post: isinstance(post.get("answers"), list | dict) and "comments" not in post, _read_answers),
    ("by", lambda item: "by" in item and "type" in item, _refuse_item),
    ("post_stream", lambda topic: isinstance(topic.get("post_stream"), dict), _read_topic),
    ("community", lambda page: any("community" in view for view in _list_views(page)), _read_lemmy),
)
"""A key that stands in each form, how it is told, and its reader."""
_MARKS = tuple(f'"{key}"'.encode() for key, _, _ in _FORMS)
