"""Replies that know what the post tells only later: people comment on the whole post, and the search says it piece by piece."""

from collections.abc import Iterable

from core.text.terms import content_words
from core.threads.segments import Sentences

MOST_WORDS = 3
"""Words of the rest of the post that count at most, so that long replies are not ruled out."""
_STEM = 6
_USUAL_WORDS = """
1 2 3 4 5 able absolu academ accept actual advice adviso almost alread always am anothe answer anyone anythi applic apply
aren't around ask assign away back bad best better big bit both can't care career case change class classe colleg come commen
commun comple congra consid course curren day days defini degree depart depend didn't differ doesn' doing done due during each
either else end enough especi etc even ever every everyo everyt expect experi family far feel feelin few field find fine
finish first found friend full genera gettin give go going good got grad gradua great happen happy hard having health help
high honest hope hours howeve i'd i'll i'm i've idea import intere intern isn't job keep kind know lab last learn learni least
less let life like litera little lol long look lookin lot love luck made major make makes making manage many master matter may
maybe mean mental might money most much myself need never new next normal nothin often once one online only option other
others paper papers parent part pay people person phd place point positi possib post pretty probab proble proces profes progra
projec public put questi read readin really reason recomm rememb requir resear respon review right said same say school scienc
second see semest shit should simila since situat social someon someth someti sorry sounds specif start starte still stress
studen study stuff suppor sure take taking talk teachi tell thesis they'r thing things think though time times took top try
trying two underg unders univer until use used usuall want wanted way week well went whatev withou won't work worked workin
world worth wouldn write writin year years yes you'll you're you've yourse
"""
USUAL_STEMS = frozenset(_USUAL_WORDS.split())
"""Stems that more than 2 % of 13,404 comments have (of posts that scorers may be trained on): they tell nothing of a post."""


def list_word_stems(sentences: Iterable[str]) -> frozenset[str]:
    """Return the first six letters of the content words of sentences, without those that many comments have.

    Numbers count as words.
    """
    return frozenset(word[:_STEM] for sentence in sentences for word in content_words(sentence)) - USUAL_STEMS


def list_untold(said: Sentences, unsaid: Sentences) -> list[frozenset[str]]:
    """Return for each sentence of a post the stems that only what comes after it has, `unsaid` (what is cut off) included."""
    stems = [list_word_stems([sentence]) for sentence in said]
    untold = [frozenset[str]()] * len(said)
    later = set(list_word_stems(unsaid))
    for place in reversed(range(len(said))):
        untold[place] = frozenset(later - set().union(*stems[: place + 1]))
        later |= stems[place]
    return untold


def count_foreknown(reply: frozenset[str], untold: frozenset[str]) -> int:
    """Return how many stems of a reply the post tells only later, at most `MOST_WORDS`."""
    return min(len(reply & untold), MOST_WORDS)
