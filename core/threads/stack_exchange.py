"""Rows of a Stack Exchange dump as lines of a forum: a question is a post; answers, and comments on both, are comments.

`Comments.xml` names the question or the answer that a comment is on, and `Posts.xml` alone says which question that answer is of.
So the rows of `Posts.xml` come first, and those of `Users.xml` before them, for the names that texts may mention.

Reference: "Database schema documentation for the public data dump", meta.stackexchange.com/q/2677.
"""

from collections.abc import Mapping
from typing import Any

from core.dataset.units import make_unit_id
from core.errors import SourceError
from core.text.documents import parse_xml
from core.threads.formats import PEOPLE, PREFIX, UNPLACED, read_identity

BEFORE = {"posts.xml": ("users.xml",), "comments.xml": ("users.xml", "posts.xml")}
"""The files of a dump that are read, and for each those that come first."""
_MOST_BYTES = 2**20  # of a row
_LONGEST_SITE = 60
_QUESTION, _ANSWER = "1", "2"


class RowReader:
    """Makes records of the lines of a dump's files, a row each; `site` is the folder that they lie in."""

    def __init__(self, site: str) -> None:
        self._site = site
        self._prefix = (make_unit_id(site) or "se")[:_LONGEST_SITE]
        self._questions: dict[str, str] = {}  # of the answers
        self._names: dict[str, str] = {}  # of the users

    def __call__(self, line: bytes | None) -> list[dict[str, Any]]:
        """Return the record of a row; [] where it has none, or where a line has no row."""
        row = (line or b"").strip()
        if not row.startswith(b"<row "):
            if row.startswith((b"<posts", b"<comments", b"<users", b"</", b"<?xml", b"\xef\xbb\xbf<?xml")) or not row:
                return []
            raise SourceError("no row of a Stack Exchange dump; expected <row Id=… /> on a line of its own")
        found = {str(name): str(value) for name, value in parse_xml("a row", row, _MOST_BYTES).items()}
        if "PostTypeId" in found:
            return self._read_post(found)
        if "PostId" in found:
            return [self._read_comment(found)]
        if "DisplayName" in found:
            self._names[found.get("Id", "")] = found["DisplayName"]
        return []

    def _read_post(self, row: Mapping[str, str]) -> list[dict[str, Any]]:
        name, kind = read_identity(row, "Id"), row["PostTypeId"]
        words = {"author": None, **self._find_author(row, "OwnerUserId", "OwnerDisplayName")}
        if kind == _QUESTION:
            post = {"id": self._name(name), "subreddit": self._site, "title": row.get("Title", "")}
            return [post | {"selftext": row.get("Body", ""), **words}]
        if kind != _ANSWER:  # wiki pages of tags, and the like
            return []
        question = self._questions[name] = read_identity(row, "ParentId")
        return [self._answer(question, f"a{name}", None, row.get("Body", "")) | words]

    def _read_comment(self, row: Mapping[str, str]) -> dict[str, Any]:
        on, name = read_identity(row, "PostId"), read_identity(row, "Id")
        words = self._find_author(row, "UserId", "UserDisplayName")
        question = self._questions.get(on)
        told = self._answer(question or on, f"c{name}", f"a{on}" if question else None, row.get("Text", ""))
        return told | words | {UNPLACED: True}

    def _answer(self, question: str, name: str, above: str | None, text: str) -> dict[str, Any]:
        parent = above or PREFIX + self._name(question)
        return {"id": name, "link_id": self._name(question), "parent_id": parent, "body": text}

    def _name(self, question: str) -> str:
        return f"{self._prefix}-{question}"

    def _find_author(self, row: Mapping[str, str], number: str, shown: str) -> dict[str, Any]:
        """Return the author, whose number tells him apart where two have one name, and the names that he goes by."""
        user, told = row.get(number, ""), row.get(shown, "")
        names = [name for name in dict.fromkeys((told, self._names.get(user, ""))) if name]
        return {"author": f"user{user}" if user else told or None, PEOPLE: names}
