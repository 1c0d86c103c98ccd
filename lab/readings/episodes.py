"""Reads `episodes.tsv`: the turns that recap sentences tell of, annotated for these benchmarks. The file has no text."""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import SourceError
from core.transcripts.evaluation import GoldSentence, fold_text

HAND_READ = Path(__file__).with_name("episodes.tsv")
_DIGITS = 10


def read_spans(path: Path = HAND_READ) -> Mapping[str, Mapping[str, tuple[int | None, int | None]]]:
    """Return the first and last turn (0-based, inclusive; None: no turn) by episode and by the hash of a sentence's text."""
    spans: dict[str, dict[str, tuple[int | None, int | None]]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            first, last = (int(row[name]) if row[name] else None for name in ("first_turn", "last_turn"))
            spans.setdefault(row["episode"], {})[row["sentence"]] = (first, last)
    return spans


def find_sentences(
    episode: str, sentences: Sequence[str], n_turns: int, spans: Mapping[str, tuple[int | None, int | None]]
) -> tuple[GoldSentence, ...]:
    """Return the gold spans of an episode's sentences."""
    last = max((last for _, last in spans.values() if last is not None), default=0)
    if last >= n_turns:
        raise SourceError(f"{episode}: found {n_turns} turns; expected more than {last}. Use the annotated transcript")
    texts = {hash_sentence(sentence): sentence for sentence in sentences}
    found = tuple(GoldSentence(texts[key], *span) for key, span in spans.items() if key in texts)
    if len(found) < 0.98 * len(spans):
        raise SourceError(
            f"{episode}: found {len(found)} of the {len(spans)} annotated sentences in its recap; expected at least 98 %. "
            "Use the annotated corpus, and the splitter of the default profile"
        )
    return found


def hash_sentence(text: str) -> str:
    """Return a hash of a sentence's letters and digits, which identifies it in its episode without storing its text."""
    return hashlib.sha256(fold_text(text).encode()).hexdigest()[:_DIGITS]
