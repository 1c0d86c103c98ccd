"""Formats a scene's dialogue as input for a model, and removes names from a synopsis.

Reference: SumTitles, sections 6 and 6.3.
"""

import re
from collections.abc import Iterable, Sequence

from core.dialogue import Turn
from core.scripts.cast_matching import list_name_parts
from core.scripts.scenes import CastMember
from core.text.sentences import TITLES

_UNNAMED = TITLES | {"the", "a", "an", "of", "and", "or", "to", "de", "la", "le", "von", "van", "der", "miss", "sir"}
"""Words that are part of a name but do not name anybody alone."""
_TITLE = rf"(?:(?:{'|'.join(sorted(word.capitalize() for word in TITLES | {'miss', 'sir'}))})\.?\s+)?"


def join_with_speakers(turns: Iterable[Turn]) -> str:
    """Join the turns as `SPEAKER: utterance`; a turn without a speaker has no label."""
    return " ".join(f"{_speaker(turn).upper()}: {turn.text}" if turn.speakers else turn.text for turn in turns)


def join_with_separators(turns: Iterable[Turn]) -> str:
    """Join the turns as `[START] utterance [END]`."""
    return " ".join(f"[START] {turn.text} [END]" for turn in turns)


def join_with_speakers_and_separators(turns: Iterable[Turn]) -> str:
    """Join the turns as `[START] Speaker [SEP] utterance [END]`; a turn without a speaker has no `[SEP]` either."""
    return " ".join(
        f"[START] {_speaker(turn)} [SEP] {turn.text} [END]" if turn.speakers else f"[START] {turn.text} [END]" for turn in turns
    )


def remove_cast_names(sentences: Sequence[str], cast: Sequence[CastMember]) -> tuple[str, ...]:
    """Remove the cast's names from the sentences of a synopsis: full names, alter egos, and parts of them.

    A single word of a name is removed only where it is capitalised, and only if no sentence has it in lower case (`Rose` the
    person, not a `rose`). A title before the name, a possessive `'s`, brackets that become empty and double spaces are removed
    too.
    """
    pattern = _match_names(sentences, cast)
    return tuple(sentences) if pattern is None else tuple(_tidy(pattern.sub("", sentence)) for sentence in sentences)


def _match_names(sentences: Sequence[str], cast: Sequence[CastMember]) -> re.Pattern[str] | None:
    names = {" ".join(name.split()) for member in cast for name in (member.name, *member.alter_egos)} - {""}
    small = {word for sentence in sentences for word in re.findall(r"\w+", sentence) if word[:1].islower()}
    words = {word for name in names for word in re.findall(r"\w[\w'’-]*", name)}
    words = {word for word in words if len(word) > 1 and word[0].isupper() and word.lower() not in _UNNAMED | small}
    runs = {run for member in cast for run in list_name_parts(member) if " " in run}
    alternatives = sorted(names | words | runs, key=len, reverse=True)
    if not alternatives:
        return None
    return re.compile(rf"(?<!\w){_TITLE}(?:{'|'.join(map(re.escape, alternatives))})(?:['’]s)?(?!\w)")


def _tidy(text: str) -> str:
    text = re.sub(r"\(\s*\)|\[\s*\]|\"\s*\"|“\s*”", "", text)
    text = re.sub(r"([(\[“])\s+", r"\1", text)
    return re.sub(r"\s+([,.;:!?)\]])", r"\1", re.sub(r"\s+", " ", text)).strip(" ,;")


def _speaker(turn: Turn) -> str:
    return ", ".join(turn.speakers)
