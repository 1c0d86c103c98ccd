"""What an evaluation of `scripts` leaves for the card of the next release."""

from typing import Any

from core.dataset.quality import Quality, ReviewCurve, name_figures
from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.scripts.config import ScriptsConfig
from core.scripts.statistics import RATES
from infra.settings import validate_config
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.store.reviews import write_evaluation
from tasks.frame.quality import REVIEWED, find_compared, tell_judged, tell_today

_STAGE = "links"


def read_release_config(store: Store, dataset: str) -> ScriptsConfig:
    """Return the settings of a dataset's latest release, the default ones where it has none."""
    manifest = read_manifest(store, dataset)
    return (
        ScriptsConfig()
        if manifest is None
        else validate_config(ScriptsConfig, manifest["configuration"], f"release of {dataset}")
    )


def record_quality(store_url: str, dataset: str, figures: dict[str, Any], reviews: bool, judged: str = "") -> Quality:
    """Keep the figures of an evaluation (`ScriptEvaluation.figures`) for the card of the next release; return what is kept.

    They hold as long as the links of the stories that were compared are the same, and the filter, on which the curve depends.

    Raises:
        ConfigError: no story was compared.
        StoreError: the store failed.
    """
    store = Store(store_url)
    rates, curve = figures["store"]["all"]["rates"], figures["review_curve"]
    if rates is None:
        raise ConfigError(f"no link of {dataset} was compared, so there is nothing to record")
    artifacts = find_compared(store, dataset, figures["units"], _STAGE)
    quality = Quality(
        gold=REVIEWED if reviews else "links that people read",
        figures=name_figures(rates, RATES),
        judged=judged or (tell_judged(store, dataset, ("links",)) if reviews else ""),
        measured=tell_today(),
        counted=f"{rates['links']} links of {', '.join(artifacts)}",
        stage=_STAGE,
        artifacts=artifacts,
        settings={"filter": canonicalise(read_release_config(store, dataset).filter)},
        curve=None if curve is None else ReviewCurve(**curve),
    )
    write_evaluation(store, dataset, "reviews" if reviews else "gold", quality)
    return quality
