"""Decides which sentences become room descriptions, and says of every other one why not."""

from core.rooms.config import SelectionConfig
from core.rooms.copies import CopyReason
from core.rooms.score import count_words

REASONS = ("not redistributable", "introduction or sign-off", "copy", "near copy", "too short", "too long", "score", "reviewed")
"""Why a sentence is rejected; where several apply, the first counts. `reviewed`: readers have rejected it."""


def judge_sentence(
    text: str, score: float, redistributable: bool, copied: CopyReason | None, config: SelectionConfig
) -> str | None:
    """Return why a sentence is no room description, one of `REASONS`, or None where it is kept.

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
    return "score" if score < config.min_score else None
