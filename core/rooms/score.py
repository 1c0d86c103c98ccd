"""The report's score: what each criterion finds in a sentence, and the points that it gives.

Reference: Rooms, section 3.3, both tables.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from core.rooms.config import ScoreWeights
from core.rooms.lexicon import INTERJECTIONS, KEYS, PATTERN_TAGS, RoomLexicon, tag_closed, tag_words

SCORE_PARTS = tuple(field.name for field in fields(ScoreWeights))
"""The criteria in the order of the report's tables.

`room`, `floor`, `door`, `wall` and `curse` count once for each similar word, `entity` once for each name, `quote_edge` once for
each end; the others count once for a sentence.
"""
QUOTES = '"“”«»'
Similarity = Callable[[Sequence[str]], Mapping[str, Sequence[float]]]
"""Returns for those of some lower-cased words that it knows their similarities to each of `KEYS`."""

_TOKEN = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*|\d+|[^\w\s]")
_WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")
_YOU = re.compile(r"you(?:[’'](?:re|ve|ll|d))?")
_COMMON_CAPITALS = frozenset({"I", "I'm", "I'll", "I've", "I'd", "OK", "TV"})
_LINKS = frozenset({"of", "the", "de", "von"})


@dataclass(frozen=True, slots=True)
class Part:
    """A criterion that a sentence meets: how often, and the words that show it."""

    name: str
    count: int
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an analyser finds in a sentence: its tokens as they stand, and the criteria that need tags or names.

    `you`: it begins with a form of "you". `tags` are those of its first tokens. `interjections` and `entities` are texts.
    """

    tokens: tuple[str, ...]
    you: bool
    tags: tuple[str, ...]
    interjections: tuple[str, ...]
    entities: tuple[str, ...]


def cut_tokens(text: str) -> tuple[str, ...]:
    """Return words, numbers and single signs, as they stand; a word keeps its apostrophes and hyphens."""
    return tuple(token.replace("’", "'") for token in _TOKEN.findall(text))


def analyse_by_rules(text: str) -> Analysis:
    """Analyse a sentence without a trained pipeline: closed classes, endings, and capitals inside the sentence as names."""
    tokens = cut_tokens(text)
    lowered = [token.lower() for token in tokens]
    words = [place for place, token in enumerate(tokens) if token[0].isalpha()]
    first = words[0] if words else None
    opening = tuple(lowered[words[0] :][:PATTERN_TAGS]) if words else ()
    return Analysis(
        tokens=tokens,
        you=first is not None and _YOU.fullmatch(lowered[first]) is not None,
        tags=tag_words(opening),
        interjections=tuple(
            token for token in lowered if (token in INTERJECTIONS and token != "no") or token == "no" == lowered[0]
        ),
        entities=_find_names(tokens),
    )


_TAGS = {"PROPN": "NOUN", "CCONJ": "CONJ", "SCONJ": "CONJ", "PART": "ADV", "SYM": "PUNCT", "X": "NOUN", "SPACE": "PUNCT"}


def analyse_tagged(tokens: Sequence[tuple[str, str, str]], entities: Sequence[str]) -> Analysis:
    """Analyse a sentence from what a trained pipeline found: tokens as (text, universal tag, lemma), and named entities."""
    first = next((place for place, (text, _, _) in enumerate(tokens) if text[0].isalpha()), len(tokens))
    opening = tokens[first:][:PATTERN_TAGS]
    tags = tuple(tag_closed(text.lower()) or _TAGS.get(tag, tag) for text, tag, _ in opening)
    return Analysis(
        tokens=tuple(text for text, _, _ in tokens),
        you=any("you" in (text.lower(), lemma) for text, _, lemma in opening[:1]),
        tags=tags,
        interjections=tuple(text.lower() for text, tag, _ in tokens if tag == "INTJ"),
        entities=tuple(entities),
    )


def _find_names(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return runs of capitalised words that do not begin a sentence or a quotation; `of` and `the` may join two."""
    names: list[str] = []
    run: list[str] = []
    begins = True
    for place, token in enumerate(tokens):
        capital = token[0].isupper() and token not in _COMMON_CAPITALS
        if (capital and (not begins or _next_is_name(tokens, place))) or (
            run and token in _LINKS and _next_is_name(tokens, place)
        ):
            run.append(token)
        elif run:
            names.append(" ".join(run))
            run = []
        if token[0].isalnum():
            begins = False
        elif token in ".!?:…" or token in QUOTES or token == "-":
            begins = True
    return (*names, *([" ".join(run)] if run else []))


def _next_is_name(tokens: Sequence[str], place: int) -> bool:
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    return following[:1].isupper() and following not in _COMMON_CAPITALS


def find_parts(
    text: str, analysis: Analysis, similarities: Mapping[str, Sequence[float]], threshold: float, lexicon: RoomLexicon
) -> tuple[Part, ...]:
    """Return the criteria that a sentence meets, in the order of `SCORE_PARTS`.

    Args:
        text: the sentence.
        analysis: of it, by rules or by a trained pipeline.
        similarities: of its lower-cased words to `KEYS`; words that are missing are similar to none.
        threshold: a word counts if its similarity is greater.
        lexicon: the patterns that curated sentences open with.

    Reference: Rooms, section 3.3.
    """
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    if analysis.you:
        found["you"] = 1, ()
    if analysis.tags in lexicon.patterns:
        found["pattern"] = 1, (" ".join(analysis.tags),)
    for token in analysis.tokens:
        for key, value in zip(KEYS, similarities.get(token.lower(), ()), strict=False):
            if value > threshold:
                count, words = found.get(key, (0, ()))
                found[key] = count + 1, (*words, f"{token.lower()} {value:.2f}")
    stripped = text.strip()
    edges = (stripped[:1] in QUOTES) + (len(stripped) > 1 and stripped[-1] in QUOTES) if stripped else 0
    if edges:
        found["quote_edge"] = edges, ()
    if stripped.rstrip(QUOTES + " ").endswith("?"):
        found["question"] = 1, ()
    if any(quote in stripped[1:-1] for quote in QUOTES):
        found["quote_inside"] = 1, ()
    if analysis.interjections:
        found["interjection"] = 1, analysis.interjections
    if analysis.entities:
        found["entity"] = len(analysis.entities), analysis.entities
    return tuple(Part(name, *found[name]) for name in SCORE_PARTS if name in found)


def score_parts(parts: Sequence[Part], weights: ScoreWeights) -> float:
    """Return the score of a sentence: the points of each part times how often it counts."""
    return float(sum(getattr(weights, part.name) * part.count for part in parts))


def count_words(text: str) -> int:
    """Return the number of words of a sentence, without numbers and signs."""
    return len(_WORD.findall(text))
