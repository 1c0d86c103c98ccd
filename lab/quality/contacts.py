"""Measures the masks of contact data on 400 written lines: 200 with something private, 200 traps without.

    python -m lab.quality.contacts

The lines were written before the masks, by their author. In `contact_lines.tsv` what is private stands in « ». One half was drawn
at random to tune on (`tuned`), the other (`held out`) is only measured. A private span is *found* if all its letters and digits
are masked. A mask is *right* if it covers no letter or digit outside private spans. The intervals are Wilson's, of 95 %.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.people.contacts import MASKS, mask_contacts
from tasks.threads.evaluation import rate_share

LINES = Path(__file__).parents[1] / "readings" / "contact_lines.tsv"
LEAST_RECALL, LEAST_PRECISION = 0.98, 0.95
_MASK = re.compile("|".join(map(re.escape, MASKS)))


@dataclass(frozen=True, slots=True)
class ContactLine:
    """A line, and where something private stands in it."""

    half: str
    kind: str
    text: str
    private: tuple[tuple[int, int], ...]


class Outcome(NamedTuple):
    """What the masks made of lines: private spans, those found, masks placed, those right."""

    spans: int
    found: int
    masks: int
    right: int


def read_lines(path: Path = LINES) -> list[ContactLine]:
    lines = []
    for row in path.read_text("utf-8").splitlines()[1:]:
        half, kind, marked = row.split("\t")
        pieces = re.split("[«»]", marked)
        ends = [sum(map(len, pieces[: place + 1])) for place in range(len(pieces))]
        lines.append(ContactLine(half, kind, "".join(pieces), tuple(zip(ends[0::2], ends[1::2], strict=False))))
    return lines


def find_masks(text: str, masked: str) -> list[tuple[int, int]]:
    """Return what the masks of a text stand for, as spans of the text."""
    pattern = "(.+?)".join(map(re.escape, _MASK.split(masked)))
    match = re.fullmatch(pattern, text, re.DOTALL)
    assert match is not None, (text, masked)
    return [match.span(number) for number in range(1, len(match.groups()) + 1)]


def measure_line(line: ContactLine, mask: Callable[[str], str] = mask_contacts) -> Outcome:
    spans = find_masks(line.text, mask(line.text))
    covered = _list_characters(line.text, spans)
    private = _list_characters(line.text, line.private)
    found = sum(_list_characters(line.text, [span]) <= covered for span in line.private)
    right = sum(_list_characters(line.text, [span]) <= private for span in spans)
    return Outcome(len(line.private), found, len(spans), right)


def _list_characters(text: str, spans: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> set[int]:
    return {place for start, end in spans for place in range(start, end) if text[place].isalnum()}


def _format_share(hits: int, total: int) -> str:
    share = rate_share(hits, total)
    return "–" if share is None else f"{hits}/{total} = {share.value:.3f} ({share.low:.3f} to {share.high:.3f})"


def main() -> int:
    lines = [(line, measure_line(line)) for line in read_lines()]
    groups: dict[str, list[Outcome]] = {}
    for line, outcome in sorted(lines, key=lambda pair: pair[0].kind):
        for name in ("all", line.half, line.kind):
            groups.setdefault(name, []).append(outcome)
    totals = {name: Outcome(*map(sum, zip(*outcomes, strict=True))) for name, outcomes in groups.items()}
    print("| lines | spans found (recall) | masks right (precision) |\n|---|---|---|")
    for name, total in totals.items():
        print(f"| {name} | {_format_share(total.found, total.spans)} | {_format_share(total.right, total.masks)} |")
    total = totals["all"]
    return int(total.found < LEAST_RECALL * total.spans or total.right < LEAST_PRECISION * total.masks)


if __name__ == "__main__":
    raise SystemExit(main())
