"""Reads TTML captions (.ttml, .dfxp), the form of broadcasters and streaming services.

Reference: W3C, "Timed Text Markup Language 2", sections 8 and 12.
"""

import re
from collections.abc import Mapping

from lxml import etree

from core.text.captions import Cue
from core.text.documents import parse_xml_text

_ROOT = re.compile(r"(?:\s|<[?!][^<>]*+>)*+<(?:\w{1,20}:)?tt[\s>]")
_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d\d)(?:[.,](\d{1,9})|:(\d{1,3})(?:\.\d{1,3})?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|f|t)", re.ASCII)
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def is_ttml(text: str) -> bool:
    """Tell whether a text is a document of TTML, whatever its name says."""
    return _ROOT.match(text[:20_000]) is not None


def parse_ttml(name: str, text: str) -> list[Cue]:
    """Return the captions that have text and times, by their times; a time inside another counts from its beginning.

    Raises:
        SourceError: it is no well-formed XML, has a document type, or is too large.
    """
    root = parse_xml_text(name, text)
    rates = {etree.QName(key).localname: str(value) for key, value in root.items()}
    frames = _read_rate(rates, "frameRate", 30.0)
    units = _SECONDS | {"f": 1 / frames, "t": 1 / _read_rate(rates, "tickRate", frames)}
    cues = []
    for paragraph in root.iter("{*}p"):
        timed = (
            [paragraph] if "begin" in paragraph.attrib else [span for span in paragraph.iter("{*}span") if "begin" in span.attrib]
        )
        for element in timed:
            above = sum(_read_time(outer.get("begin", ""), units) or 0.0 for outer in element.iterancestors())
            start, end = (_read_time(element.get(key, ""), units) for key in ("begin", "end"))
            if end is None and start is not None and (lasts := _read_time(element.get("dur", ""), units)) is not None:
                end = start + lasts
            said = "\n".join(" ".join(line.split()) for line in _read_words(element).split("\v")).strip()
            if said and start is not None and end is not None:
                cues.append(Cue(above + start, above + end, said))
    return sorted(cues, key=lambda cue: cue.start)


def _read_rate(rates: Mapping[str, str], key: str, usual: float) -> float:
    found = _OFFSET.fullmatch(rates.get(key, "") + "s")
    return float(found[1]) or usual if found is not None else usual


def _read_time(value: str, units: Mapping[str, float]) -> float | None:
    """Return a time in seconds: `00:01:02.5`, `00:01:02:12` with frames, `62.5s`, `1500ms`, or ticks; None for none."""
    if (clock := _CLOCK.fullmatch(value)) is not None:
        whole = int(clock[1] or 0) * 3600 + int(clock[2]) * 60 + int(clock[3])
        return whole + (float(f"0.{clock[4]}") if clock[4] else int(clock[5] or 0) * units["f"])
    offset = _OFFSET.fullmatch(value)
    return float(offset[1]) * units[offset[2]] if offset is not None else None


def _read_words(element: "etree._Element") -> str:
    """Return the text of a caption with a vertical tab for each of its breaks: breaks of the file's lines are none."""
    said = [element.text or ""]
    for child in element:
        tag = etree.QName(child).localname
        said += ["\v" if tag == "br" else "" if tag == "metadata" else _read_words(child), child.tail or ""]
    return "".join(said)
