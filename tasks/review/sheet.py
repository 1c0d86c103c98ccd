"""A blind sheet of written rooms on the review page: a reader rates each text, and never learns who wrote it."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from core.errors import ConfigError, SourceError
from core.judgements import MOST_SECONDS, Judgement, parse_judgement
from core.review.order import shuffle_items
from infra.pages.server import Site
from infra.store.objects import Store
from infra.store.reviews import add_judgements, read_reviews
from tasks.review.session import check_person
from tasks.review.site import ASSETS

LEAST_SECONDS = 2.0
"""A sentence of a room is read in less time than a dialogue (`core.review.decisions.LEAST_SECONDS`)."""
_FIELDS = ("item", "dataset", "version", "question", "text")


def name_judged(sheet: str) -> str:
    """Return the folder in which the answers to a sheet are kept, beside it."""
    return f"{sheet}.judged"


class SheetSession:
    """One reader and a sheet, in an order of his own. Every answer is stored before it is acknowledged."""

    def __init__(self, sheet: str, reader: str, clock: Callable[[], float] = monotonic) -> None:
        """Read `<sheet>.jsonl` (`fabula write rooms --sheet`).

        Raises:
            ConfigError: the file is no sheet, or the reader's name cannot be one.
            StoreError: earlier answers could not be read.
        """
        self._reader = check_person(reader)
        self._texts = _read_sheet(sheet)
        self._items = shuffle_items(list(self._texts), reader)
        self._dataset = str(next(iter(self._texts.values()))["dataset"])
        self._store = Store(name_judged(sheet))
        self._clock, self._shown = clock, dict[int, float]()
        own = (entry for entry in read_reviews(self._store, self._dataset).judgements if entry.reader == reader)
        self._answers: dict[str, Judgement] = {entry.item: entry for entry in own if entry.item in self._texts}

    def describe(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Return what the page says of the session, with the place to begin at."""
        return {
            "dataset": self._dataset,
            "version": next(iter(self._texts.values()))["version"],
            "reader": self._reader,
            "form": "level",
            "order": "random",
            "count": len(self._items),
            "least": LEAST_SECONDS,
            **self._progress(),
        }

    def show(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the text at a `place`, with the reader's own earlier answer."""
        number = self._find_place(query.get("place"))
        self._shown.setdefault(number, self._clock())
        own = self._answers.get(self._items[number])
        told = [] if own is None else [{"question": own.question, "answer": own.answer}]
        return {"place": number, "own": told, "summary": self._texts[self._items[number]]["text"]}

    def decide(self, said: Any) -> dict[str, Any]:
        """Store the level of a text, and return how far the reader is.

        Raises:
            ConfigError: what was said is no level of a text that was shown.
        """
        answers = said.get("answers") if isinstance(said, dict) else None
        if not isinstance(answers, list) or len(answers) != 1 or not isinstance(answers[0], dict):
            raise ConfigError("expected an object with place, seconds and one answer")
        number = self._find_place(said.get("place"))
        if number not in self._shown:
            raise ConfigError(f"place {number} was never shown; load the page again")
        asked = self._texts[self._items[number]]
        if answers[0].get("question") != asked["question"]:
            raise ConfigError(f"found the question {answers[0].get('question')!r}, expected {asked['question']}")
        line = {name: asked[name] for name in _FIELDS if name != "text"} | {
            "answer": answers[0].get("answer"),
            "reader": self._reader,
            "at": datetime.now(UTC).isoformat(),
            "seconds": min(round(self._clock() - self._shown[number], 1), MOST_SECONDS),
            "position": number + 1,
        }
        try:
            judgement = parse_judgement(json.dumps(line).encode())
        except SourceError as error:
            raise ConfigError(str(error)) from error
        add_judgements(self._store, [judgement])
        self._answers[judgement.item] = judgement
        return {"stored": 1, **self._progress()}

    def _progress(self) -> dict[str, Any]:
        left = (number for number, item in enumerate(self._items) if item not in self._answers)
        return {"done": len(self._answers), "next": next(left, None)}

    def _find_place(self, value: Any) -> int:
        text = str(value)
        if isinstance(value, bool) or not text.isascii() or not text.isdigit() or not int(text[:9]) < len(self._items):
            raise ConfigError(f"place {text[:40]!r}: expected a whole number from 0 to {len(self._items) - 1}")
        return int(text)


def make_sheet_site(sheet: str, reader: str) -> Site:
    """Return the page on which a reader rates the texts of a sheet; errors as those of `SheetSession`."""
    session = SheetSession(sheet, reader)
    return Site(
        home="index.html",
        assets=ASSETS,
        answers={"api/session": session.describe, "api/item": session.show},
        accepts={"api/decide": session.decide},
    )


def _read_sheet(sheet: str) -> dict[str, dict[str, Any]]:
    """Return the lines of a sheet by item."""
    try:
        lines = [json.loads(line) for line in Path(f"{sheet}.jsonl").read_text("utf-8").splitlines()]
        texts = {str(line["item"]): {name: line[name] for name in _FIELDS} for line in lines}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(f"{sheet}.jsonl is no sheet ({error!r}); fabula write rooms --sheet writes one") from error
    if not texts:
        raise ConfigError(f"{sheet}.jsonl has no texts; fabula write rooms --sheet writes them")
    return texts
