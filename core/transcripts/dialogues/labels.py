"""Finds speaker labels in running text: tells a `NAME:` at the start of a line from prose with a colon."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from html import unescape
from typing import Literal

_CANDIDATE = re.compile(
    r"\n[^\S\n]*(?:<[^>\n]{1,80}>[^\S\n]*)*(?:[-–—>*•\\]+[^\S\n]*)?(?:<[ibu]>)?(?P<label>[^\W\d_][^:：\n<>]{0,99})[:：](?!//)"
)  # starts with "\n" instead of ^, which doubles the speed; the caller adds a newline before the text
_VOICE = re.compile(r"<v(?:\.[^>\s]*)?[^\S\n]+(?P<label>[^>\n]{1,100})>")
_REMARK = re.compile(r"\([^()]*\)")
_SMALL_WORDS = re.compile(r"\b(?:and|except|but|as|of|the|with)\b")
_FORBIDDEN = re.compile(r"[^\w\s.,'’&/+#()-]|_")
_TITLE = re.compile(r"[^\W\d_a-z][^\s,&/]*(?:(?:\s*[,&/]\s*|\s+)(?:and\s+)?(?:[^\W\d_a-z][^\s,&/]*|#?\d+))*")
_NUMERAL = re.compile(r"[IVXLC]+|[^\W\d_]")
_MAX_TITLE_WORDS = 8
_MAX_CAPITALS_WORDS = 16
_CONTEXT = 200  # how many characters before a label are read, to see whether the sentence before it is complete

Style = Literal["capitals", "title", "prose"]


@dataclass(frozen=True, slots=True)
class Label:
    """A speaker label in a text: the characters from `start` to `end`, with its colon and any leading dash."""

    start: int
    end: int
    name: str


def find_labels(text: str) -> list[Label]:
    """Find the speaker labels of a transcript, in order.

    A label stands at the start of a line and ends with a colon; a dash or mark-up may precede it. A WebVTT voice tag (`<v Name>`)
    is a label too. These rules tell labels from prose:

    - Where most candidates are in capitals, only those count; `Matt: …` is then text, as in CRD3. A name with a slip of the shift
      key counts if it also occurs in capitals.
    - Otherwise names in title case count too, unless they mostly continue the sentence of the line before.
    - A single letter or a Roman numeral (`A: …`, `II: …`) counts only if it occurs more than once.

    Runs in linear time.
    """
    candidates = [Label(match.start(), match.end() - 1, match["label"].strip()) for match in _CANDIDATE.finditer("\n" + text)]
    counts = Counter(label.name for label in candidates)
    styles = {name: label_style(name) for name in counts}
    totals: Counter[Style] = Counter()
    for name, count in counts.items():
        totals[styles[name]] += count
    if totals["capitals"] >= totals["title"]:
        names = {name for name in counts if styles[name] == "capitals"}
        names |= {name for name in counts if sum(map(str.isupper, name)) > sum(map(str.islower, name)) and name.upper() in names}
    else:
        names = _title_names(text, [label for label in candidates if styles[label.name] != "prose"])
    names -= {name for name in names if counts[name] == 1 and _NUMERAL.fullmatch(name)}
    labels = [label for label in candidates if label.name in names]
    if "<v" in text:
        labels += [Label(match.start(), match.end(), match["label"].strip()) for match in _VOICE.finditer(text)]
        labels.sort(key=lambda label: label.start)
    return labels


def label_style(name: str) -> Style:
    """Tell how a candidate for a label is written, without its remarks in parentheses and small words (`and`, `except`)."""
    if "&" in name:
        name = unescape(name)
    words = _SMALL_WORDS.sub(" ", _REMARK.sub(" ", name)) if not name.isupper() else name
    if not words.strip() or _FORBIDDEN.search(name) is not None:
        return "prose"
    if words.isupper():
        return "capitals" if len(words.split()) <= _MAX_CAPITALS_WORDS else "prose"
    title = _REMARK.sub("", name).strip()
    return "title" if _TITLE.fullmatch(title) is not None and len(title.split()) <= _MAX_TITLE_WORDS else "prose"


def _title_names(text: str, candidates: list[Label]) -> set[str]:
    """Return the names that open the text or follow a complete sentence in at least half of their occurrences."""
    votes: dict[str, int] = defaultdict(int)
    for label in candidates:
        before = text[max(0, label.start - _CONTEXT) : label.start].rstrip()[-1:]
        votes[label.name] += -1 if before.isalnum() or before == "," else 1
    return {name for name, vote in votes.items() if vote >= 0}
