"""What an evaluation of the score on labelled sentences leaves for the card of the next release of `rooms`."""

from collections.abc import Mapping
from typing import Any

from core.dataset.quality import Quality, QualityFigure
from core.fingerprints import canonicalise
from core.rooms.config import RoomsConfig
from infra.store.objects import Store
from infra.store.releases import choose_release
from infra.store.reviews import write_evaluation
from tasks.frame.quality import tell_today
from tasks.rooms.ingestion import STAGE_VERSIONS


def find_other_settings(store_url: str, dataset: str, config: RoomsConfig) -> list[str]:
    """Return which settings of the score the latest release of a dataset was made with others of.

    Raises:
        ConfigError: the store has no release of the dataset.
    """
    made: Mapping[str, object] = choose_release(Store(store_url), dataset).says["configuration"]
    return [name for name, value in _list_settings(config).items() if made.get(name) != value]


def record_quality(store_url: str, dataset: str, figures: Mapping[str, Any], config: RoomsConfig, judged: str = "") -> Quality:
    """Keep the figures of the score (`evaluate_rooms`) for the card of the next release; return what is kept.

    The labelled sentences are none of the release's own. So the figures hold for every release whose sentences were scored in the
    same way: by the same analysis, weights and versions of the stages.

    Raises:
        StoreError: the store failed.
    """
    score = figures["score"]
    told = QualityFigure(
        name="average precision of the score", value=score["average_precision"], low=score["low"], high=score["high"]
    )
    quality = Quality(
        gold="sentences that people labelled",
        figures=(told,),
        judged=judged,
        measured=tell_today(),
        counted=f"{figures['sentences']} sentences of {figures['episodes']} texts, {figures['rooms']} of them describe a room",
        settings=_list_settings(config),
        versions=dict(STAGE_VERSIONS),
    )
    write_evaluation(Store(store_url), dataset, "gold", quality)
    return quality


def _list_settings(config: RoomsConfig) -> dict[str, object]:
    """Return the settings by which sentences are scored, as a release's configuration has them."""
    return {"analysis": canonicalise(config.analysis), "weights": canonicalise(config.weights)}
