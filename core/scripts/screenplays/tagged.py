"""Screenplays and plays whose parts are tagged: documents of Final Draft (FDX), and drama in TEI as DraCor has it.

Their tags say what is a heading, a name, speech or action, so nothing of the layout is guessed.

Reference: TEI Guidelines, chapter 7, "Performance Texts".
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from core.errors import SourceError
from core.scripts.screenplays.assembly import SceneBuilder
from core.scripts.screenplays.cues import SpeakerCue, parse_cue
from core.scripts.screenplays.headings import is_strict_heading
from core.scripts.screenplays.lines import Line
from core.text.documents import parse_xml_text

_ROOT = re.compile(r"(?:\s|<[?!][^<>]*+>)*+<(FinalDraft|TEI(?:\.2)?)\b")
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_NO_WORDS = frozenset(["note", "speaker", "head", "pb", "fw", "bibl"])  # of TEI, inside a speech
_TOLD = frozenset(["stage", "p", "l", "lg", "ab"])  # of TEI, outside of a speech
_KINDS = {"Scene Heading": "heading", "Character": "cue", "Dialogue": "speech", "Parenthetical": "remark", "Transition": "end"}
_KINDS |= {"Singing": "speech", "Lyrics": "speech"}

Part = tuple[str, str, tuple[str, ...]]
"""A part of a script: heading, cue, speech, remark, action or end (of a speech), its text, and a cue's names, where known."""


def find_root(text: str) -> str:
    """Return the tag of a document that `read_tagged` reads, FinalDraft or TEI, "" for any other text."""
    found = _ROOT.match(text[:20_000])
    return found[1] if found else ""


def read_tagged(name: str, text: str) -> SceneBuilder:
    """Return the scenes of such a document; SourceError where it is damaged, has a document type, or holds no body."""
    root = parse_xml_text(name, text)
    body = root.find("Content") if find_root(text) == "FinalDraft" else root.find(".//{*}text/{*}body")
    if body is None:
        raise SourceError(f"{name}: <{find_root(text)}> without a body; expected scenes and speeches. Export the script again")
    return build_scenes(_list_paragraphs(body) if body.tag == "Content" else _list_parts(body, _list_people(root)))


def build_scenes(parts: Iterable[Part]) -> SceneBuilder:
    """Return the scenes of parts in their order; a cue without names has them in its text."""
    builder, strict = SceneBuilder(), -1
    for number, (kind, text, names) in enumerate(parts):
        if not text and kind != "end":
            continue
        line = Line(number, text, text, 0, 1)
        if kind == "heading":
            strict += is_strict_heading(text)
            builder.open_scene(text, strict)
        elif kind == "cue":
            cue = None if names else parse_cue(text.upper())
            builder.open_speech(line, cue or SpeakerCue(names or (text.rstrip(".:, ").upper(),), continued=False, colon=False))
        elif kind == "end":
            builder.close_speech()
        elif kind in ("speech", "remark") and builder.cue is not None:
            builder.add_speech(line, remark=kind == "remark")
        else:
            builder.add_action(line, starts_paragraph=True)
    return builder


def _list_paragraphs(content: "etree._Element") -> Iterator[Part]:
    """Yield the parts of a document of Final Draft; what two people say at once comes one after the other."""
    for outer in content.findall("Paragraph"):
        for paragraph in outer.findall("DualDialogue/Paragraph") or [outer]:
            text = " ".join("".join(map(str, (said for piece in paragraph.findall("Text") for said in piece.itertext()))).split())
            yield _KINDS.get(paragraph.get("Type", ""), "action"), text, ()


def _list_people(root: "etree._Element") -> dict[str, str]:
    """Return the names of a play's people by their ids; groups are left out, since their names list who is in them."""
    found = [*root.iter("{*}person"), *root.iter("{*}role")]
    return {each.get(_ID, ""): _read_words(next(each.iterfind("{*}persName"), each)) for each in found}


def _list_parts(element: "etree._Element", people: Mapping[str, str], heads: tuple[str, ...] = ()) -> Iterator[Part]:
    """Yield the parts of a play; a scene is headed by the heads of its act and its own. No document is deeper than 256 levels."""
    for child in element:
        tag = _name(child)
        if tag.startswith("div"):
            head = next(child.iterfind("{*}head"), None)
            told = _read_words(head) if head is not None else " ".join(filter(None, map(child.get, ("type", "n"))))
            inner = (*heads, told.rstrip("."))
            below = {_name(each) for each in child}
            if below & {"sp", "stage"} or not any(each.startswith("div") for each in below):
                yield "heading", ". ".join(filter(None, inner)), ()
            yield from _list_parts(child, people, inner)
        elif tag == "sp":
            yield from _list_speech(child, people)
        elif tag in _TOLD:
            yield "action", _read_words(child), ()
        elif tag not in _NO_WORDS:
            yield from _list_parts(child, people, heads)


def _name(element: "etree._Element") -> str:
    return etree.QName(element).localname


def _list_speech(speech: "etree._Element", people: Mapping[str, str]) -> Iterator[Part]:
    label = _read_words(next(speech.iterfind("{*}speaker"), None))
    ids = [name.lstrip("#") for name in speech.get("who", "").split()]
    known = all(map(people.get, ids))
    names = (
        tuple(dict.fromkeys(people.get(name, "") or name.replace("_", " ") for name in ids)) if known or not label else (label,)
    )
    yield "cue", label or " & ".join(names), tuple(name.rstrip(".:, ").upper() for name in names)
    for element in speech:
        words = _read_words(element)
        if _name(element) == "stage" and words:
            yield "remark", f"({words.strip('()')})", ()
        elif _name(element) not in _NO_WORDS:
            yield "speech", words, ()
    yield "end", "", ()


def _read_words(element: "etree._Element | None") -> str:
    """Return the words of an element, stage directions inside it in brackets, notes left out."""
    return " ".join("".join(_list_pieces(element)).split()) if element is not None else ""


def _list_pieces(element: "etree._Element") -> Iterator[str]:
    yield element.text or ""
    for child in element:
        tag = _name(child)
        if tag == "stage":
            yield f" ({''.join(_list_pieces(child)).strip().strip('()')}) "
        elif tag not in _NO_WORDS:
            yield from _list_pieces(child)
            yield " " if tag in ("lb", "l", "p") else ""
        yield child.tail or ""
