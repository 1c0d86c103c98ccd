"""The deployment of the summarisation benchmark: `fabula serve` and `prefect.yaml` get it by an entry point."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flows.serving.deployments import Deployment
from lab.summarisation.plan import BenchmarkOptions
from tasks.pipelines import PIPELINES


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmarking(BenchmarkOptions):
    """The parameters of the benchmark."""

    datasets: tuple[str, ...]
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
