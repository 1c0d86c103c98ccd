"""Reads chats as programs save them: text logs of WhatsApp, Zoom and Foundry, and pages of Discord, Roll20 and Foundry.

Messages that a program wrote (who joined, what was left out, dice) are no speech. Successive messages of one person are one turn.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from lxml import html

from core.text.captions import parse_stamp
from core.transcripts.dialogues.cleaning import drop_invisible
from core.transcripts.dialogues.text_formats import RawTurn, join_repeated

_DAY = r"\d{1,4}[./-](?:\d{1,2}|[A-Z][a-z]{2})[./-]\d{1,4}"
_CLOCK = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[^\S\n]?[AaPp]\.?[^\S\n]?[Mm]\.?)?"
_HEADS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        # Foundry: [4/2/2023, 7:01:10 PM] Anna, text on the next lines, a line of dashes
        rf"(?:^-{{10,}}\n|\A)\[{_DAY},? {_CLOCK}\] (?P<name>[^\n]{{1,100}})\n",
        # WhatsApp: [02/04/2023, 19:01:10] Anna: text, or 4/2/23, 7:01 PM - Anna: text; a program's messages have no name
        rf"^[\u200e\u200f]?(?:\[{_DAY},? {_CLOCK}\]|{_DAY},? {_CLOCK} -) (?:(?P<name>[^:\"\n]{{1,100}}): |[^\n]*\n?)",
        # Discord, below lines on the channel: [4/2/2023 7:01 PM] Anna, text on the next lines
        r"(?:\A={10,}\nGuild: (?:[^\n]*\n){1,8}?={10,}\s+|^)"
        rf"\[{_DAY} {_CLOCK}\] (?P<name>[^:\n]{{1,100}}?)(?: \(pinned\))?\n",
        # Zoom: 19:01:10 From Anna to Everyone: text
        r"^(?:\d{4}-\d{2}-\d{2} )?(?P<time>\d{2}:\d{2}:\d{2})[ \t]+From[ \t]+(?P<name>[^:\n]{1,100}?)"
        r"(?:[ \t]+to[ \t]+[^:\n]{1,100})?[ \t]*:[ \t]*",
    )
)
_FEWEST = 2  # messages with a name
_AROUND = re.compile(
    r"\n-{10,}\s*\Z|\n={10,}\nExported [^\n]*\n={10,}\s*\Z|\A\s*Replying to \"[^\n]*\n"
    r"|^\{(?:Attachments|Embed|Stickers|Reactions)\}\n(?:[^\n]+\n?)*",
    re.MULTILINE,
)
"""What a program writes before or behind the words of a message."""
_OF_PROGRAM = re.compile(
    r"\u200e.*|<[^<>\n]*>|(?:This message was|You) deleted(?: this message)?\.?|(?:[^\n]{0,60}\n)?\d*d\d+[^\n]*= ?-?\d+"
    r"|[^\n]+ \(file attached\)|null|(?:Reacted to|Removed a) [^\n]*\"[^\n]*",
    re.DOTALL,
)
_EDITED = re.compile(r"\s*\u200e?<This message was edited>\s*\Z")
_PHONE = re.compile(r"\+?[\d\s()./-]{7,}")


def read_message_log(text: str) -> list[RawTurn] | None:
    """Return the turns of a chat saved as text, whose first line must head a message; None for any other text.

    A person who is known by a telephone number is named `Speaker 1`, `Speaker 2`, …, in the order of first messages.
    """
    text = text.strip("\n")
    for form in _HEADS:
        heads = list(form.finditer(text))
        if len(heads) >= _FEWEST and not heads[0].start() and sum(head["name"] is not None for head in heads) >= _FEWEST:
            break
    else:
        return None
    numbers: dict[str, str] = {}
    turns = []
    for head, end in zip(heads, [head.start() for head in heads[1:]] + [len(text)], strict=True):
        words = _EDITED.sub("", _AROUND.sub("", text[head.end() : end])).strip(" \t\n")
        if not head["name"] or not words or _OF_PROGRAM.fullmatch(words) is not None:
            continue
        name = drop_invisible(head["name"]).strip(" \t~\u202f\xa0")
        if _PHONE.fullmatch(name) is not None:
            name = numbers.setdefault(name, f"Speaker {len(numbers) + 1}")
        turns.append(RawTurn(name, words, parse_stamp(head["time"]) if "time" in form.groupindex else None))
    return join_messages(turns)


def join_messages(turns: Iterable[RawTurn]) -> list[RawTurn]:
    """Join the successive messages of one person, and drop those without a word."""
    said = [turn for turn in turns if turn.text]
    return join_repeated(said, {turn.label for turn in said if turn.label})


class _Page(NamedTuple):
    """The classes of a program's page: of a message, its author, and its text, if that is not all the rest of the message."""

    message: str
    author: str
    text: str = ""


_PAGES = (
    _Page("chatlog__message-container", "chatlog__author", "chatlog__content"),  # DiscordChatExporter
    _Page("chat-message", "message-sender", "message-content"),  # Foundry
    _Page("general", "by"),  # Roll20
)
_UNSAID = ("chatlog__edited-timestamp", "chatlog__reply", "dice-roll", "avatar", "tstamp", "by", "script", "style")
_BLOCKS = ("br", "p", "div", "li")


def read_chat_page(text: str) -> list[RawTurn]:
    """Return the turns of a saved page of a chat, none of another page. A message without an author is of the one before it."""
    page: html.HtmlElement = html.document_fromstring(text.encode("utf-8"), parser=html.HTMLParser(encoding="utf-8"))
    for form in _PAGES:
        turns: list[RawTurn] = []
        author = ""
        for message in page.find_class(form.message):
            stated = message.find_class(form.author)
            author = stated[0].text_content().strip().removesuffix(":").strip() if stated else author
            said = message.find_class(form.text) if form.text else [message]
            turns += [RawTurn(author, read_markup(element)) for element in said if author]
        if turns:
            return join_messages(turns)
    return []


def read_markup(element: html.HtmlElement) -> str:
    """Return the words of an element, a line for each block, without what stands in a chat beside the words (times, dice)."""
    pieces = [element.text or ""]
    for child in element:
        classes = {child.tag, *(child.get("class") or "").split()} if isinstance(child.tag, str) else {"script"}
        classes = {"dice-roll" if name.startswith("sheet-rolltemplate") else name for name in classes}
        if classes.isdisjoint(_UNSAID):
            breaks = "\n" if child.tag in _BLOCKS else ""
            pieces += [breaks, read_markup(child), breaks]
        pieces.append(child.tail or "")
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)
