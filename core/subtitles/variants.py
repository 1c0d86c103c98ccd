"""Chooses one of several subtitles (variants) of a film. Measuring and deciding are separate functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from core.dataset.splits import natural_key
from core.errors import SourceError
from core.subtitles.config import VariantConfig
from core.subtitles.subtitle import Subtitle


@dataclass(frozen=True, slots=True)
class VariantFigures:
    """The figures by which a variant is judged.

    `id` is the variant's path, which decides ties. `complete` is False for one disc of several. See `SubtitleMetadata` for
    `unknown_share` and `rating`.
    """

    id: str
    sentences: int
    complete: bool
    unknown_share: float | None
    rating: float | None


@dataclass(frozen=True, slots=True)
class VariantChoice:
    """The chosen variant and the reason for it; `rejected` holds the id of each other variant and the reason, in order of id."""

    chosen: str
    reason: str
    rejected: tuple[tuple[str, str], ...]


def measure_variant(subtitle: Subtitle) -> VariantFigures:
    """Return the figures of a variant. A variant is complete unless its metadata names several discs."""
    metadata = subtitle.metadata
    complete = metadata.cds is None or metadata.cds[1] <= 1
    return VariantFigures(subtitle.name, len(subtitle.turns), complete, metadata.unknown_share, metadata.rating)


def choose_variant(variants: Sequence[VariantFigures], config: VariantConfig | None = None) -> VariantChoice:
    """Choose one of several variants of a film.

    The criteria are compared in this order, and the first difference decides:

    1. A complete variant wins over one disc of several.
    2. A variant with a number of sentences near the median wins. The median is that of the complete variants, or of all if none
       is complete. A much shorter variant breaks off; a much longer one repeats itself.
    3. The smaller share of words missing from OPUS's dictionary wins, in steps of 0.5 %. Such words come from misread letters and
       missing spaces. An unknown share counts as worst.
    4. The higher rating wins. An unknown rating counts as 0, as on OpenSubtitles.
    5. The number of sentences nearer to the median wins, then the larger number.
    6. The first id in natural order wins (`9` before `10`).

    The order of `variants` does not matter.

    Raises:
        SourceError: there are no variants.
    """
    config = config or VariantConfig()
    if not variants:
        raise SourceError("no readable English subtitle among the film's variants; expected at least one")
    middle = median(
        [variant.sentences for variant in variants if variant.complete] or [variant.sentences for variant in variants]
    )
    ranked = sorted(variants, key=lambda variant: (_rank(variant, middle, config), natural_key(variant.id), variant.id))
    best = ranked[0]
    rejected = [(other.id, _explain(best, other, middle, config)) for other in ranked[1:]]
    reason = "the only one" if len(ranked) == 1 else f"{best.sentences:,} sentences; the median is {middle:,.0f}"
    if not best.complete:
        reason += "; one disc of several, no complete subtitle is there"
    return VariantChoice(best.id, reason, tuple(sorted(rejected, key=lambda pair: (natural_key(pair[0]), pair[0]))))


def _rank(variant: VariantFigures, middle: float, config: VariantConfig) -> tuple[bool, bool, float, float, float, int]:
    distance = abs(variant.sentences - middle)
    return (
        not variant.complete,
        distance > config.tolerance * middle,
        float("inf") if variant.unknown_share is None else variant.unknown_share // 0.005,
        -(variant.rating or 0.0),
        distance,
        -variant.sentences,
    )


def _explain(best: VariantFigures, other: VariantFigures, middle: float, config: VariantConfig) -> str:
    """Return the reason why `best` won over `other`: the first criterion in which they differ."""
    reasons = (
        "one disc of several",
        f"{other.sentences:,} sentences, more than {config.tolerance:.0%} from the median {middle:,.0f}",
        f"unknown words: {_percent(other.unknown_share)}, the chosen one has {_percent(best.unknown_share)}",
        f"rated {other.rating or 0.0:g}, the chosen one {best.rating or 0.0:g}",
        f"{other.sentences:,} sentences, the chosen one is nearer to the median {middle:,.0f}",
        f"{other.sentences:,} sentences, the chosen one has more",
    )
    ranks = zip(_rank(best, middle, config), _rank(other, middle, config), reasons, strict=True)
    return next((reason for first, second, reason in ranks if first != second), "as good as the chosen one, whose id comes first")


def _percent(share: float | None) -> str:
    return "not stated" if share is None else f"{share:.1%}"
