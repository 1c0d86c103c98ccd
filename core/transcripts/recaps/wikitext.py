"""Takes the mark-up of wikitext out of a page: templates, tables, pictures, comments, tags. Headings and list marks stay."""

import re

_COMMENT = re.compile(r"<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)
_REFERENCE = re.compile(r"<ref\b[^<>]{0,200}(?:/>|>(?:[^<]|<(?!/?ref\b)){0,2000}+</ref\s{0,3}>)", re.IGNORECASE)
_GALLERY = re.compile(r"<(gallery|imagemap|math|score)\b[^<>]{0,200}>[^<]*+</\1>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:abbr|big|blockquote|center|cite|code|del|div|em|font|i|b|ins|includeonly|li|noinclude|nowiki|ol|onlyinclude|p|poem|"
    r"references|s|section|small|span|strong|sub|sup|tt|u|ul)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_SWITCH = re.compile(r"__[A-Z]{3,20}__")
_WEB_LINK = re.compile(r"\[(?:https?:)?//[^\s\[\]]{1,500}[^\S\n]*([^\[\]\n]{0,300})\]")
_MARKS = re.compile(r"\{\{\{(?!\{)|\{\{|\}{2,}+|\[\[|\]\]")
_ATTRIBUTES = re.compile(r"(?:\s*+[a-z-]{1,20}+\s*+=\s*+(?:\"[^\"]*+\"|[^\s|]++))++\s*+\|(?!\|)", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"(?:ref|refn|efn|sfn|note|fn|art|cite|citation|anchor|clear|main|see also|infobox|quote|quotation|cquote|dialogue|image|"
    r"spoiler|stub|toc|navbox|youtube|#\w+:)\b|-$",
    re.IGNORECASE,
)
_DEEPEST = 40  # levels of templates and links in each other
_MEDIA = re.compile(r"\s*(?:file|image|category|media)\s*:", re.IGNORECASE)


def strip_wikitext(text: str) -> str:
    """Return a page's text without mark-up, in linear time.

    A template inside a line becomes its last parameter (`{{Link|ferryman}}` → `ferryman`), unless its name says that it has no
    text of the line's (a note, a quotation). A template on lines of its own is dropped: an infobox, a banner. A link becomes its
    text, a picture nothing, a cell of a table a paragraph.
    """
    for pattern, written in ((_COMMENT, ""), (_REFERENCE, ""), (_GALLERY, ""), (_BREAK, "\n"), (_TAG, ""), (_SWITCH, "")):
        if "_" in text or "<" in text:
            text = pattern.sub(written, text)
    if "{{" in text or "[[" in text:
        text = _resolve(text)
    if "[" in text:
        text = _WEB_LINK.sub(r"\1", text)
    return "\n".join(map(_read_row, text.split("\n"))) if "{|" in text else text


def _resolve(text: str) -> str:
    """Replace templates and links by their text, the innermost first, in one pass. What is never closed stays as it is."""
    open_marks: list[tuple[str, list[str], int]] = []  # each with the pieces before it, and its place
    pieces: list[str] = []
    position = 0
    for match in _MARKS.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        mark = match[0]
        if mark[0] in "{[":
            if len(open_marks) < _DEEPEST:
                open_marks.append((mark, pieces, match.start()))
                pieces = []
            else:
                pieces.append(mark)
            continue
        opening = "[" if mark[0] == "]" else "{"
        left = len(mark)  # a run of braces closes as many marks as it has braces for
        while left >= 2 and open_marks and open_marks[-1][0][0] == opening:
            opened, outer, start = open_marks.pop()
            left -= min(len(opened), left)
            end = position - left
            inner = "".join(pieces)
            alone = (start == 0 or text[start - 1] == "\n") and text[end : end + 1] in {"", "\n"}
            outer.append(_read_link(inner) if opening == "[" else _read_template(inner, alone))
            pieces = outer
        pieces.append(mark[:left])
    unclosed = [piece for mark, outer, _ in open_marks for piece in (*outer, mark)]
    return "".join([*unclosed, *pieces, text[position:]])


def _read_link(inner: str) -> str:
    if _MEDIA.match(inner):
        return ""
    return inner.rpartition("|")[2]


def _read_template(inner: str, alone: bool) -> str:
    name, *parameters = inner.split("|")
    words = [parameter.strip() for parameter in parameters if "=" not in parameter]
    if alone or not words or _NO_TEXT.match(name.strip()):
        return ""
    return words[-1]


def _read_row(line: str) -> str:
    """Return the cells of a table's line as paragraphs; other lines stay as they are."""
    line = line.strip() if line.lstrip()[:1] in {"{", "|", "!"} else line
    if line.startswith(("{|", "|}", "|-", "|+")):
        return ""
    if not line.startswith(("|", "!")):
        return line
    cells = (_without_attributes(cell) for cell in re.split(r"\|\||!!", line[1:]))
    return "\n\n".join(["", *filter(None, cells), ""])


def _without_attributes(cell: str) -> str:
    attributes = _ATTRIBUTES.match(cell)
    return cell[attributes.end() :].strip() if attributes else cell.strip()
