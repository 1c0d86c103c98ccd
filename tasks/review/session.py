"""An annotator's session and its page: items of a queue, one after the other, each answer stored before it is acknowledged.

The same queue goes to Label Studio as tasks, and its annotations come back as judgements.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from threading import Lock
from time import monotonic
from typing import Any

from core.errors import ConfigError, SourceError
from core.review.blind_sheet import LEAST_SECONDS as SHEET_SECONDS
from core.review.blind_sheet import SHEETS
from core.review.decisions import LEAST_SECONDS
from core.review.judgements import MOST_SECONDS, PREFIX, Judgement, Reviews, follow_answers, is_model, parse_judgement
from core.review.label_studio import read_tasks, write_task
from core.review.priority import Order, Task, order_items, shuffle_items
from infra.pages.server import Site
from infra.store.catalog import find_pipeline_of
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import choose_release, name_latest
from infra.store.reviews import add_answers, add_judgements, check_annotator, read_reviews
from tasks.frame.release_spec import LIST_ROWS, Released, ReviewRow, ReviewSource
from tasks.frame.review import keep_valid, list_pairs
from tasks.pipelines import find_pipeline
from tasks.review.originals import Original, list_originals, read_original
from tasks.review.queue import TASKS, Place, cut_turns, plan_comparisons, plan_rows, plan_study, show_study

_LANDED = re.compile(r"landed/(?P<place>\d{1,9})/(?P<number>\d{1,4})\.(?:txt|bin)")
MOST_ANSWERS = 4
"""Answers that one call may hold: those to the questions about one item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOptions:
    """What an annotator wants: his name, what to do, the order of the queue, and the dataset to compare with."""

    annotator: str
    task: Task = "decide"
    order: Order = "priority"
    seed: str = ""
    again: bool = False
    against: str | None = None


def open_source(store: Store, dataset: str, task: Task = "decide") -> tuple[Released, ReviewSource]:
    """Return the latest release of a dataset and what annotators can look at in it.

    Studies and comparisons need rows with turns: where annotators decide of sentences, these are the pairs of the release.
    """
    manifest = choose_release(store, dataset)
    name = find_pipeline_of(store, dataset)
    if name is None:
        raise ConfigError(
            f"store {store.url}: no run's record says which pipeline made {dataset}; review it in the store of its run"
        )
    released = Released(store=store, folder=release_key(dataset, manifest.version), manifest=manifest)
    source = (find_pipeline(name).find(LIST_ROWS) or list_pairs)(released)
    return released, list_pairs(released) if task != "decide" and source.kind == "links" else source


def check_person(name: str) -> str:
    """Return a person's name as an annotator; ConfigError where it cannot be a file's name, or begins as a model's does."""
    if is_model(name):
        raise ConfigError(f"annotator {name!r}: names that begin with {PREFIX} are those of models; choose another")
    return check_annotator(name)


class Session:
    """One annotator and a queue, whose places stay what they are while he goes back and forth."""

    def __init__(
        self,
        store: Store,
        dataset: str,
        version: str,
        source: ReviewSource,
        options: SessionOptions,
        other: ReviewSource | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Plan the queue of a version's rows, compared with those of `other`; ConfigError where there is nothing to look at."""
        self._store, self._dataset, self._version, self._source, self._other = store, dataset, version, source, other
        self._annotator, self._task = check_person(options.annotator), options.task
        self._judgements = keep_valid(source, read_reviews(store, dataset).judgements)
        self._form = source.kind if options.task == "decide" else options.task
        self._order = options.order if options.task == "decide" else "random"
        self._places = self._plan(options)
        if not self._places:
            told = f"{dataset}: there is nothing left for {self._annotator} to look at ({options.task})"
            raise ConfigError(f"{told}; {_ADVICE[options.task]}")
        self._shown: dict[int, float] = {}
        self._clock, self._lock = clock, Lock()
        self._files: dict[str, Sequence[Original]] = {}

    def describe(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Return what the page says of the session, with the place to begin at: the first without an answer."""
        return {
            "dataset": self._dataset,
            "version": self._version,
            "reader": self._annotator,
            "form": self._form,
            "order": self._order,
            "count": len(self._places),
            "least": max(LEAST_SECONDS.get(question, 0.0) for question in TASKS[self._form]),
            **self._progress(),
        }

    def show(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the item at a `place` of the queue, with the annotator's own earlier answers to it."""
        number = self._find_place(query.get("place"))
        place = self._places[number]
        self._shown.setdefault(number, self._clock())
        own = [{name: asdict(entry)[name] for name in ("question", "answer", "note")} for entry in self._own(place)]
        return {"place": number, "own": own, **self._describe(place)}

    def decide(self, said: Any) -> dict[str, Any]:
        """Store the answers to the questions about one item, all or none, and return how far the annotator is.

        `said` has `place`, `seconds` and `answers`, each with `question` and `answer` (and `note`). What is acknowledged is in
        the store; ConfigError where it is no answer to what was asked. `newer`: a run has made another release meanwhile, whose
        rows this session does not show.
        """
        answers = said.get("answers") if isinstance(said, dict) else None
        if not isinstance(answers, list) or not 0 < len(answers) <= MOST_ANSWERS:
            raise ConfigError(f"expected an object with place, seconds and 1 to {MOST_ANSWERS} answers")
        number = self._find_place(said.get("place"))
        if number not in self._shown:
            raise ConfigError(f"place {number} was never shown; load the page again")
        place = self._places[number]
        digest = str(self._describe(place)["digest"])
        spent = min(round(self._clock() - self._shown[number], 1), MOST_SECONDS)
        seconds = said.get("seconds")
        if isinstance(seconds, int | float) and not isinstance(seconds, bool):
            if not -MOST_SECONDS < seconds < MOST_SECONDS:
                raise ConfigError(f"found {repr(seconds)[:40]} seconds, expected the time that the answer took")
            spent = min(spent, max(0.0, round(float(seconds), 1)))  # a page that lay open was not read all the time
        judgements = [self._judge(place, answer, digest, spent) for answer in answers]
        add_answers(self._store, judgements)
        with self._lock:
            self._judgements += judgements
        newer = name_latest(self._store, self._dataset) not in (None, self._version)
        return {"stored": len(judgements), "newer": newer, **self._progress()}

    def show_more(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return turns of the unit of a `place`, `from` one `to` another, at most 200."""
        place = self._places[self._find_place(query.get("place"))]
        start, end = (read_number(query.get(name), name) for name in ("from", "to"))
        if self._source.more is None:
            raise ConfigError(f"{self._dataset} has no other turns of {place.unit}")
        return {"turns": list(self._source.more(place.unit, start, min(end, start + 199)))}

    def read_file(self, path: str) -> bytes | None:
        """Return a landed file of the unit at a place, `landed/PLACE/NUMBER.txt`; None where there is none."""
        match = _LANDED.fullmatch(path)
        if match is None or self._task != "decide" or int(match["place"]) >= len(self._places):
            return None
        files = self._find_files(self._places[int(match["place"])].unit)
        return read_original(self._store, files[int(match["number"])]) if int(match["number"]) < len(files) else None

    def _list_files(self, place: Place) -> list[dict[str, str]]:
        number = self._places.index(place)
        files = enumerate(self._find_files(place.unit))
        return [{"name": file.path, "url": f"/landed/{number}/{each}{file.ending}"} for each, file in files]

    def _find_files(self, unit: str) -> Sequence[Original]:
        if unit not in self._files:
            self._files[unit] = list_originals(self._store, self._dataset, unit)
        return self._files[unit]

    def _plan(self, options: SessionOptions) -> list[Place]:
        rows, seed = self._source.rows, f"{options.seed} {options.annotator}"
        if options.task == "compare":
            if self._other is None:
                raise ConfigError("a comparison needs another dataset: --against NAME")
            return plan_comparisons(rows, [row.item for row in self._other.rows], options.seed, options.annotator)
        if options.task != "decide":
            return plan_study(rows, self._judgements, options.annotator, options.task, seed)
        if self._source.kind == "level":  # every annotator rates all texts of a sheet
            return [Place(item=item, unit="") for item in shuffle_items([row.item for row in rows], options.annotator)]
        return plan_rows(self._source, self._judgements, options.annotator, options.order, seed, options.again)

    def _describe(self, place: Place) -> dict[str, Any]:
        """Return what the page shows of an item, and the `digest` of an answer about it."""
        shown = self._source.show(place.item)
        if self._task == "decide":
            return dict(shown) if self._form == "level" else {"why": place.why, **shown, "files": self._list_files(place)}
        if self._other is None or place.other is None or self._task != "compare":
            return show_study(shown, place, self._task, self._judgements, self._annotator)
        both = (shown, self._other.show(place.other))[:: -1 if place.side == 2 else 1]
        sides = [(cut_turns(each), each["summary"]) for each in both]
        question = "preference" if self._source.kind == "room" else "naturalness"
        return {
            "item": f"comparison {self._places.index(place) + 1}",  # ids would tell which is which
            "digest": shown["digest"],
            "question": question,
            "least": LEAST_SECONDS[question],
            "sides": [{"turns": turns, "text": "" if turns else text} for turns, text in sides],
        }

    def _judge(self, place: Place, answer: Any, digest: str, seconds: float) -> Judgement:
        """Return the judgement that an answer makes, checked as a line of a file is."""
        question = answer.get("question") if isinstance(answer, dict) else None
        if question not in self._asked(place):
            raise ConfigError(f"found the question {question!r}, expected {', '.join(self._asked(place))}")
        line = {
            "item": place.item,
            "dataset": self._dataset,
            "version": self._version,
            "question": question,
            "answer": answer.get("answer"),
            "reader": self._annotator,
            "at": follow_answers(datetime.now(UTC), self._own(place)),
            "seconds": seconds,
            "position": place.side or self._places.index(place) + 1,
            "other": place.other,
            "note": str(answer.get("note") or "")[:2_000],
            "unit": place.unit,
            "basis": digest,
        }
        try:
            return parse_judgement(json.dumps(line).encode())
        except SourceError as error:
            raise ConfigError(f"{place.item}: {error}") from error

    def _asked(self, place: Place) -> tuple[str, ...]:
        return (place.question,) if place.question else TASKS[self._form]

    def _own(self, place: Place) -> list[Judgement]:
        """Return the annotator's last answer to each question about an item."""
        own = (entry for entry in self._judgements if entry.annotator == self._annotator)
        about = [entry for entry in own if (entry.item, entry.other) == (place.item, place.other)]
        return list({entry.question: entry for entry in about if entry.question in self._asked(place)}.values())

    def _progress(self) -> dict[str, Any]:
        answered = {(entry.item, entry.other, entry.question) for entry in self._judgements if entry.annotator == self._annotator}
        done = [any((each.item, each.other, asked) in answered for asked in self._asked(each)) for each in self._places]
        return {"done": sum(done), "next": next((number for number, seen in enumerate(done) if not seen), None)}

    def _find_place(self, value: Any) -> int:
        number = read_number(value, "place")
        if number >= len(self._places):
            raise ConfigError(f"place {number}: the queue has {len(self._places)} items")
        return number


_ADVICE = {
    "decide": "with --again it shows what one other annotator has decided",
    "compare": "name another dataset with --against",
    "write": "the release has no rows",
    "answer": "another annotator writes questions first: fabula review DATASET --annotator NAME --task write",
    "grade": "another annotator answers your questions first: fabula review DATASET --annotator NAME --task answer",
}


def read_number(value: Any, name: str) -> int:
    """Return a whole number that a page names; ConfigError where it is none, or has more than nine digits."""
    text = str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ConfigError(f"{name} {text[:40]!r}: expected a whole number from 0")
    return int(text)


ASSETS = {
    "index.html": "review/index.html",
    "common.css": "common.css",
    **{name: f"review/{name}" for name in ("review.css", "review.js", "elements.js", "forms.js", "spans.js", "study.js")},
}


def name_judged(sheet: str) -> str:
    """Return the folder in which the answers to a sheet are kept, beside it."""
    return f"{sheet}.judged"


def open_session(store: Store, dataset: str, options: SessionOptions, clock: Callable[[], float] = monotonic) -> Session:
    """Return an annotator's session with the latest release of a dataset."""
    released, source = open_source(store, dataset, options.task)
    other = open_source(store, options.against, options.task)[1] if options.against else None
    return Session(store, dataset, released.manifest.version, source, options, other, clock)


def open_sheet_session(sheet: str, annotator: str, clock: Callable[[], float] = monotonic) -> Session:
    """Return a session with a blind sheet of written rooms, `<sheet>.jsonl` (`fabula write rooms --sheet`).

    The annotator rates each text, and never learns who wrote it.
    """
    from tasks.rooms.writer import open_sheet  # it brings scipy's statistics, which other sessions need not wait for

    texts = open_sheet(sheet)
    source = ReviewSource(
        kind="level",
        rows=[ReviewRow(item=item, unit="") for item in texts],
        show=lambda item: {"summary": texts[item].text, "digest": texts[item].digest, "least": SHEET_SECONDS},
    )
    version = next(iter(texts.values())).version
    return Session(
        Store(name_judged(sheet)), SHEETS, version, source, SessionOptions(annotator=annotator, order="random"), clock=clock
    )


def export_tasks(store: Store, dataset: str, order: Order = "priority", limit: int | None = None) -> list[dict[str, Any]]:
    """Return rows of the latest release as tasks, in the order of the queue, with the aligner's spans as predictions."""
    released, source = open_source(store, dataset)
    if source.kind not in ("span", "pair", "rate"):
        raise ConfigError(f"{dataset}: its rows have no turns of their own (they are reviewed as {source.kind!r}); use the page")
    priority, sure = {row.item: row.priority for row in source.rows}, {row.item: row.confidence for row in source.rows}
    items = order_items(list(priority), order, "label studio", priority, sure)
    version = released.manifest.version
    return [write_task(source.show(item), dataset, version) for item in islice(items, limit)]


def import_tasks(store: Store, dataset: str, tasks: Any, annotator: str | None = None) -> Reviews:
    """Store the annotations of exported tasks as judgements, and return them; the same annotation twice is one.

    Raises:
        SourceError: `tasks` is no list of tasks.
    """
    found = read_tasks(tasks, dataset, annotator)
    for entry in found.judgements:
        check_person(entry.annotator)
    add_judgements(store, found.judgements)
    return found


def make_site(session: Session) -> Site:
    """Return the site of a session."""
    answers = {"api/session": session.describe, "api/item": session.show, "api/turns": session.show_more}
    accepts = {"api/decide": session.decide}
    return Site(home="index.html", assets=ASSETS, answers=answers, accepts=accepts, read=session.read_file)
