"""Takes the mark-up of Markdown out of a text, so that a sentence is only what a reader would read aloud."""

import re

_BLOCKS = re.compile(
    r"""\A---\n\w[\w-]*:.*?\n---(?:\n|\Z)  # what stands before the text (YAML)
    | ^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^`\n]*\n.*?(?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*(?:\n|\Z)|\Z)  # code
    | <!--.*?(?:-->|\Z)                   # comments
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}(?:[ \t][^\n]*)?$|^[^\n]+\n[ ]{0,3}(?:=+|-{2,})[ \t]*$", re.MULTILINE)
_LINES = re.compile(
    r"""^[ \t]*(?:
      \|.*                                # a row of a table
    | (?:[-*_][ \t]*){3,}                 # a rule
    | !\[[^\]\n]*\]\([^)\n]*\).*          # a picture, with what stands beside it
    | \[[^\]\n]+\]:[ \t].*                # the target of a link
    )$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_ITEM = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]*>[ \t>]*", re.MULTILINE)
# What stands between two signs has a greatest length: without it, a long line of opening signs would take hours.
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,500}\)")
_LINK = re.compile(r"\[([^\[\]\n]{0,500})\](?:\([^)\n]{0,500}\)|\[[^\]\n]{0,500}\])")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_EMPHASIS = re.compile(r"(?<![\w*\\])(\*{1,3}|__?_?)(?=\S)([^\n]{0,200}?\S)\1(?![\w*])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_CODE = re.compile(r"`([^`\n]*)`")


def strip_markdown(text: str) -> str:
    """Return the running text of a document in Markdown, its paragraphs between blank lines.

    Headings, tables, code, comments, rules, pictures with their captions and lists of exits go; each entry of a list is a
    paragraph. Links, emphasis and tags leave their words.
    """
    text = _BLOCKS.sub("\n", text.replace("\r\n", "\n"))
    text = _LINES.sub("", _HEADING.sub("\n", text))
    text = _QUOTE.sub("", _ITEM.sub("\n", text))
    text = _LINK.sub(r"\1", _PICTURE.sub("", text))
    text = _TAG.sub(" ", _CODE.sub(r"\1", text))
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text)))
