"""Mail of an mbox file as lines of a forum: a mail that answers none is a post, and its answers are comments.

What a mail quotes, its signature, and what lists and old programs append are left out.
"""

import email
import hashlib
import re
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr
from typing import Any

from core.errors import SourceError
from core.people.names import drop_mail_headers
from core.threads.formats import PEOPLE, PREFIX

_MOST_BYTES = 2**20
"""Bytes of a mail that are read; the text stands before what is attached."""
_LONGEST_HEADER = 50_000
_LONGEST_DECODED = 2_000
_BEGINS = re.compile(rb"From .*\d\d:\d\d.*\d{4}(?: [+-]\d{4})?\s*")
_ESCAPED = re.compile(rb"(?m)^>(?=>*From )")
_NAME = re.compile(r"<[^<>\s]{1,900}>")
_ANSWER = re.compile(r"\s*(?:(?:(?:re|aw|sv|antw|fwd?)(?:\[\d+\])?\s*:|\[[^\[\]]{1,40}\](?=\s*\S))\s*)+", re.IGNORECASE)
"""What mail programs and lists write before a subject: `Re:`, `[list]`."""
_ATTRIBUTION = re.compile(r"(?m)^(?!>)[^\n]{0,200}\b(?:wrote|writes|said|schrieb)\b[^\n]{0,40}:[^\S\n]*\n\s*(?=>)")
"""The line above a quotation that says whose it is."""
_HIDDEN_AT = re.compile(r"(?<=\S) at (?=\S+\.)")  # archives write `greta at example.org`
_END = re.compile(
    r"(?m)^(?:-- ?|_{20,}|-{5,} ?(?:next part|original message|forwarded message)\b.*|_{5,}\s*From:.*)$", re.IGNORECASE
)


class MailReader:
    """Makes records of the lines of an mbox file; `forum` is what its posts are of."""

    def __init__(self, forum: str) -> None:
        self._forum = forum
        self._lines: list[bytes] = []
        self._size = 0
        self._blank = True
        self._roots: dict[str, str] = {}  # of the mails so far, by the digests of their ids
        self._people: dict[str, str] = {}  # the first name of each address

    def __call__(self, line: bytes | None) -> list[dict[str, Any]]:
        """Return the record of the mail that a line ends, if it ends one; None is the end of the file."""
        if line is not None and not (self._blank and _BEGINS.fullmatch(line)):
            self._blank = not line.strip()
            self._size += len(line) + 1
            if self._size <= _MOST_BYTES:
                self._lines.append(line)
            return []
        lines, self._lines, self._size, self._blank = self._lines, [], 0, False
        content = b"\n".join(lines)
        return [self._read(content)] if content.strip() else []

    def _read(self, content: bytes) -> dict[str, Any]:
        mail = email.message_from_bytes(_ESCAPED.sub(b"", content))
        if any(len(value) > _LONGEST_HEADER for part in mail.walk() for value in part.values()):
            raise SourceError(f"a mail with a header of more than {_LONGEST_HEADER:,} characters; take it out of the file")
        own = _digest(next(iter(_find_names(mail, "Message-ID")), hashlib.sha256(content).hexdigest()))
        above = [_digest(name) for field in ("References", "In-Reply-To") for name in _find_names(mail, field)]
        parent = above[-1] if above else ""
        root = next((self._roots[name] for name in reversed(above) if name in self._roots), above[0] if above else own)
        self._roots[own] = root
        shown, address = parseaddr(_HIDDEN_AT.sub("@", _decode(mail["From"])))
        person = address.lower() or shown
        author = self._people.setdefault(person, shown or address.partition("@")[0])
        people = [name for name in dict.fromkeys((shown, address, address.partition("@")[0])) if name not in ("", author)]
        said: dict[str, Any] = {"author": author, PEOPLE: people}
        text = _read_words(mail)
        if parent in ("", own):
            title = _ANSWER.sub("", _decode(mail["Subject"]))
            return {"id": own, "title": title, "selftext": text, "subreddit": self._forum, **said}
        return {"id": own, "link_id": root, "parent_id": PREFIX + root if parent == root else parent, "body": text, **said}


def _find_names(mail: Message, field: str) -> list[str]:
    return _NAME.findall(" ".join(map(str, mail.get_all(field, []))))


def _digest(name: str) -> str:
    return "mail-" + hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:20]


def _decode(header: object) -> str:
    """Return a header in plain letters; what is wrongly encoded in it stays as it is."""
    raw = " ".join(str(header or "").split())
    try:
        return str(make_header(decode_header(raw))) if len(raw) < _LONGEST_DECODED else raw[:_LONGEST_DECODED]
    except (LookupError, ValueError, HeaderParseError):
        return raw


def _read_words(mail: Message) -> str:
    """Return what the writer of a mail says in it himself, out of its plain text where it has one."""
    written = [part for part in mail.walk() if part.get_content_maintype() == "text" and not part.get_filename()]
    part = next((part for part in written if part.get_content_subtype() == "plain"), written[0] if written else None)
    payload = part.get_payload(decode=True) if part is not None else None
    if part is None or not isinstance(payload, bytes):
        return ""
    try:
        text = payload.decode(part.get_content_charset("utf-8"), "replace")
    except LookupError:
        text = payload.decode("utf-8", "replace")
    text = text.replace("\r\n", "\n")
    end = _END.search(text)
    kept = drop_mail_headers(_ATTRIBUTION.sub("", text[: end.start()] if end else text))
    return "\n".join(line for line in kept.split("\n") if not line.startswith(">")).strip()
