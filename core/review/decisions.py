"""Puts together what annotators have decided of a row. The rule is stated in docs/review.md, and every pipeline follows it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, Literal

from core.metrics.alignment_quality import measure_overlap
from core.review.judgements import (
    PREFIX,
    Judgement,
    TurnSpan,
    digest_row,
    digest_texts,
    find_moment,
    is_model,
    keep_latest,
    list_believed,
)

Verdict = Literal["accept", "reject", "correct"]
ALIGNER = "aligner"
PEOPLE = "people"
REVIEWED = "reviewed"
"""Why a row is left out that annotators have rejected. The word stands in published data, so it must not change."""
DECIDING = ("pair", "span", "links", "room")
"""Questions whose answers decide what becomes of a row; the others rate it."""
LEAST_SECONDS = {
    "pair": 2.0,
    "span": 3.0,
    "links": 3.0,
    "room": 1.0,
    "sense": 5.0,
    "interactions": 5.0,
    "naturalness": 60.0,
    "preference": 5.0,
}
"""An answer that took less time does not count. A minute for comparisons of dialogues: thesis, section 4.4. The others are the
time in which a fast annotator (300 words a minute) reads the shortest summaries, 10 to 15 words."""
AGREED = 0.5
"""F1 from which two spans count as the same answer, as it does for an aligner's span."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What annotators have decided of a row.

    `correct` gives it other turns (`start`, `end`, inclusive; None: no turn tells of it) or other `scenes` (positions from 0).
    `decided_by` is `people`, or `model NAME`. `digest` is what the annotators saw.
    """

    item: str
    verdict: Verdict
    decided_by: str
    digest: str
    start: int | None = None
    end: int | None = None
    scenes: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A row on which annotators do not agree enough: the release keeps what was found, and the queue shows it to a third one."""

    item: str
    annotators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """What comes of all judgements: the decisions, the rows in dispute, and how many answers were too fast to count."""

    decisions: tuple[Decision, ...]
    disputes: tuple[Dispute, ...]
    hasty: int = 0


def settle(judgements: Sequence[Judgement]) -> Settlement:
    """Put the annotators' answers about the rows of one dataset together.

    1. An answer that took less than the least reading time does not count. Of an annotator's answers about a row the last counts.
    2. People come first: models count only where no person has answered, and only those that are believed.
    3. Reject or keep: what more than half of the annotators say. At a tie the row is in dispute.
    4. The turns: from the median of the starts to the median of the ends; of an even number of annotators the two inner ones, so
       that turns count that more than half of the annotators chose. The row is in dispute unless more than half of them agree
       with that span (F1 ≥ ½). The scenes: those that more than half of the annotators chose.
    5. Answers about different texts are counted apart. A dispute about a former text goes when the row is decided under a later.
    """
    believed = list_believed(judgements)
    deciding = [each for each in judgements if each.question in DECIDING]
    slow = [each for each in deciding if is_model(each.annotator) or not is_hasty(each)]
    votes: dict[tuple[str, str], list[Judgement]] = {}
    for vote in sorted(keep_latest(slow, ("item", "digest", "annotator")), key=attrgetter("annotator")):
        votes.setdefault((vote.item, vote.digest), []).append(vote)
    decisions: list[Decision] = []
    disputes: list[tuple[Dispute, datetime]] = []
    decided: dict[str, datetime] = {}
    for item, digest in sorted(votes):
        people = [vote for vote in votes[item, digest] if not is_model(vote.annotator)]
        models = [vote for vote in votes[item, digest] if vote.annotator in believed]
        counted = people or models
        if not counted:
            continue
        by = PEOPLE if people else "model " + " and ".join(vote.annotator.removeprefix(PREFIX) for vote in models)
        decision = _decide(item, digest, counted, by)
        last = max(map(find_moment, counted))
        if decision is None:
            disputes.append((Dispute(item, tuple(vote.annotator for vote in counted)), last))
        else:
            decisions.append(decision)
            decided[item] = max(decided.get(item, last), last)
    open_still = (dispute for dispute, last in disputes if dispute.item not in decided or decided[dispute.item] <= last)
    return Settlement(tuple(decisions), tuple(open_still), len(deciding) - len(slow))


def is_hasty(judgement: Judgement) -> bool:
    """Tell whether an answer took less than the least reading time of its question; an unknown time counts."""
    return judgement.seconds is not None and judgement.seconds < LEAST_SECONDS.get(judgement.question, 0.0)


def _decide(item: str, digest: str, votes: Sequence[Judgement], by: str) -> Decision | None:
    """Return the decision of the votes, None where they do not agree enough."""
    rejecting = sum(vote.answer is False for vote in votes)
    if 2 * rejecting == len(votes):
        return None
    if 2 * rejecting > len(votes):
        return Decision(item=item, verdict="reject", decided_by=by, digest=digest)
    spans = [vote.answer for vote in votes if isinstance(vote.answer, TurnSpan)]
    links = [vote.answer for vote in votes if vote.question == "links" and isinstance(vote.answer, tuple)]
    if spans:
        span = join_spans(spans)
        if span is None:
            return None
        return Decision(item=item, verdict="correct", decided_by=by, digest=digest, start=span.start, end=span.end)
    if links:
        chosen = Counter(scene for scenes in links for scene in scenes)
        scenes = tuple(sorted(scene for scene, count in chosen.items() if 2 * count > len(links)))
        if not scenes and chosen and 2 * sum(not each for each in links) <= len(links):
            return None
        return Decision(item=item, verdict="correct", decided_by=by, digest=digest, scenes=scenes)
    return Decision(item=item, verdict="accept", decided_by=by, digest=digest)


def join_spans(spans: Sequence[TurnSpan]) -> TurnSpan | None:
    """Return the span that more than half of the annotators agree with; None where there is none."""
    placed = [(span.start, span.end) for span in spans if span.start is not None and span.end is not None]
    if 2 * len(placed) < len(spans):
        return TurnSpan(None, None)
    if 2 * len(placed) == len(spans):
        return None
    starts, ends = sorted(start for start, _ in placed), sorted(end for _, end in placed)
    start, end = starts[len(starts) // 2], ends[(len(ends) - 1) // 2]
    if end < start:
        return None
    agreeing = sum(measure_overlap((span.start, span.end), (start, end)) >= AGREED for span in spans)
    return TurnSpan(start, end) if 2 * agreeing > len(spans) else None


def find_rejected(
    rows: Iterable[Mapping[str, Any]], decisions: Iterable[Decision], name: str = "id", summary: str = ""
) -> frozenset[str]:
    """Return the rows, by the column `name`, that annotators have rejected, of those whose texts are still what they saw.

    They saw the texts of a row's `turns`, and the column `summary` ("": none).
    """
    rejected = {(decision.item, decision.digest) for decision in decisions if decision.verdict == "reject"}
    texts = ((row, digest_texts([turn["text"] for turn in row["turns"]])) for row in rows if rejected)
    return frozenset(row[name] for row, turns in texts if (row[name], digest_row(row.get(summary, ""), turns)) in rejected)
