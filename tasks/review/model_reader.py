"""Hands the queue to a model: what it would cost, its answers (kept in the store), how far it is believed, and its decisions."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.errors import ConfigError, DamagedObjectError, SourceError
from core.metrics.alignment_quality import measure_overlap
from core.reading.questions import NoAnswerError, name_model
from core.review.decisions import settle
from core.review.judgements import BELIEVED, MEASURED, Judgement, TurnSpan, is_model
from core.review.model_reading import (
    MOST_ANSWER_CHARACTERS,
    MOST_ANSWER_TOKENS,
    PROMPT_VERSION,
    Trust,
    estimate_cost,
    measure_trust,
    read_span,
    write_messages,
)
from core.review.priority import order_items, shuffle_items
from infra.models.chat_endpoint import ChatEndpoint
from infra.store.objects import Store
from infra.store.reviews import add_judgements, read_reviews
from tasks.frame.release_spec import ReviewSource
from tasks.frame.review import keep_valid
from tasks.review.session import open_source

MOST_GOLD = 100
"""Rows with gold on which a model is measured, drawn at random."""
MOST_SILENT = 5
"""Rows in a row on which an endpoint is silent before the call ends: it is down, or over its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlan:
    """What a model would be asked: rows with gold first, by which it is measured, then the queue; and the most it may cost.

    `gold` has the annotators' span of each row with gold. `tokens` estimates the cost of each row, 0 where its answer is known.
    """

    dataset: str
    version: str
    source: ReviewSource
    gold: Mapping[str, TurnSpan]
    rows: Sequence[str]
    tokens: Mapping[str, int]
    budget: int

    @property
    def affordable(self) -> list[str]:
        """The rows that the budget allows, in order."""
        chosen, left = [], self.budget
        for row in self.rows:
            left -= self.tokens[row]
            if left < 0:
                break
            chosen.append(row)
        return chosen


@dataclass(slots=True)
class ModelOutcome:
    """What came of it: answers by kind, tokens spent, and how far the model is believed. `silent`: the endpoint fell silent."""

    asked: int = 0
    known: int = 0
    refused: int = 0
    decided: int = 0
    disagreed: int = 0
    tokens: int = 0
    trust: Trust | None = None
    silent: bool = False
    unread: list[str] = field(default_factory=list)


def plan_reading(store: Store, dataset: str, endpoint: ChatEndpoint, budget: int, limit: int | None = None) -> ModelPlan:
    """Plan what a model is asked; nothing is asked yet.

    Gold are the rows that people have decided (`fabula review --order random`), where they are not in dispute. Rows in dispute
    are not asked about: people decide them.
    """
    released, source = open_source(store, dataset)
    if source.kind != "span":
        raise ConfigError(f"{dataset}: a model reads spans of turns, and this dataset's rows have none")
    judgements = keep_valid(source, read_reviews(store, dataset).judgements)
    people = settle([entry for entry in judgements if not is_model(entry.annotator)])
    gold = {each.item: TurnSpan(each.start, each.end) for each in people.decisions if each.verdict == "correct"}
    measured = shuffle_items(list(gold), "gold")[:MOST_GOLD]
    decided = {each.item for each in people.decisions} | {each.item for each in people.disputes}
    left = [row.item for row in source.rows if row.item not in decided]
    priority = {row.item: row.priority for row in source.rows}
    queue = order_items(left, "priority", endpoint.model, priority, {})[:limit]
    rows = [*measured, *queue]
    tokens = {row: 0 if store.exists(_key(endpoint, _ask(source, row))) else estimate_cost(_ask(source, row)) for row in rows}
    return ModelPlan(
        dataset=dataset,
        version=released.manifest.version,
        source=source,
        gold={row: gold[row] for row in measured},
        rows=rows,
        tokens=tokens,
        budget=budget,
    )


def read_rows(
    store: Store, plan: ModelPlan, endpoint: ChatEndpoint, tell: Callable[[str], None] = lambda _: None
) -> ModelOutcome:
    """Ask a model about the rows of a plan, and store what it decides under its own name.

    Every answer is kept as an artifact, so that a call that was broken off goes on and asks nothing twice. Answers that cannot be
    read, or do not come, decide nothing. The budget is also held against the tokens that the endpoint counts, and tries that came
    to nothing are charged to it. The model is measured only if it was asked about all rows with gold. The call ends early where
    the endpoint is silent (down, slow or busy) on `MOST_SILENT` rows, one after the other. A row that it refuses is no silence:
    the refusal is kept as an answer is, once the endpoint has answered in the same call, so that the queue goes on behind it.
    """
    outcome, reader = ModelOutcome(), name_reader(endpoint)
    affordable = plan.affordable
    scores: list[tuple[float, float]] = []
    unanswered = 0
    refusals: dict[str, dict[str, Any]] = {}
    for place, item in enumerate(affordable):
        if outcome.tokens + plan.tokens[item] > plan.budget:
            break
        tell(f"{place + 1} of {len(affordable)} rows, {outcome.tokens:,} tokens")
        shown = plan.source.show(item)
        found = TurnSpan(shown["found"]["start"], shown["found"]["end"])
        came = outcome.asked + outcome.known + outcome.refused
        span = _read(store, endpoint, plan.source, item, plan.tokens[item], plan.budget - outcome.tokens, outcome, refusals)
        if outcome.asked:  # an endpoint that has answered refuses questions, and not every call
            for key, refusal in refusals.items():
                store.write_json(key, refusal)
            refusals.clear()
        unanswered = 0 if outcome.asked + outcome.known + outcome.refused > came else unanswered + 1
        if unanswered == MOST_SILENT:
            outcome.silent = True
            return outcome
        if item in plan.gold:
            wanted = (plan.gold[item].start, plan.gold[item].end)
            own = 0.0 if span is None else measure_overlap((span.start, span.end), wanted)
            scores.append((own, measure_overlap((found.start, found.end), wanted)))
        if span is not None:
            add_judgements(store, [_judge(plan, item, shown, "span", span, reader)])
            outcome.decided += 1
            outcome.disagreed += span != found
    if len(scores) < len(plan.gold):
        return outcome
    outcome.trust = measure_trust(scores)
    verdict = BELIEVED if outcome.trust.believed else f"not {BELIEVED}"
    add_judgements(
        store, [_judge(plan, f"{plan.dataset} gold", {}, MEASURED, verdict, reader, note=outcome.trust.describe())]
    )  # fmt: skip
    return outcome


def name_reader(endpoint: ChatEndpoint) -> str:
    """Return the name under which a model's decisions are stored."""
    return name_model(endpoint.model)


def _ask(source: ReviewSource, item: str) -> list[dict[str, str]]:
    shown = source.show(item)
    return write_messages(shown["summary"], shown["turns"])


def _read(
    store: Store,
    endpoint: ChatEndpoint,
    source: ReviewSource,
    item: str,
    estimated: int,
    left: int,
    outcome: ModelOutcome,
    refusals: dict[str, dict[str, Any]],
) -> TurnSpan | None:
    """Return the span that the model names, None where there is none to be read; what it cost goes into the outcome.

    `left` tokens may be spent, at `estimated` a try. `refusals` has what the endpoint has refused in this call, by key.
    """
    messages = _ask(source, item)
    key = _key(endpoint, messages)
    try:
        kept = store.read_json_if_there(key)
    except DamagedObjectError:
        kept = None
    if kept is None:
        try:
            answer = endpoint.ask(messages, MOST_ANSWER_TOKENS, left // max(estimated, 1))
        except NoAnswerError as error:
            outcome.unread.append(f"{item}: {error}")
            outcome.tokens += estimated * error.billed  # they may have been counted all the same
            if error.refused:
                outcome.refused += 1
                refusals[key] = _write_answer(endpoint, item) | {"refused": str(error)}
            return None
        outcome.asked += 1
        outcome.tokens += estimated * answer.billed + (estimated if answer.tokens is None else answer.tokens)
        kept = _write_answer(endpoint, item) | {"answer": answer.text[:MOST_ANSWER_CHARACTERS], "tokens": answer.tokens}
        store.write_json(key, kept)
    else:
        outcome.known += 1
    if "refused" in kept:
        outcome.unread.append(f"{item}: refused in a former call ({kept['refused']})")
        return None
    turns = source.show(item)["turns"]
    try:
        return read_span(str(kept["answer"]), turns[0]["number"], turns[-1]["number"])
    except SourceError as error:
        outcome.unread.append(f"{item}: {error}")
        return None


def _write_answer(endpoint: ChatEndpoint, item: str) -> dict[str, Any]:
    """Return what is kept of every answer besides what was answered."""
    return {"model": endpoint.model, "prompt_version": PROMPT_VERSION, "at": datetime.now(UTC).isoformat(), "item": item}


def _key(endpoint: ChatEndpoint, messages: Sequence[Mapping[str, str]]) -> str:
    """Return where the store keeps the answer to a question: it depends on the model, the prompt's version and its words."""
    asked = json.dumps([endpoint.model, PROMPT_VERSION, MOST_ANSWER_TOKENS, list(messages)], sort_keys=True)
    return f"answers/{name_reader(endpoint)}/{hashlib.sha256(asked.encode()).hexdigest()}.json"


def _judge(
    plan: ModelPlan, item: str, shown: Mapping[str, Any], question: str, answer: Any, reader: str, note: str = ""
) -> Judgement:
    return Judgement(
        item=item,
        dataset=plan.dataset,
        version=plan.version,
        question=question,
        answer=answer,
        annotator=reader,
        at=datetime.now(UTC).isoformat(),
        note=note or f"prompt version {PROMPT_VERSION}",
        unit=str(shown.get("unit") or ""),
        digest=str(shown.get("digest") or ""),
    )
