"""What an evaluation of `transcripts` leaves for the card of the next release."""

from datetime import UTC, datetime
from typing import Any

from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.quality import Quality, QualityFigure
from core.review.model_readers import is_model
from core.transcripts.config import FilterConfig
from infra.store.catalog import read_catalog
from infra.store.evaluations import write_evaluation
from infra.store.objects import Store
from infra.store.reviews import read_reviews

_PARTS = {"all": "every chunk", "kept": "chunks that the filter keeps"}
_STAGE = "alignments"


def record_quality(
    store_url: str, dataset: str, figures: dict[str, Any], config: FilterConfig, reviews: bool, judged: str = ""
) -> Quality:
    """Keep the figures of an evaluation in the store, for the card of the next release; return what is kept.

    Raises:
        ConfigError: no episode was compared.
        StoreError: the store failed.
    """
    store = Store(store_url)
    gold = "what readers decided (fabula review)" if reviews else "spans that people read"
    if reviews and not judged:
        answers = read_reviews(store, dataset).judgements
        days = sorted({entry.at[:10] for entry in answers if entry.question == "span" and not is_model(entry.reader)})
        judged = " to ".join(dict.fromkeys([days[0], days[-1]])) if days else ""
    today = datetime.now(UTC).date().isoformat()
    quality = describe_quality(store, dataset, figures, config, gold, judged, today)
    write_evaluation(store, dataset, "reviews" if reviews else "gold", quality)
    return quality


def describe_quality(
    store: Store, dataset: str, figures: dict[str, Any], config: FilterConfig, gold: str, judged: str, measured: str
) -> Quality:
    """Return the figures of an evaluation (`Evaluation.figures`) as a card tells them.

    `gold` says what people judged, `judged` and `measured` are dates.

    Raises:
        ConfigError: no episode was compared.
    """
    catalog = read_catalog(store, dataset)
    found = figures["store"]
    artifacts = {
        unit: reference.artifacts[_STAGE].sha256
        for unit in figures["episodes"]
        if (entry := catalog.get(unit)) is not None and (reference := entry.reference) is not None
    }
    if not artifacts:
        raise ConfigError(f"no episode of {dataset} was compared, so there is nothing to record")
    told = tuple(
        QualityFigure(name=f"{measure} in turns, {part}", value=rate[key]["value"], low=rate[key]["low"], high=rate[key]["high"])
        for name, part in _PARTS.items()
        if found[name] is not None
        for rate in (found[name]["pooled"],)
        for key, measure in (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
    )
    return Quality(
        gold=gold,
        figures=told,
        judged=judged,
        measured=measured,
        counted=f"{found['chunks']} chunks of {', '.join(sorted(artifacts))}",
        stage=_STAGE,
        artifacts=artifacts,
        settings={"filter": canonicalise(config)},
    )
