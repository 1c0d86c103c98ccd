"""Words of the offline default: which are similar to the report's key words, and the closed classes of English.

The table of similar words is made by `lab/fitting/room_lexicon.py` from the packaged sentence embedder. `parse_lexicon` reads it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

KEYS = ("room", "floor", "door", "wall", "curse")
"""What words are compared with (section 3.3). `curse` is the most similar word of `CURSES`."""
CURSES = (
    "fuck", "fucking", "shit", "bullshit", "bastard", "bitch", "asshole", "dick", "cock", "cunt", "piss", "damn", "goddamn",
    "crap", "motherfucker",
)  # fmt: skip
"""Our own list: the report does not print its curse words."""

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


def tag_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return a coarse tag for each lower-cased token by closed classes and endings: what is left is a NOUN.

    It stands in for a trained tagger where none is installed. Its tags are only ever compared with tags that it has made itself.
    """
    return tuple(_tag(word) for word in words)


def tag_closed(word: str) -> str | None:
    """Return the tag of a lower-cased word that universal tags have no tag for (`my`, `there`), None for any other."""
    tag = _TAG_OF.get(word)
    return tag if tag in ("POSS", "THERE") else None


def _tag(word: str) -> str:
    if word in _TAG_OF:
        return _TAG_OF[word]
    if word in INTERJECTIONS:
        return "INTJ"
    if word in _ADJECTIVES:
        return "ADJ"
    if not word[:1].isalpha():
        return "NUM" if word[:1].isdigit() else "PUNCT"
    if len(word) > 4:
        for ending, tag in _ENDINGS:
            if word.endswith(ending):
                return tag
    return "NOUN"


PATTERN_TAGS = 4
"""Tags of a pattern: those of a sentence's first tokens."""


def parse_lexicon(similar: str, patterns: str) -> RoomLexicon:
    """Read the two packaged tables: a word and its similarities to `KEYS` a line; the tags of a pattern a line."""
    similarities = {}
    for line in similar.splitlines():
        if line and not line.startswith("#"):
            word, *values = line.split("\t")
            similarities[word] = tuple(map(float, values))
    found = (tuple(line.split()) for line in patterns.splitlines() if line and not line.startswith("#"))
    return RoomLexicon(similarities, frozenset(found))
