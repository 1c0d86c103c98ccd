"""The deployment of the summarisation benchmark: `fabula serve` and `prefect.yaml` get it by an entry point."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.dataset.splits import Split
from flows.serving.deployments import Deployment
from lab.summarisation.budget import BudgetConfig
from tasks.pipelines import PIPELINES


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmarking:
    """The parameters of the benchmark."""

    datasets: tuple[str, ...]
    store: str
    systems: dict[str, dict[str, Any]] | None = None
    split: Split = "test"
    version: str | None = None
    config: str | None = None
    limit: int | None = None
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    seed: int = 0
    wordnet: str | None = None
    bert: bool = True
    against: str | None = None
    workers: int | None = None
    scheduler: str | None = None


def deploy(shared: Mapping[str, Any]) -> Deployment:
    """Return the deployment: the systems that need no download, on the datasets of every pipeline.

    Args:
        shared: parameters of every flow, such as `store` and `scheduler`.
    """
    return Deployment(
        name="benchmark",
        flow="benchmark",
        entrypoint="lab.summarisation.flow.benchmark_datasets",
        cron="0 6 * * 1",
        parameters={"datasets": [pipeline.name for pipeline in PIPELINES], **shared},
        tags=("fabula", "benchmark"),
        description="Summarises the latest releases with the baselines, and puts them side by side: every Monday.",
        checked_by=Benchmarking,
        reads="datasets",
    )
