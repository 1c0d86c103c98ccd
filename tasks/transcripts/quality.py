"""What an evaluation of `transcripts` leaves for the card of the next release."""

from typing import Any

from core.dataset.report import Quality, ReviewCurve, name_figures
from core.fingerprints import canonicalise
from core.transcripts.config import FilterConfig
from infra.store.evaluations import write_evaluation
from infra.store.objects import Store
from tasks.frame.quality import REVIEWED, find_compared, tell_judged, tell_today

_PARTS = {"all": "every chunk", "kept": "chunks that the filter keeps"}
_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
_STAGE = "alignments"


def record_quality(
    store_url: str, dataset: str, figures: dict[str, Any], config: FilterConfig, reviews: bool, judged: str = ""
) -> Quality:
    """Keep the figures of an evaluation (`Evaluation.figures`) for the card of the next release; return what is kept.

    Raises:
        ConfigError: no episode was compared.
        StoreError: the store failed.
    """
    store = Store(store_url)
    found, curve = figures["store"], figures["review_curve"]
    artifacts = find_compared(store, dataset, figures["episodes"], _STAGE)
    quality = Quality(
        gold=REVIEWED if reviews else "spans that people read",
        figures=tuple(
            figure
            for name, part in _PARTS.items()
            if found[name] is not None
            for figure in name_figures(
                found[name]["pooled"],
                {key: f"{measure} in turns, {part}" for key, measure in _MEASURES.items()},
            )
        ),
        judged=judged or (tell_judged(store, dataset, ("span",)) if reviews else ""),
        measured=tell_today(),
        counted=f"{found['chunks']} chunks of {', '.join(artifacts)}",
        stage=_STAGE,
        artifacts=artifacts,
        settings={"filter": canonicalise(config)},
        curve=None if curve is None else ReviewCurve(**curve),
    )
    write_evaluation(store, dataset, "reviews" if reviews else "gold", quality)
    return quality
