"""A blind sheet: texts of several writers that people rate, one a line of JSON, without a word of who wrote which."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.errors import SourceError
from core.review.judgements import Judgement, digest_texts, keep_latest

SHEETS = "room-writer"
"""The dataset that a sheet's lines, and the answers to them, name."""
QUESTION = "sense"
LEAST_SECONDS = 2.0
"""A sentence of a room is read in less time than a dialogue (`core.review.decisions.LEAST_SECONDS`)."""


@dataclass(frozen=True, slots=True)
class SheetText:
    """A text of a sheet, and the version that answers to it name."""

    item: str
    version: str
    text: str

    @property
    def digest(self) -> str:
        """The digest of the text: another sheet of the same name has the same items, and other texts."""
        return digest_texts([self.text])


@dataclass(frozen=True, slots=True)
class SheetAnswers:
    """The answers to a sheet that count, and how many do not: those about other texts, and those that were too fast."""

    counted: tuple[Judgement, ...]
    others: int
    hasty: int


def write_sheet_line(item: str, version: str, position: int, text: str) -> str:
    """Return a line of a sheet: the fields of a judgement (`core.review.judgements`), and the text."""
    digest = SheetText(item, version, text).digest
    common = {"item": item, "dataset": SHEETS, "version": version, "question": QUESTION, "position": position, "basis": digest}
    return json.dumps(common | {"text": text})


def read_sheet(lines: Iterable[str]) -> dict[str, SheetText]:
    """Return the texts of a sheet by item.

    Raises:
        SourceError: a line is none of a sheet, an item stands twice, or there are no lines.
    """
    texts: dict[str, SheetText] = {}
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"line {number}: found no JSON ({error}), expected an object") from error
        told = found if isinstance(found, dict) else {}
        named = {name: each for name in ("item", "version", "text") if isinstance(each := told.get(name), str)}
        asked = (told.get("dataset"), told.get("question"))
        if len(named) < 3 or not (named["item"] and named["version"]) or asked != (SHEETS, QUESTION):
            raise SourceError(
                f"line {number}: expected an object with the texts item, version and text, the dataset {SHEETS!r} and the "
                f"question {QUESTION!r}"
            )
        text = SheetText(**named)
        if text.item in texts:
            raise SourceError(f"line {number}: found the item {text.item!r} twice, expected each once")
        texts[text.item] = text
    if not texts:
        raise SourceError("found no lines, expected one a text")
    return texts


def choose_answers(texts: Mapping[str, SheetText], judgements: Iterable[Judgement]) -> SheetAnswers:
    """Return the answers to the texts of a sheet: of each annotator the last that was not too fast.

    An answer says by its `digest` which text it is about, whatever the version of its sheet; without one it is about another
    text. An unknown time counts.
    """
    answers = [entry for entry in judgements if (entry.dataset, entry.question) == (SHEETS, QUESTION) and entry.item in texts]
    known = [replace(entry, version=texts[entry.item].version) for entry in answers if entry.digest == texts[entry.item].digest]
    counted = [entry for entry in known if entry.seconds is None or entry.seconds >= LEAST_SECONDS]
    return SheetAnswers(tuple(keep_latest(counted)), len(answers) - len(known), len(known) - len(counted))
