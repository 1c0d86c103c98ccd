"""The mark-up of posts and comments, Markdown and HTML, made plain text."""

import html
import re
import unicodedata
from itertools import accumulate

import regex

from core.people.contacts import mask_contacts, mask_link

_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\(([^()\s]{0,2000}(?:\([^()\s]{0,2000}\)[^()\s]{0,2000})?)\)")
_TAG = re.compile(
    r"[\[(]\s*(?:spoilers?(?:[\s:-][^\])\n]{0,40})?|nsfw|serious|oc|rant|update|discussion|request|question|academic|help|meta|vent|"
    r"deleted|removed)\s*[\])]",
    re.IGNORECASE,
)
_LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|#{2,6}(?=\w)|[*+-][ \t]+|\d{1,3}[.)][ \t]+|(?:[-*_][ \t]*){3,}$)", re.MULTILINE)
_QUOTED = re.compile(r"^[ \t]*\\?>(?!!).*$", re.MULTILINE)  # an editor puts \ before the mark
_INLINE = re.compile(r"\*{1,3}|~~|`{1,3}|>!|!<|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)|\\(?=[^\w\s])|\^(?=[\w(])")
_TABLE = re.compile(  # possessive: blanks that could be divided in many ways would take quadratic time
    r"^[^\n|]*+\|[^\n]*+\n[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)++(?:\|[ \t]*+)?$(?:\n[^\n]*\|[^\n]*+)*+|"
    r"^[ \t]*+\|.*$",
    re.MULTILINE,
)
_PART = re.compile(
    r"<(blockquote|aside|pre|script|style|head)\b[^<>]*+>[^<]*+(?:<(?!/?(?:blockquote|aside|pre|script|style|head)\b)[^<]*+)*+</\1\s*+>",
    re.IGNORECASE,
)
_ABOUT_PICTURE = re.compile(r'<div class="meta"[^<>]*+>[^<]*+(?:<(?!/?div\b)[^<]*+)*+</div\s*+>')
"""What Discourse writes below a picture: the name and the size of its file."""
_ANCHOR = re.compile(
    r"<a\s[^<>]{0,200}?href\s*=\s*[\"']?([^\s<>\"']{1,2000}+)[^<>]{0,500}+>([^<\n]{0,300})</a\s*>", re.IGNORECASE
)
_HTML = re.compile(
    r"</?(?:(p|br|div|li|[uod]l|d[td]|h[1-6r]|tr|table|t?head|tbody|blockquote|pre|details|summary|html|body)|(t[dh])|[abiqsu]|em|strong|del|"
    r"ins|strike|span|su[bp]|small|big|code|tt|kbd|cite|mark|font|img|center)(?:\s[^<>=]{0,40}=[^<>]*+|\s*)/?>",
    re.IGNORECASE,
)
"""A tag, and whether it ends a line (1) or a cell (2). Its attributes have values, or `<a few words>` would be one."""
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[^`~]*")
_MOST_NESTED = 5  # quotations inside quotations
_FORMAT = regex.compile(r"\p{Cf}")
_BLANKS = re.compile(r"[^\S\n]+")


def clean_text(text: str) -> str:
    """Return a text without mark-up and formatting characters, with people's names and addresses masked; lines stay lines.

    HTML entities are resolved (twice: sources escape them twice), links become their text, or a mask where they lead to a
    profile. Quoted lines, tables, code, tags of HTML, spoiler marks, list marks and marks such as `[SPOILER]` go. Characters
    without a width go, and every blank becomes a space.
    """
    plain = html.unescape(html.unescape(text))
    plain = _FORMAT.sub("", plain).replace("\u00a0", " ")
    plain = _drop_code(_drop_html(plain))
    for pattern in (_QUOTED, _TABLE, _LINE_MARK):
        plain = pattern.sub("", plain)
    plain = _INLINE.sub("", _TAG.sub("", _LINK.sub(lambda link: mask_link(*link.groups()), plain)))
    lines = (_BLANKS.sub(" ", line).strip() for line in plain.split("\n"))
    return mask_contacts(unicodedata.normalize("NFC", "\n".join(line for line in lines if line)))


def _drop_html(text: str) -> str:
    """Return a text without HTML: paragraphs become lines, links Markdown's; quoted text and code go, in linear time."""
    if "<" not in text:
        return text
    for _ in range(_MOST_NESTED):
        text, count = _PART.subn("\n", text)
        if not count:
            break
    text = _ANCHOR.sub(r"[\2](\1)", _ABOUT_PICTURE.sub("", text))
    return _HTML.sub(lambda tag: "\n" if tag[1] else " " if tag[2] else "", text)


def _drop_code(text: str) -> str:
    """Return a text without fenced code, in linear time; of a fence that nothing closes only its line goes.

    A fence is closed by at least as many of its marks at the end of a line: some write them behind the code.
    """
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.split("\n")
    bare = [line.rstrip(" \t") for line in lines]
    ends = {mark: [len(line) - len(line.rstrip(mark)) for line in bare] for mark in "`~"}
    most_from = {mark: [*accumulate(reversed(counts), max, initial=0)][::-1] for mark, counts in ends.items()}
    kept, place = [], 0
    while place < len(lines):
        if fence := _FENCE.fullmatch(lines[place]):
            mark, length = fence[1][0], len(fence[1])
            if most_from[mark][place + 1] >= length:
                place = next(end for end in range(place + 1, len(lines)) if ends[mark][end] >= length)
            kept.append("")
        else:
            kept.append(lines[place])
        place += 1
    return "\n".join(kept)
