"""Reads a film: chooses one of its English subtitles as one whole dialogue, and splits its synopsis into sentences.

Reference: SumTitles, section 3.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from core.dataset.splits import natural_key
from core.dialogue import Turn
from core.errors import SourceError
from core.people.names import is_common
from core.subtitles.config import LanguageConfig, MatchingConfig, SubtitlesConfig, VariantConfig
from core.subtitles.discovery import Film, find_path_language, is_english_name
from core.subtitles.formats import read_subtitle
from core.subtitles.subtitle import Subtitle
from core.text.decoding import decode_text
from core.text.sentences import SentenceSplitter
from core.text.terms import score_english

_BRACKETS = re.compile(r"\([^()]{0,300}\)")
_NAME = re.compile(r"(?<=[\w,;)’'] )[A-Z][a-zß-ÿ]{2,}")
_WORD = re.compile(r"[a-zß-ÿ]+")


@dataclass(frozen=True, slots=True)
class FilmDialogue:
    """A film ready for release: the chosen subtitle file and the reason for it, its turns, and the synopsis in sentences."""

    film: str
    title: str
    year: int | None
    subtitle: str
    reason: str
    turns: tuple[Turn, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilmOutcome:
    """The result for a film: its dialogue, or the reason why it failed; `rejected` has (path, reason) for each other file."""

    film: str
    dialogue: FilmDialogue | None
    rejected: tuple[tuple[str, str], ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen subtitle, None if no file is English, and the reason; `rejected` has (path, reason) for each other file."""

    subtitle: Subtitle | None
    reason: str
    rejected: tuple[tuple[str, str], ...]


def read_film(
    film: Film,
    subtitles: Sequence[tuple[str, bytes]],
    summary: tuple[str, bytes],
    config: SubtitlesConfig,
    split: SentenceSplitter,
) -> FilmOutcome:
    """Choose one English subtitle of a film, and split its summary into sentences; both are given as (name, content).

    Raises:
        SourceError: no subtitle can be read or is long enough, or the summary is empty or of another film; the message names the
            files.
    """
    selection = select_subtitle(subtitles, config)
    taken = selection.subtitle
    if taken is None:
        reasons = "; ".join(f"{path}: {reason}" for path, reason in selection.rejected)
        return FilmOutcome(film.id, None, (), f"no English subtitle: {reasons}. Add one or remove the film")
    least = config.limits.min_utterances
    if len(taken.turns) < least:
        raise SourceError(
            f"{taken.name}: {len(taken.turns)} utterance(s); a film has at least {least}. Put its whole subtitle there, or lower "
            "limits.min_utterances"
        )
    name, content = summary
    paragraphs = [" ".join(paragraph.split()) for paragraph in decode_text(name, content).split("\n")]
    sentences = tuple(sentence for paragraph in paragraphs if paragraph for sentence in split(paragraph))
    if not sentences:
        raise SourceError(f"{name}: the summary of {film.id} is empty; expected a plot summary. Write one or remove the film")
    check_summary(name, film.id, sentences, taken.turns, config.matching)
    dialogue = FilmDialogue(film.id, film.title or film.id, film.year, taken.name, selection.reason, taken.turns, sentences)
    return FilmOutcome(film.id, dialogue, selection.rejected)


def check_summary(name: str, film: str, sentences: Iterable[str], turns: Iterable[Turn], config: MatchingConfig) -> None:
    """Check that a summary is of the film that is spoken; `name` is the summary's file, for the message.

    Raises:
        SourceError: too few of its names are spoken.
    """
    told = find_names(sentences)
    if len(told) < max(config.min_names, 1):
        return
    spoken = {word for turn in turns for word in _WORD.findall(turn.text.lower())}
    missing = sorted(told - spoken)
    share = 1 - len(missing) / len(told)
    if share < config.least_names:
        raise SourceError(
            f"{name}: subtitle and summary of {film} do not match: of the {len(told)} names in the summary {share:.0%} are "
            f"spoken, not {', '.join(missing[:5])} …; expected {config.least_names:.0%} at least. Put the right summary there; "
            "if it is the right one, lower matching.least_names"
        )


def find_names(sentences: Iterable[str]) -> frozenset[str]:
    """Return the names in a summary, in lower case: words with a capital within a sentence that are no common English words.

    What stands in brackets is left out: there a summary names actors.
    """
    texts = (_BRACKETS.sub(" ", sentence) for sentence in sentences)
    return frozenset(word for text in texts for word in map(str.lower, _NAME.findall(text)) if not is_common(word))


def select_subtitle(contents: Iterable[tuple[str, bytes]], config: SubtitlesConfig) -> Selection:
    """Read the subtitle files of one film, given as (path, content), and choose one English subtitle.

    A file that cannot be read does not stop the others; if none is English then, a SourceError names each of them.
    """
    english: list[Subtitle] = []
    reasons: dict[str, str] = {}
    unreadable: list[str] = []
    for path, content in contents:
        try:
            subtitle = read_subtitle(path, content, config.cleaning, config.limits)
        except SourceError as error:
            unreadable.append(str(error))
            reasons[path] = f"unreadable: {error}"
            continue
        reason = judge_language(path, subtitle, config.language)
        reasons[path] = reason or ""
        if reason is None:
            english.append(subtitle)
    least = config.limits.min_utterances
    whole = [subtitle for subtitle in english if len(subtitle.turns) >= least] or english
    reasons |= {each.name: f"{len(each.turns)} utterance(s), of at least {least}" for each in english if each not in whole}
    if english:
        choice = choose_variant(whole, config.variants)
        reasons.update(choice.rejected)
        return Selection(choice.subtitle, choice.reason, tuple((path, reason) for path, reason in reasons.items() if reason))
    if unreadable or not reasons:
        raise SourceError("no readable English subtitle: " + ("; ".join(unreadable) or "the film has no subtitle files"))
    return Selection(None, "no subtitle is English", tuple(reasons.items()))


def judge_language(path: str, subtitle: Subtitle, config: LanguageConfig) -> str | None:
    """Return why a subtitle is left out as not English, or None: by its path, else its metadata, else its words."""
    language = find_path_language(path)
    if language is not None:
        return None if is_english_name(language) else f"not English: the path says {language}"
    if (stated := subtitle.metadata.language) is not None:
        return None if is_english_name(stated) else f"not English: the file says {stated[:40]}"
    share, total = score_english(turn.text for turn in subtitle.turns)
    if total < config.min_words:
        return f"not known to be English: {total} word(s), and at least {config.min_words} are needed to tell"
    if share < config.min_share:
        return (
            f"not English: {share:.0%} of its words are frequent English words, and at least {config.min_share:.0%} are expected"
        )
    return None


def choose_variant(variants: Sequence[Subtitle], config: VariantConfig) -> Selection:
    """Choose one of several subtitles (variants) of a film; the rejected ones are in order of their names.

    The criteria are compared in this order, and the first difference decides:

    1. A complete variant wins over one disc of several.
    2. A number of sentences near the median of the complete variants (of all if none is complete). A much shorter variant breaks
       off; a much longer one repeats itself.
    3. The smaller share of words missing from OPUS's dictionary, in steps of 0.5 %: they come from misread letters and missing
       spaces. An unknown share counts as worst.
    4. The higher rating; an unknown one counts as 0, as on OpenSubtitles.
    5. The number of sentences nearer to the median, then the larger number.
    6. The first name in natural order (`9` before `10`).
    """
    middle = median(
        [len(variant.turns) for variant in variants if _is_complete(variant)] or [len(variant.turns) for variant in variants]
    )
    ranked = sorted(variants, key=lambda variant: (_rank(variant, middle, config), natural_key(variant.name), variant.name))
    best = ranked[0]
    reason = "the only one" if len(ranked) == 1 else f"{len(best.turns):,} sentences; the median is {middle:,.0f}"
    if not _is_complete(best):
        reason += "; one disc of several, no complete subtitle is there"
    rejected = ((other.name, _explain(best, other, middle, config)) for other in ranked[1:])
    return Selection(best, reason, tuple(sorted(rejected, key=lambda pair: (natural_key(pair[0]), pair[0]))))


def _is_complete(variant: Subtitle) -> bool:
    """Tell whether a variant is not one disc of several, as far as its metadata say."""
    return variant.metadata.cds is None or variant.metadata.cds[1] <= 1


def _rank(variant: Subtitle, middle: float, config: VariantConfig) -> tuple[bool, bool, float, float, float, int]:
    sentences, unknown = len(variant.turns), variant.metadata.unknown_share
    distance = abs(sentences - middle)
    return (
        not _is_complete(variant),
        distance > config.tolerance * middle,
        float("inf") if unknown is None else unknown // 0.005,
        -(variant.metadata.rating or 0.0),
        distance,
        -sentences,
    )


def _explain(best: Subtitle, other: Subtitle, middle: float, config: VariantConfig) -> str:
    """Return why `best` won over `other`: the first criterion in which they differ."""
    sentences = f"{len(other.turns):,} sentences"
    theirs, ours = (
        ("not stated" if share is None else f"{share:.1%}")
        for share in (other.metadata.unknown_share, best.metadata.unknown_share)
    )
    reasons = (
        "one disc of several",
        f"{sentences}, more than {config.tolerance:.0%} from the median {middle:,.0f}",
        f"unknown words: {theirs}, the chosen one has {ours}",
        f"rated {other.metadata.rating or 0.0:g}, the chosen one {best.metadata.rating or 0.0:g}",
        f"{sentences}, the chosen one is nearer to the median {middle:,.0f}",
        f"{sentences}, the chosen one has more",
    )
    ranks = zip(_rank(best, middle, config), _rank(other, middle, config), reasons, strict=True)
    return next((reason for first, second, reason in ranks if first != second), "as good as the chosen one, whose id comes first")
