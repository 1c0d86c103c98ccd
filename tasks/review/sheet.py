"""A blind sheet of written rooms on the review page: a reader rates each text, and never learns who wrote it."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from core.errors import ConfigError, SourceError
from core.review.blind_sheet import LEAST_SECONDS, QUESTION, SHEETS
from core.review.judgements import MOST_SECONDS, Judgement, follow_answers, parse_judgement
from core.review.priority import shuffle_items
from infra.pages.server import Site
from infra.store.objects import Store
from infra.store.reviews import add_judgements, read_reviews
from tasks.review.session import ASSETS, check_person, read_number
from tasks.rooms.writer import open_sheet


def name_judged(sheet: str) -> str:
    """Return the folder in which the answers to a sheet are kept, beside it."""
    return f"{sheet}.judged"


class SheetSession:
    """One reader and a sheet, in an order of his own. Every answer is stored before it is acknowledged."""

    def __init__(self, sheet: str, reader: str, clock: Callable[[], float] = monotonic) -> None:
        """Read `<sheet>.jsonl` (`fabula write rooms --sheet`)."""
        self._reader = check_person(reader)
        self._texts = open_sheet(sheet)
        self._items = shuffle_items(list(self._texts), reader)
        self._store = Store(name_judged(sheet))
        self._clock, self._shown = clock, dict[int, float]()
        self._answers: dict[str, Judgement] = {
            entry.item: entry
            for entry in read_reviews(self._store, SHEETS).judgements
            if entry.reader == reader and entry.item in self._texts and entry.basis == self._texts[entry.item].basis
        }

    def describe(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Return what the page says of the session, with the place to begin at."""
        return {
            "dataset": SHEETS,
            "version": next(iter(self._texts.values())).version,
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
        return {"place": number, "own": told, "summary": self._texts[self._items[number]].text}

    def decide(self, said: Any) -> dict[str, Any]:
        """Store the level of a text, and return how far the reader is."""
        answers = said.get("answers") if isinstance(said, dict) else None
        if not isinstance(answers, list) or len(answers) != 1 or not isinstance(answers[0], dict):
            raise ConfigError("expected an object with place, seconds and one answer")
        number = self._find_place(said.get("place"))
        if number not in self._shown:
            raise ConfigError(f"place {number} was never shown; load the page again")
        asked = self._texts[self._items[number]]
        if answers[0].get("question") != QUESTION:
            raise ConfigError(f"found the question {answers[0].get('question')!r}, expected {QUESTION}")
        before = self._answers.get(asked.item)
        line = {
            "item": asked.item,
            "dataset": SHEETS,
            "version": asked.version,
            "question": QUESTION,
            "answer": answers[0].get("answer"),
            "reader": self._reader,
            "at": follow_answers(datetime.now(UTC), [] if before is None else [before]),
            "seconds": min(round(self._clock() - self._shown[number], 1), MOST_SECONDS),
            "position": number + 1,
            "basis": asked.basis,
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
        number = read_number(value, "place")
        if number >= len(self._items):
            raise ConfigError(f"place {number}: the sheet has {len(self._items)} texts")
        return number


def make_sheet_site(sheet: str, reader: str) -> Site:
    """Return the page on which a reader rates the texts of a sheet; errors as those of `SheetSession`."""
    session = SheetSession(sheet, reader)
    return Site(
        home="index.html",
        assets=ASSETS,
        answers={"api/session": session.describe, "api/item": session.show},
        accepts={"api/decide": session.decide},
    )
