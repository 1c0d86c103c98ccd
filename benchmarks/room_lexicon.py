"""Makes the packaged tables of the rooms score: words similar to the key words, and tag patterns of curated sentences.

    python benchmarks/room_lexicon.py            # ten minutes; writes two tables to infra/profiles/default

The words are those of WordNet's noun index, and their plurals; the similarity is the cosine of the packaged sentence embedder.
The patterns are learned from the curated sentences of the report's dataset, without those that CRD3's weak labels hold.
Both tables are facts, and hold no sentence.
"""

import json
import os
import re
from collections import Counter
from pathlib import Path

from core.rooms.lexicon import CURSES, KEYS
from core.rooms.score import analyse_by_rules
from infra.models.room_words import EmbeddedWords

CORPORA = Path(os.environ["FABULA_CORPORA"])
TARGET = Path(__file__).parents[1] / "infra" / "profiles" / "default"
LEAST_SIMILARITY = 0.4
LEAST_SENTENCES = 5
"""Curated sentences that open with the same tags make a pattern."""


def list_nouns() -> list[str]:
    """Return the nouns of WordNet that are one word of 3 to 16 letters."""
    lines = (CORPORA / "wordnet" / "index.noun").read_text(encoding="utf-8").splitlines()
    return sorted({word for line in lines if re.fullmatch(r"[a-z]{3,16}", word := line.split(" ", 1)[0])})


def form_plural(noun: str) -> str:
    """Return the regular plural."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def list_similar() -> dict[str, tuple[float, ...]]:
    """Return the nouns and plurals that are similar to a key word, with their similarities to all."""
    similarities = EmbeddedWords("all-MiniLM-L6-v2", [CURSES if key == "curse" else (key,) for key in KEYS])
    nouns = list_nouns()
    known = similarities(nouns)
    near = [word for word in nouns if max(known[word]) > LEAST_SIMILARITY]
    words = sorted({*near, *map(form_plural, near)})
    known = similarities(words)
    return {word: tuple(known[word]) for word in words if max(known[word]) > LEAST_SIMILARITY}


def learn_patterns() -> list[tuple[str, ...]]:
    """Return the tags that at least `LEAST_SENTENCES` curated sentences open with."""
    labelled = {
        json.loads(line)["text"].strip()
        for line in (CORPORA / "rooms" / "crd3_weak_labels.jsonl").read_text("utf-8").splitlines()
    }
    curated = [line.strip() for line in (CORPORA / "rooms" / "dungeons-dataset.csv").read_text("utf-8").splitlines()]
    counts = Counter(analyse_by_rules(text).tags for text in curated if text and text not in labelled)
    return sorted(tags for tags, count in counts.items() if count >= LEAST_SENTENCES and len(tags) > 1)


def write_tables(similar: dict[str, tuple[float, ...]], patterns: list[tuple[str, ...]]) -> None:
    """Write both tables."""
    lines = [
        "# Words of WordNet 3.0 (WordNet licence) and their plurals: cosine similarity, by the sentence embedder",
        f"# all-MiniLM-L6-v2, to {', '.join(KEYS)}. Made by benchmarks/room_lexicon.py.",
    ]
    lines += ["\t".join((word, *(f"{value:.3f}" for value in values))) for word, values in similar.items()]
    (TARGET / "rooms_words.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    head = "# Tags of the first words of curated sentences (core/rooms/lexicon.py). Made by benchmarks/room_lexicon.py."
    (TARGET / "rooms_patterns.txt").write_text("\n".join([head, *map(" ".join, patterns)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_tables(list_similar(), learn_patterns())
