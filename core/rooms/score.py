"""The report's score: the words of the offline default, what each criterion finds in a sentence, and which sentences stay.

The table of similar words is made by `lab/fitting/room_lexicon.py` from the packaged sentence embedder.

Reference: Rooms, section 3.3, both tables.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from core.rooms.config import ScoreWeights, SelectionConfig
from core.rooms.copies import CopyReason

KEYS = ("room", "floor", "door", "wall", "curse")
"""What words are compared with (section 3.3). `curse` is the most similar word of `CURSES`."""
CURSES = (
    "fuck", "fucking", "shit", "bullshit", "bastard", "bitch", "asshole", "dick", "cock", "cunt", "piss", "damn", "goddamn",
    "crap", "motherfucker",
)  # fmt: skip
"""What words are compared with, our own choice: the report does not print its curse words."""
CURSE_WORDS = frozenset((
    *CURSES, "arse", "arsehole", "ass", "assholes", "badass", "bastards", "bitches", "bloody", "bollocks", "bugger", "cunts",
    "dammit", "damned", "damnit", "dickhead", "dicks", "dumbass", "fucked", "fucker", "fuckers", "fuckin", "fucks", "goddamned",
    "goddamnit", "hell", "jackass", "pissed", "prick", "shits", "shitty", "twat", "wanker", "whore",
))  # fmt: skip
"""Words that are curses, whatever they are similar to."""

INTERJECTIONS = frozenset((
    "ah", "aha", "ahh", "alas", "argh", "aw", "aww", "awww", "bah", "boo", "bye", "eh", "er", "erm", "gah", "gosh", "ha",
    "hah", "haha", "hahaha", "heh", "hello", "hey", "hi", "hm", "hmm", "hmmm", "hooray", "huh", "hurray", "ja", "jeez",
    "jesus", "mm", "mmhmm", "mmm", "nah", "no", "nope", "oh", "ohh", "okay", "ok", "ooh", "oof", "oops", "ouch", "ow",
    "phew", "please", "pfft", "psst", "shh", "shhh", "sheesh", "thanks", "ugh", "uh", "uhh", "um", "umm", "whoa", "whoo",
    "woah", "woo", "wow", "wowee", "yay", "yea", "yeah", "yep", "yes", "yikes", "yo", "yup",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoomLexicon:
    """Similarity of words to each of `KEYS`, and the tag patterns that curated sentences open with."""

    similarities: Mapping[str, Sequence[float]]
    patterns: frozenset[tuple[str, ...]]


_CLOSED = {
    "DET": "a an the this that these those each every some any no another both all either neither",
    "PRON": """i you he she it we they me him her us them myself yourself himself herself itself ourselves themselves who what
        something nothing anything everything someone one i'm you're he's she's it's we're they're i've you've we've they've
        i'll you'll he'll she'll it'll we'll they'll i'd you'd he'd she'd we'd they'd that's what's""",
    "POSS": "my your his its our their whose",
    "THERE": "there here there's here's",
    "ADP": """in on at of to from with by for into onto through over under above below behind beside between beneath across along
        around against toward towards within without near down up out off inside outside past upon atop amid among about before
        after until throughout""",
    "AUX": """is are was were be been being am has have had do does did can could will would shall should may might must isn't
        aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't""",
    "CONJ": "and or but nor so yet as if while when where because although though than that which whether",
    "NUM": "two three four five six seven eight nine ten twelve twenty thirty forty fifty hundred several many few",
    "ADV": "not very just now then also too again already still even only almost never always maybe well really",
    "VERB": """see find enter look looks stand stands hang hangs lead leads open opens lie lies sit sits contain contains rise
        rises stretch stretches line lines cover covers fill fills get go got going know think want say said make makes take takes
        come comes let gonna feel smell hear seem seems appear appears hold holds run runs walk""",
}
_TAG_OF = {word: tag for tag, words in _CLOSED.items() for word in words.split()}
_UNTAGGED = {word: tag for word, tag in _TAG_OF.items() if tag in ("POSS", "THERE")}
"""Words that universal tags have no tag for."""
_ENDINGS = (
    ("ly", "ADV"), ("ing", "VERB"), ("ed", "VERB"), ("ous", "ADJ"), ("ful", "ADJ"), ("less", "ADJ"), ("ish", "ADJ"),
    ("ive", "ADJ"), ("able", "ADJ"), ("al", "ADJ"), ("en", "ADJ"),
)  # fmt: skip
_ADJECTIVES = frozenset((
    "large", "small", "dark", "old", "great", "huge", "tall", "long", "narrow", "wide", "big", "deep", "high", "low",
    "round", "square", "little", "bright", "dim", "empty", "red", "white", "black", "green", "blue", "grey", "gray",
    "brown", "thick", "thin", "short", "broken", "dusty", "rusty", "cold", "damp", "open", "plain", "single", "rough",
    "smooth", "heavy", "ancient", "massive", "ornate", "dirty", "stony", "rocky", "wet", "dry", "cracked",
))  # fmt: skip


def tag_word(word: str) -> str:
    """Return a coarse tag of a lower-cased token by closed classes and endings: what is left is a NOUN.

    It stands in for a trained tagger where none is installed. Its tags are only ever compared with tags that it has made itself.
    """
    if word in _TAG_OF:
        return _TAG_OF[word]
    if word in INTERJECTIONS:
        return "INTJ"
    if word in _ADJECTIVES:
        return "ADJ"
    if not word[:1].isalpha():
        return "NUM" if word[:1].isdigit() else "PUNCT"
    return next((tag for ending, tag in _ENDINGS if len(word) > 4 and word.endswith(ending)), "NOUN")


PATTERN_TAGS = 4
"""Tags of a pattern: those of a sentence's first tokens."""


def parse_lexicon(similar: str, patterns: str) -> RoomLexicon:
    """Read the two packaged tables: a word and its similarities to `KEYS` a line; the tags of a pattern a line."""
    words, tags = ([line for line in text.splitlines() if line and not line.startswith("#")] for text in (similar, patterns))
    similarities = {word: tuple(map(float, values)) for word, *values in (line.split("\t") for line in words)}
    return RoomLexicon(similarities, frozenset(tuple(line.split()) for line in tags))


SCORE_PARTS = tuple(field.name for field in fields(ScoreWeights))
"""The criteria in the order of the report's tables.

`room`, `floor`, `door`, `wall` and `curse` count once for each similar word, `entity` once for each name; the others count
once for a sentence.
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
    first = next((place for place, token in enumerate(tokens) if token[0].isalpha()), len(tokens))
    opening = lowered[first:][:PATTERN_TAGS]
    return Analysis(
        tokens=tokens,
        you=any(_YOU.fullmatch(token) for token in opening[:1]),
        tags=tuple(map(tag_word, opening)),
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
    tags = tuple(_UNTAGGED.get(text.lower()) or _TAGS.get(tag, tag) for text, tag, _ in opening)
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
    capitals = [token[0].isupper() and token not in _COMMON_CAPITALS for token in tokens]
    for token, capital, goes_on in zip(tokens, capitals, [*capitals[1:], False], strict=False):
        if (capital and (goes_on or not begins)) or (run and goes_on and token in _LINKS):
            run.append(token)
        elif run:
            names.append(" ".join(run))
            run = []
        if token[0].isalnum():
            begins = False
        elif token in ".!?:…" or token in QUOTES or token == "-":
            begins = True
    return (*names, *([" ".join(run)] if run else []))


def find_parts(
    text: str,
    analysis: Analysis,
    similarities: Mapping[str, Sequence[float]],
    threshold: float,
    lexicon: RoomLexicon,
    curses: frozenset[str] | None = None,
) -> tuple[Part, ...]:
    """Return the criteria that a sentence meets, in the order of `SCORE_PARTS`.

    Args:
        text: the sentence.
        analysis: of it, by rules or by a trained pipeline.
        similarities: of its lower-cased words to `KEYS`; words that are missing are similar to none.
        threshold: a word counts if its similarity is greater.
        lexicon: the patterns that curated sentences open with.
        curses: the words that are curses; None takes those that are similar to one.

    Reference: Rooms, section 3.3.
    """
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    if analysis.you:
        found["you"] = 1, ()
    if analysis.tags in lexicon.patterns:
        found["pattern"] = 1, (" ".join(analysis.tags),)
    for token in analysis.tokens:
        values = dict(zip(KEYS, similarities.get(token.lower(), ()), strict=False))
        if curses is not None:
            values["curse"] = float(token.lower() in curses)
        for key, value in values.items():
            if value > threshold:
                count, words = found.get(key, (0, ()))
                found[key] = count + 1, (*words, f"{token.lower()} {value:.2f}")
    stripped = text.strip()
    if stripped and (stripped[0] in QUOTES or stripped[-1] in QUOTES):
        found["quote_edge"] = 1, ()
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


NO_PLACE = "describes no place"
REASONS = (
    "not redistributable", "introduction or sign-off", "copy", "near copy",
    "too short", "too long", "score", "probability", NO_PLACE, "reviewed",
)  # fmt: skip
"""Why a sentence is rejected; where several apply, the first counts.

`describes no place`: a model that reads says so. `reviewed`: raters have rejected it.
"""


def judge_sentence(
    text: str,
    score: float,
    redistributable: bool,
    copied: CopyReason | None,
    config: SelectionConfig,
    read: float | None = None,
    probability: float | None = None,
) -> str | None:
    """Return why a sentence is no room description, one of `REASONS`, or None where it is kept.

    Args:
        text: the sentence.
        score: its points.
        redistributable: whether it may be in a release.
        copied: what makes it a copy; None where it is none.
        config: the settings.
        read: the probability of a description by what a model has read; None where none has. It counts before all others.
        probability: that of a description by its words; None where it is not known, so that the score decides.

    Reference: Rooms, sections 3.2 (copies) and 3.3 (scores less than 1 are excluded).
    """
    if not redistributable:
        return "not redistributable"
    if copied is not None:
        return copied
    words = count_words(text)
    if words <= config.max_short:
        return "too short"
    if words > config.max_words:
        return "too long"
    if config.by == "score" or probability is None:
        if score < config.min_score:
            return "score"
    elif read is None and probability < config.min_probability:
        return "probability"
    return NO_PLACE if read is not None and read < 0.5 else None


def list_candidates(
    texts: Sequence[str],
    scores: Sequence[float],
    allowed: Sequence[bool],
    probabilities: Sequence[float | None],
    config: SelectionConfig,
    for_reader: bool,
) -> list[int]:
    """Return the numbers of the sentences that the settings keep, unless they are copies.

    `for_reader`: those too that the points keep where the probability decides, since a model that reads may find a place there.
    """
    return [
        place
        for place, (text, score, free, value) in enumerate(zip(texts, scores, allowed, probabilities, strict=True))
        for judged in [{value, None} if for_reader else {value}]
        if any(judge_sentence(text, score, free, None, config, probability=each) is None for each in judged)
    ]
