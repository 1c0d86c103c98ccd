"""Chooses sentences by score without repeating trigrams."""

from collections.abc import Sequence

from core.metrics.coded_texts import rouge_tokens


def block_trigrams(sentences: Sequence[str], scores: Sequence[float], most: int) -> tuple[int, ...]:
    """Return the sentences (0-based, ascending) with the highest scores, at most `most` of them.

    A sentence that shares a trigram with one that was chosen before is passed over. Ties go to the first sentence. Words are
    rouge-score's. A sentence without words is never chosen.

    Reference: Paulus et al., 2018; Liu and Lapata, 2019, section 4.1 ("trigram blocking").
    """
    seen: set[tuple[str, ...]] = set()
    chosen: list[int] = []
    for place in sorted(range(len(sentences)), key=lambda place: -scores[place]):
        words = rouge_tokens(sentences[place])
        trigrams = set(zip(words, words[1:], words[2:], strict=False))
        if words and not trigrams & seen and len(chosen) < most:
            chosen.append(place)
            seen |= trigrams
    return tuple(sorted(chosen))
