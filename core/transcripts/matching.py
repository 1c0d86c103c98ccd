"""Tells whether recaps are of their dialogues: each is compared with its own and with those of other units of the source.

Both checks of `docs/recaps.md` are here: the episode that a page names, and the words that it tells.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.aligners import EpisodeAlignment
from core.alignment.spans import Chunk, Order, Span
from core.dialogue import Turn
from core.errors import SourceError
from core.text.terms import content_terms
from core.transcripts.aligning import number_parts
from core.transcripts.recaps.recap import Recap
from core.wiki.page_names import find_episode_codes

SURE = 5.0
"""Nats that a recap must fit better, or worse, than by chance: misplaced recaps are about e^5 times as rare as right ones."""
_PROBABLE = 0.7  # score from which a span counts as probable
_LEAST_REACHED = 0.2  # least share of the turns that the probable spans of a long plot reach
_BY_SENTENCE = 0.004  # the same for each sentence of a short plot
_LEAST_SENTENCES = 12  # the reach of a plot with fewer says nothing
_PLACEHOLDER = 2  # sentences: a part with no more is not written yet
_SHARES = (0.1, 0.3, 0.6)  # shares of a recap's terms that are said only because it tells of the dialogue; equally likely
_MOST = 300  # dialogues with which a recap is compared
_EPISODE_FIELD = re.compile(r"(episode|ep\.?|number|no\.?|code)( (number|no\.?|code))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RecapFit:
    """What tells how a recap fits: the order that was found in it, and the distinct terms of both sides, sorted.

    `said` are those of the dialogue with its speakers, `told` those of the recap's plot. `reach` is the share of the turns in
    probable spans over the least that is expected of such a plot (None where it tells nothing: of few sentences).
    """

    order: Order
    said: tuple[str, ...]
    told: tuple[str, ...]
    reach: float | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """How well a recap fits its dialogue.

    `score`: nats beyond chance. `better`: the unit whose dialogue it fits far better, "" if none. `reach` is that of `RecapFit`;
    it decides where the words leave open whether the recap fits.
    """

    score: float
    better: str = ""
    reach: float | None = None

    @property
    def foreign(self) -> bool:
        """Whether the recap is taken for that of another dialogue."""
        return self.score < -SURE or (self.unsure and self.reach is not None and self.reach < 1)

    @property
    def unsure(self) -> bool:
        """Whether the words leave open if the recap fits."""
        return abs(self.score) <= SURE


def rate_fit(aligned: EpisodeAlignment, turns: Sequence[Turn], recap: Recap) -> RecapFit:
    """Return what tells how an aligned recap fits. The order of independent answers says nothing and is ignored."""
    told = (text for text, kind in zip(recap.sentences, recap.kinds_of_sentences(), strict=True) if kind == "plot")
    said = (text for turn in turns for text in (turn.text, *turn.speakers))
    reach = _measure_reach(aligned.pairs, len(turns), recap)
    return RecapFit("held" if recap.independent else aligned.order, list_terms(said), list_terms(told), reach)


def _measure_reach(aligned: Sequence[tuple[Chunk, Span]], n_turns: int, recap: Recap) -> float | None:
    """Return the `reach` of a recap; only the smallest chunks of the plot count, and of an unfinished page less is expected."""
    in_plot = [kind == "plot" for kind in recap.kinds_of_sentences()]
    rated = [(chunk, span) for chunk, span in aligned if chunk.size and span.confidence is not None]
    if not rated or sum(in_plot) < _LEAST_SENTENCES:
        return None
    reached = np.zeros(n_turns, np.bool_)
    smallest = min(chunk.size for chunk, _ in rated)
    for chunk, span in rated:
        if chunk.size == smallest and in_plot[chunk.first_sentence] and span.start is not None and span.end is not None:
            reached[span.start : span.end + 1] |= span.score >= _PROBABLE
    parts: Counter[int] = Counter()
    for number, section in zip(number_parts(recap.sections), recap.sections, strict=True):
        if section.kind == "plot":
            parts[number] += len(section.sentences)
    written = sum(count > _PLACEHOLDER for count in parts.values()) / len(parts)
    return float(reached.mean()) / (min(_LEAST_REACHED, _BY_SENTENCE * sum(in_plot)) * (written or 1.0))


def list_terms(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct content terms of some texts, sorted."""
    return tuple(sorted({term for text in texts for term in content_terms(text)}))


def compare_recaps(fits: Mapping[str, RecapFit], wanted: Iterable[str] | None = None) -> dict[str, Match]:
    """Return for each unit, or those `wanted`, how well its recap fits; nothing without a plot. A unit alone has the score 0.

    A dialogue that a recap does not tell of has one of its terms as often as other dialogues of that length have; one that it
    tells of has some more. The ratio of both likelihoods, over all terms, is compared with the mean ratio of the other dialogues,
    and with 1, since the recap may tell of none of them. Of many dialogues some are drawn, at even distances.
    """
    units = sorted(fits)
    drawn = units[:: -(-len(units) // _MOST)]
    numbers = {term: number for number, term in enumerate(sorted({term for fit in fits.values() for term in fit.told}))}

    def mark(unit: str) -> NDArray[np.bool_]:
        marks = np.zeros(len(numbers), np.bool_)
        marks[[numbers[term] for term in fits[unit].said if term in numbers]] = True
        return marks

    said, lengths = np.array([mark(unit) for unit in drawn]), np.array([len(fits[unit].said) for unit in drawn])
    matches = {}
    for unit in units if wanted is None else wanted:
        others = np.array([other != unit for other in drawn])
        if not fits[unit].told:
            continue
        if not others.any():
            matches[unit] = Match(0.0, reach=fits[unit].reach)
        else:
            told = [numbers[term] for term in fits[unit].told]
            pool = np.vstack([mark(unit)[told], said[others][:, told]])
            own, *rest = _rate(pool, np.append(len(fits[unit].said), lengths[others]))
            score = own - np.logaddexp(0.0, np.logaddexp.reduce(rest) - np.log(len(rest)))
            best = int(np.argmax(rest))
            better = [other for other in drawn if other != unit][best] if rest[best] > own + SURE else ""
            matches[unit] = Match(float(score), better, fits[unit].reach)
    return matches


def _rate(pool: NDArray[np.bool_], lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the log likelihood ratio of each dialogue of `pool` (dialogues × terms); `lengths` are their distinct terms."""
    n = len(pool)
    usual = (pool.sum(axis=0) - pool + 0.5) / n  # how often the others have the term
    chance = np.clip(1 - (1 - usual) ** (lengths / max(lengths.mean(), 1.0))[:, None], 0.25 / n, 0.995)
    ratios = [np.where(pool, np.log((share + (1 - share) * chance) / chance), np.log(1 - share)).sum(axis=1) for share in _SHARES]
    rated: NDArray[np.float64] = np.logaddexp.reduce(ratios) - np.log(len(_SHARES))
    return rated


def check_named(unit: str, name: str, recap: Recap) -> None:
    """Check that a page does not name another episode; `name` is its file.

    Raises:
        SourceError: it does.
    """
    if (named := find_other_episode(unit, recap)) is not None:
        raise SourceError(
            f"{name}: recap and transcript do not match: the page is about episode {named}, the unit is {unit}. Put the recap of "
            f"{unit} in its place, or correct the page"
        )


def find_other_episode(unit: str, recap: Recap) -> str | None:
    """Return the code of the episode that a page is about, if that is another than the unit's; None if it names no episode.

    The title decides, then the infobox. `C1E40` is `C1E040`, and `1x40` too. Several different codes in one place say nothing.
    """
    own = {(code.season, code.episode) for code in find_episode_codes([unit])}
    if len(own) != 1:
        return None
    fields = [value for label, values in recap.infobox.items() if _EPISODE_FIELD.fullmatch(label) for value in values]
    for texts in ([recap.title], fields):
        codes = list(find_episode_codes(texts))
        if len({(code.season, code.episode) for code in codes}) == 1:
            return None if (codes[0].season, codes[0].episode) in own else codes[0].spelling
    return None
