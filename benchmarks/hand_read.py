"""Which turns recap sentences tell of, read for these benchmarks: numbers (`hand_read.tsv`), no text."""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import SourceError
from core.transcripts.evaluation.gold import GoldSentence
from core.transcripts.evaluation.grading import fold_text

HAND_READ = Path(__file__).with_name("hand_read.tsv")
_DIGITS = 10


def read_spans(path: Path = HAND_READ) -> Mapping[str, Mapping[str, tuple[int | None, int | None]]]:
    """Return, by episode and by the hash of a sentence's text, the first and last turn (0-based, inclusive; None: nowhere)."""
    spans: dict[str, dict[str, tuple[int | None, int | None]]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            first, last = (int(row[name]) if row[name] else None for name in ("first_turn", "last_turn"))
            spans.setdefault(row["episode"], {})[row["sentence"]] = (first, last)
    return spans


def find_sentences(
    episode: str, sentences: Sequence[str], n_turns: int, spans: Mapping[str, tuple[int | None, int | None]]
) -> tuple[GoldSentence, ...]:
    """Return the gold of an episode's sentences.

    Raises:
        SourceError: fewer than 98 in a hundred are among the recap's sentences: it is another text, or split by other rules; or a
            span lasts beyond the transcript's turns.
    """
    last = max((last for _, last in spans.values() if last is not None), default=0)
    if last >= n_turns:
        raise SourceError(f"{episode}: found {n_turns} turns; expected more than {last}. Take the transcript that was read")
    texts = {hash_sentence(sentence): sentence for sentence in sentences}
    found = tuple(GoldSentence(texts[key], *span) for key, span in spans.items() if key in texts)
    if len(found) < 0.98 * len(spans):
        raise SourceError(
            f"{episode}: found {len(found)} of the {len(spans)} sentences that were read in its recap; expected at least 98 %. "
            "Take the corpus that was read, and the splitter of the default profile"
        )
    return found


def hash_sentence(text: str) -> str:
    """Return what tells a sentence from the episode's others without holding its text: a hash of its letters and digits."""
    return hashlib.sha256(fold_text(text).encode()).hexdigest()[:_DIGITS]
