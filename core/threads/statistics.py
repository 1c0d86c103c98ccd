"""Figures of a dataset of dialogues (tables 2.2 and 4.x of the thesis): sizes, lengths, repetition, and what was dropped."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.threads.formats import UNREADABLE


@dataclass(slots=True)
class DialogueTotals:
    """Sums over dialogues, one at a time: the dialogues themselves are not kept.

    `repeated` needs the distinct sentences, of which only hashes are held (8 bytes and the set's room each).
    """

    dialogues: int = 0
    turns: int = 0
    words: int = 0
    pieces: Counter[str] = field(default_factory=Counter)
    by_turns: Counter[int] = field(default_factory=Counter)
    topics: Counter[str] = field(default_factory=Counter)
    coherence: float = 0.0
    sentences: int = 0
    seen: set[int] = field(default_factory=set)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a dialogue, a row of the release."""
        self.dialogues += 1
        self.turns += len(row["turns"])
        self.words += sum(len(turn["text"].split()) for turn in row["turns"])
        self.pieces.update(piece["kind"] for piece in row["pieces"])
        self.by_turns[len(row["turns"])] += 1
        self.topics[row["topic"]] += 1
        self.coherence += row["coherence"]
        for sentence in (sentence.casefold() for piece in row["pieces"] for sentence in piece["sentences"]):
            self.sentences += 1
            self.seen.add(hash(sentence))


def describe_dialogues(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of dialogues.

    `repetition` is the share of sentences that stand in the dialogues before, exactly but for case (section 2.1: Topical-Chat).
    Means are None without dialogues.
    """
    totals = DialogueTotals()
    for row in rows:
        totals.add(row)
    count, turns = totals.dialogues, totals.turns
    return {
        "dialogues": count,
        "utterances": turns,
        "turns_per_dialogue": turns / count if count else None,
        "words_per_turn": totals.words / turns if turns else None,
        "dialogues_by_turns": {str(length): totals.by_turns[length] for length in sorted(totals.by_turns)},
        "pieces": dict(sorted(totals.pieces.items())),
        "topics": dict(sorted(totals.topics.items())),
        "coherence": totals.coherence / count if count else None,
        "repetition": 1 - len(totals.seen) / totals.sentences if totals.sentences else None,
    }


def count_drops(counts: Sequence[tuple[tuple[str, str], int]]) -> dict[str, dict[str, int]]:
    """Return how many were dropped, by kind and reason; counts inside reasons are left out of their names."""
    dropped: dict[str, Counter[str]] = {}
    for (kind, reason), count in counts:
        name = "not listed by the page" if reason.endswith("does not list") else reason
        name = UNREADABLE if reason.startswith(UNREADABLE) else name
        dropped.setdefault(kind, Counter())[name] += count
    return {kind: dict(sorted(reasons.items())) for kind, reasons in sorted(dropped.items())}


def tabulate_threads(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the figures as rows of a table: `metric` and `value`."""
    figures = statistics["figures"]
    names = ("dialogues", "utterances", "turns_per_dialogue", "words_per_turn", "coherence", "repetition")
    rows = [{"metric": name.replace("_", " "), "value": _format(figures[name])} for name in names]
    for kind, reasons in statistics["dropped"].items():
        rows += [{"metric": f"{kind}s dropped: {reason}", "value": str(count)} for reason, count in reasons.items()]
    return rows


def _format(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3g}"
