"""Makes the packaged tables of the rooms score: words similar to the key words, and tag patterns of curated sentences.

    python -m lab.fitting.room_lexicon               # ten minutes; writes two tables to infra/profiles/default
    python -m lab.fitting.room_lexicon --patterns    # the patterns only: 20 seconds

The words are those of WordNet's noun index, and their plurals; the similarity is the cosine of the packaged sentence embedder.
The patterns are learned from the curated sentences of the report's dataset. A pattern has to open them several times as often as
the sentences of every fourth episode of CRD3. No sentence that CRD3's weak labels hold is looked at.
Both tables are facts, and hold no sentence.
"""

import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

from core.rooms.config import SelectionConfig
from core.rooms.score import CURSES, KEYS, analyse_by_rules, count_words
from core.rooms.sentences import Rights, read_document, split_passages
from core.text.sentences import make_splitter
from infra.models.room_words import open_embedded_words

CORPORA = Path(os.environ["FABULA_CORPORA"])
TARGET = Path(__file__).parents[2] / "infra" / "profiles" / "default"
LEAST_SIMILARITY = 0.4
LEAST_SENTENCES = 5
"""Curated sentences that open with the same tags make a pattern."""
LEAST_RATIO = 4
"""How many times as often a pattern opens curated sentences as it opens ordinary talk.

Chosen among 0, 1, 2, 4 and 8 by average precision on CRD3's weak labels: on four of the five folds by episode, 2 or 4 is the best
for the fifth (.904 together; .900 with 0, where any opening of a curated sentence is a pattern).
"""


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
    similarities = open_embedded_words("all-MiniLM-L6-v2", tuple(CURSES if key == "curse" else (key,) for key in KEYS))
    nouns = list_nouns()
    known = similarities(nouns)
    near = [word for word in nouns if max(known[word]) > LEAST_SIMILARITY]
    words = sorted({*near, *map(form_plural, near)})
    known = similarities(words)
    return {word: tuple(known[word]) for word in words if max(known[word]) > LEAST_SIMILARITY}


def list_talk(labelled: set[str]) -> list[str]:
    """Return the sentences of every fourth episode of campaign 1 that are not labelled and not too short to be kept."""
    split, short = make_splitter("regex"), SelectionConfig().max_short
    paths = sorted((CORPORA / "crd3" / "cleaned data").glob("C1E*.json"))[::4]
    passages = [read_document(path.name, path.read_bytes(), path.stem, Rights("", "")) for path in paths]
    texts = (sentence.text for found in passages for sentence in split_passages(found, split))
    return [text for text in texts if text not in labelled and count_words(text) > short]


def learn_patterns() -> list[tuple[str, ...]]:
    """Return the tags that at least `LEAST_SENTENCES` curated sentences open with, and talk `LEAST_RATIO` times as seldom."""
    labelled = {
        json.loads(line)["text"].strip()
        for line in (CORPORA / "rooms" / "crd3_weak_labels.jsonl").read_text("utf-8").splitlines()
    }
    lines = (CORPORA / "rooms" / "dungeons-dataset.csv").read_text("utf-8").splitlines()
    curated = [text for line in lines if (text := line.strip()) and text not in labelled]
    talk = list_talk(labelled)
    counts, ordinary = (Counter(analyse_by_rules(text).tags for text in texts) for texts in (curated, talk))
    least = {tags: LEAST_RATIO * (ordinary[tags] + 1) / len(talk) for tags in counts}
    return sorted(
        tags
        for tags, count in counts.items()
        if count >= LEAST_SENTENCES and len(tags) > 1 and count / len(curated) >= least[tags]
    )


def write_words(similar: dict[str, tuple[float, ...]]) -> None:
    """Write the table of similar words."""
    lines = [
        "# Words of WordNet 3.0 (WordNet licence) and their plurals: cosine similarity, by the sentence embedder",
        f"# all-MiniLM-L6-v2, to {', '.join(KEYS)}. Made by lab/fitting/room_lexicon.py.",
    ]
    lines += ["\t".join((word, *(f"{value:.3f}" for value in values))) for word, values in similar.items()]
    (TARGET / "rooms_words.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_patterns(patterns: list[tuple[str, ...]]) -> None:
    """Write the table of tag patterns."""
    head = "# Tags of the first words of curated sentences (core/rooms/score.py). Made by lab/fitting/room_lexicon.py."
    (TARGET / "rooms_patterns.txt").write_text("\n".join([head, *map(" ".join, patterns)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_patterns(learn_patterns())
    if "--patterns" not in sys.argv:
        write_words(list_similar())
