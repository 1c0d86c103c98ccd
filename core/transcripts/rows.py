"""Decides what becomes of every chunk of an episode: its kind, why it is dropped, and whether it is one to train on.

The aligner computes the scores; here the filter's thresholds and the decisions of readers are applied.
"""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from core.alignment.spans import Chunk, Span
from core.dataset.rejects import RejectedRows, Rule
from core.review.decisions import ALIGNER, Decision
from core.review.judgements import digest_row, digest_texts
from core.transcripts.config import FilterConfig
from core.transcripts.recaps.recap import Recap, SectionKind

REASONS = (
    "too-few-chunks",
    "unaligned",
    "question-and-answer",
    "too-few-turns",
    "too-many-turns",
    "low-confidence",
    "duplicate",
    "shared-turn",
    "untold",
    "reviewed",
    "foreign-recap",
)
"""Why a pair is dropped. These words stand in published data, so they must not change."""


RULES = (
    Rule("too-few-chunks", "min_chunks", "chunks"),
    Rule("too-few-turns", "min_turns", "turns"),
    Rule("too-many-turns", "max_turns", "turns", least=False),
    Rule("low-confidence", "min_confidence", "confidence", "confidence"),
)
"""The rules that bound a value, in the order in which they are asked."""
REJECT_COLUMNS = ("episode", "chunk_size", "offset", "turn_start", "turn_end", *(rule.column for rule in RULES if rule.column))
"""What `explain_rejects` reads of the table `rejects`, beside `reason`."""

FOREIGN = "foreign-recap"
"""The reason of all rows of a unit whose recap is taken for that of another dialogue."""
_MOST_NAMED = 10  # units with such a recap
_SWITCHES: Mapping[str, tuple[str, str]] = {
    "question-and-answer": ("excluded", "without the mark all of them pass"),
    "duplicate": ("duplicates", "keep lets all of them pass"),
    "shared-turn": ("shared_turn_words", "0 lets all of them pass"),
    "unaligned": ("", "the aligner found no turns that tell of them; no setting of the filter does"),
    FOREIGN: ("", 'their recap is taken for that of another dialogue; matching.foreign = "keep" lets all pass'),
    "reviewed": ("", "readers have rejected them (`fabula review`); no setting of the filter does"),
}
"""The setting that decides for each other reason, "" where none does, and what to do."""


def judge_alignments(aligned: Sequence[tuple[Chunk, Span]], config: FilterConfig) -> list[str | None]:
    """Return for each aligned chunk of an episode the reason why it is dropped, None where it is kept.

    `aligned` holds all chunkings of the episode. A chunking is a chunk size and an offset. Chunks by paragraph or section
    (size 0) are judged by the largest chunking: sentences show whether a wiki page is complete, paragraphs do not.
    """
    chunkings = Counter((chunk.size, chunk.offset) for chunk, _ in aligned)
    most = max(chunkings.values(), default=0)
    return [
        judge_pair(chunk.text, span, chunkings[chunk.size, chunk.offset] if chunk.size else most, config)
        for chunk, span in aligned
    ]


def judge_pair(summary: str, span: Span, chunks: int, config: FilterConfig) -> str | None:
    """Return the reason for dropping an aligned chunk, or None to keep it.

    The rules are checked in the order of `REASONS`; the first one that applies gives the reason. Where the aligner gives no
    confidence, that rule passes. `chunks` is how many chunks the chunking (episode, chunk size, offset) has.

    Reference: CRD3, section 4.1, "Data Augmentation", for all rules but the confidence. The paper's text says 2 < turns and more
    than 10 chunks. The published pairs follow 2 ≤ turns ≤ 100 and at least 10 chunks.
    """
    if RULES[0].drops(chunks, config):
        return RULES[0].reason
    if span.start is None or span.end is None:
        return "unaligned"
    if any(mark in summary for mark in config.excluded):
        return "question-and-answer"
    values = {"chunks": chunks, "turns": span.end - span.start + 1, "confidence": span.confidence}
    return next((rule.reason for rule in RULES if rule.drops(values[rule.measure], config)), None)


def explain_rejects(config: FilterConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    """Return the dropped chunks by reason, in the order of the rules, each with the setting that decides and what it would take.

    `rows` are those of the table `rejects`. The rules after the one that dropped a chunk were not asked: a chunk that one rule
    lets pass may be dropped by a later one.
    """
    counts: Counter[str] = Counter()
    rules = {rule.reason: rule for rule in RULES}
    values: dict[str, list[Any]] = {reason: [] for reason in rules}
    few: Counter[tuple[str, int, int]] = Counter()
    foreign: set[str] = set()
    for row in rows:
        reason = row["reason"]
        counts[reason] += 1
        if reason == FOREIGN:
            foreign.add(row["episode"])
        rule = rules.get(reason)
        if rule is not None and rule.measure == "chunks":
            few[row["episode"], row["chunk_size"], row["offset"]] += 1
        elif rule is not None:
            turns = 0 if row["turn_start"] is None else row["turn_end"] - row["turn_start"] + 1
            values[reason].append(row[rule.column] if rule.column else turns)
    most: dict[str, int] = {}
    for (episode, size, _), count in few.items():
        if size:
            most[episode] = max(most.get(episode, 0), count)
    for (episode, size, _), count in few.items():  # paragraphs and sections go with the largest chunking (`judge_alignments`)
        values["too-few-chunks"] += [count if size else most.get(episode, count)] * count
    explained = []
    for reason in REASONS:
        if reason in rules and reason in counts:
            explained.append(rules[reason].explain(config, values[reason]))
        elif reason in counts:
            name, note = _SWITCHES.get(reason, ("", ""))
            if reason == FOREIGN:
                named = ", ".join(sorted(foreign)[:_MOST_NAMED]) + (", …" if len(foreign) > _MOST_NAMED else "")
                note = f"of {named}: {note}"
            value = getattr(config, name) if name else ""
            setting = f"filter.{name} = {list(value) if isinstance(value, tuple) else value}" if name else ""
            explained.append(RejectedRows(reason=reason, count=counts[reason], setting=setting, note=note))
    return explained


UNTOLD_OFFSET = 2
"""Chunks of size 0 with this offset are paragraphs that tell nothing; offsets 0 and 1 are paragraphs and sections."""


@dataclass(frozen=True, slots=True)
class JudgedChunk:
    """A chunk with its span, the kind of its section, and why it is dropped (None: kept).

    `train_on` tells whether it is among the kept chunks that cover the recap once. `decided_by` is who decided its span: the
    aligner, people or a model. `found` is the aligner's span where readers have given it another one.
    """

    chunk: Chunk
    span: Span
    kind: SectionKind
    reason: str | None
    train_on: bool = False
    decided_by: str = ALIGNER
    found: Span | None = None


def name_chunk(episode: str, chunk: Chunk) -> str:
    """Return the id of a chunk's row: `C1E001_2_0_0017`."""
    return f"{episode}_{chunk.size}_{chunk.offset}_{chunk.index:04d}"


def decide_rows(
    aligned: Sequence[tuple[Chunk, Span]], recap: Recap, turn_words: Sequence[int], config: FilterConfig
) -> list[JudgedChunk]:
    """Return what becomes of every chunk of an episode, and after them of every paragraph that tells nothing.

    `aligned` has all chunkings of the episode, `turn_words` the number of words of each turn. The rules are applied in this
    order: the thresholds of `judge_alignments`, exact repeats, pairs that share one long turn. What is left is kept.
    """
    kinds = recap.kinds_of_sentences()
    judged = [
        JudgedChunk(chunk, span, kinds[chunk.first_sentence], reason)
        for (chunk, span), reason in zip(aligned, judge_alignments(aligned, config), strict=True)
    ]
    judged = reject_duplicates(judged, config)
    if config.shared_turn_words:
        judged = _reject_sharers(judged, turn_words, config.shared_turn_words)
    return [*mark_cover(judged, config), *_list_untold(recap)]


def mark_moved(rows: Sequence[JudgedChunk], found: Sequence[tuple[Chunk, Span]], decided_by: str) -> list[JudgedChunk]:
    """Return an episode's rows, with `decided_by` where a chunk has other turns than the aligner has `found` by itself.

    `found` has the chunks of the rows in their order; the paragraphs that tell nothing come after them.
    """
    moved = [(row.span.start, row.span.end) != (span.start, span.end) for row, (_, span) in zip(rows, found, strict=False)]
    marked = [replace(row, decided_by=decided_by) if is_moved else row for row, is_moved in zip(rows, moved, strict=False)]
    return [*marked, *rows[len(moved) :]]


def mark_cover(rows: Sequence[JudgedChunk], config: FilterConfig) -> list[JudgedChunk]:
    """Mark the kept rows that cover the recap once (`train_on`), and no others; long ones are left out (`config`)."""
    most_turns = config.train_on_turns or math.inf
    candidates = [
        place
        for place, row in enumerate(rows)
        if row.reason is None
        and row.chunk.last_sentence - row.chunk.first_sentence < config.train_on_sentences
        and (row.span.start is None or row.span.end is None or row.span.end - row.span.start < most_turns)
    ]
    chosen = {candidates[number] for number in choose_cover([rows[place] for place in candidates])}
    return [replace(row, train_on=place in chosen) for place, row in enumerate(rows)]


def choose_cover(rows: Sequence[JudgedChunk]) -> list[int]:
    """Return the places of the rows that cover the recap best without sharing a sentence, in order of their sentences.

    The chosen rows have the highest sum of sentences times confidence; of equal sums the one whose rows come first.

    Reference: weighted interval scheduling, Kleinberg and Tardos, "Algorithm Design", 2005, section 6.1.
    """
    order = sorted(range(len(rows)), key=lambda place: (rows[place].chunk.last_sentence, rows[place].chunk.first_sentence))
    ends = [rows[place].chunk.last_sentence for place in order]
    free = [bisect_left(ends, rows[place].chunk.first_sentence) for place in order]  # how many rows end before this one
    best = [0.0]
    for number, place in enumerate(order):
        best.append(max(best[number], best[free[number]] + _weigh(rows[place])))
    chosen: list[int] = []
    number = len(order)
    while number:
        if best[number] > best[number - 1]:
            chosen.append(order[number - 1])
            number = free[number - 1]
        else:
            number -= 1
    return chosen[::-1]


def _weigh(row: JudgedChunk) -> float:
    confidence = 1.0 if row.span.confidence is None else row.span.confidence
    return (row.chunk.last_sentence - row.chunk.first_sentence + 1) * confidence


def reject_duplicates(rows: Sequence[JudgedChunk], config: FilterConfig) -> list[JudgedChunk]:
    """Drop kept rows with the summary and the span of an earlier one, unless the settings keep them."""
    if config.duplicates == "keep":
        return list(rows)
    seen: set[tuple[str, int | None, int | None]] = set()
    judged: list[JudgedChunk] = []
    for row in rows:
        key = (row.chunk.text, row.span.start, row.span.end)
        judged.append(replace(row, reason="duplicate") if row.reason is None and key in seen else row)
        if row.reason is None:
            seen.add(key)
    return judged


def _reject_sharers(rows: Sequence[JudgedChunk], turn_words: Sequence[int], long: int) -> list[JudgedChunk]:
    """Keep one row for each long turn that is most of the dialogue of several rows about different sentences.

    Each would pair nearly the same words with another summary. The row that covers most sentences, weighted by confidence, is
    kept.
    """
    total = [0, *accumulate(turn_words)]
    sharers: defaultdict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        start, end = row.span.start, row.span.end
        if row.reason is None and start is not None and end is not None:
            turn = max(range(start, end + 1), key=turn_words.__getitem__)
            if turn_words[turn] >= long and 2 * turn_words[turn] > total[end + 1] - total[start]:
                sharers[turn].append(place)
    dropped: set[int] = set()
    for places in sharers.values():
        first_end = min(rows[place].chunk.last_sentence for place in places)
        last_start = max(rows[place].chunk.first_sentence for place in places)
        if first_end < last_start:  # two of them have no sentence in common
            best = max(places, key=lambda place: (_weigh(rows[place]), -place))
            dropped.update(place for place in places if place != best)
    return [replace(row, reason="shared-turn") if place in dropped else row for place, row in enumerate(rows)]


def _list_untold(recap: Recap) -> list[JudgedChunk]:
    """Return the paragraphs that tell nothing as dropped rows, with an empty range of sentences at their place."""
    rows: list[JudgedChunk] = []
    sentence = 0
    for section, kind in zip(recap.sections, recap.kinds(), strict=True):
        for number in section.untold:
            chunk = Chunk(0, UNTOLD_OFFSET, len(rows), sentence, sentence - 1, section.paragraphs[number])
            rows.append(JudgedChunk(chunk, Span(None, None, 0.0), kind, "untold"))
        sentence += len(section.sentences)
    return rows


OVERRULED = ("low-confidence", "unaligned", "duplicate", "shared-turn")
"""Reasons that a reader overrules: guesses of the aligner, and rules that compare spans. The others are about form, and stay."""


def apply_decisions(
    episode: str, rows: Sequence[JudgedChunk], turns: Sequence[str], decisions: Iterable[Decision], config: FilterConfig
) -> list[JudgedChunk]:
    """Return the rows of an episode as readers have decided, in their order.

    A decision counts for its row and for every row with the same sentences that has none of its own, where summary and turns are
    what the reader saw. A corrected row has the reader's span and no confidence. Kept and corrected rows pass all filters but
    those that judge the aligner's span. Exact repeats are dropped again, and the cover to train on is chosen anew.
    """
    dialogue = digest_texts(turns)
    known = {(decision.item, decision.digest): decision for decision in decisions}
    own = [known.get((name_chunk(episode, row.chunk), digest_row(row.chunk.text, dialogue))) for row in rows]
    valid = [decision if decision and decision.scenes is None and (decision.end or 0) < len(turns) else None for decision in own]
    by_sentences = {
        (row.chunk.first_sentence, row.chunk.last_sentence, row.chunk.text): decision
        for row, decision in zip(rows, valid, strict=True)
        if decision is not None
    }
    if not by_sentences:
        return list(rows)
    chunkings = Counter((row.chunk.size, row.chunk.offset) for row in rows if row.reason != "untold")
    most = max(chunkings.values(), default=0)
    reviewed: list[JudgedChunk] = []
    for row, decision in zip(rows, valid, strict=True):
        chunk = row.chunk
        found = decision or by_sentences.get((chunk.first_sentence, chunk.last_sentence, chunk.text))
        if found is not None and row.reason != "untold":
            row = _apply(row, found, chunkings[chunk.size, chunk.offset] if chunk.size else most, config)
        reviewed.append(row)
    return mark_cover(reject_duplicates(reviewed, config), config)


def _apply(row: JudgedChunk, decision: Decision, chunks: int, config: FilterConfig) -> JudgedChunk:
    if decision.verdict == "reject":
        return replace(row, reason="reviewed", decided_by=decision.decided_by)
    span, found, reason = row.span, None, row.reason
    if decision.verdict == "correct" and (decision.start, decision.end) != (span.start, span.end):
        span, found = Span(decision.start, decision.end, span.score, None), span
    if reason is None or reason in OVERRULED:
        reason = judge_pair(row.chunk.text, replace(span, confidence=None), chunks, config)
    return replace(row, span=span, reason=reason, decided_by=decision.decided_by, found=found)
