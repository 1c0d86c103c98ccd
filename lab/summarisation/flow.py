"""The `benchmark` flow: systems over datasets, one Prefect task run a system, computed by Dask."""

import re
from collections.abc import Mapping
from typing import Any, cast

from prefect import flow, get_run_logger
from prefect.artifacts import (
    create_image_artifact,
    create_link_artifact,
    create_markdown_artifact,
    create_table_artifact,
)
from prefect.client.schemas.objects import State
from prefect.states import Completed

from core.dataset.splits import Split
from core.errors import ConfigError
from flows.frame.artifacts import encode_picture, locate_release, tolerated
from flows.frame.observer import current_observer
from flows.frame.units import WAITING_THREADS, PrefectMapper
from infra.orchestration.dask import Cluster
from infra.settings import validate_config
from lab.summarisation.benchmark import BenchmarkOutcome, run_benchmark
from lab.summarisation.board.page import draw_curves
from lab.summarisation.board.tables import describe_board, tabulate_briefly
from lab.summarisation.dialogue import Budget
from lab.summarisation.plan import BenchmarkCall


@flow(name="benchmark", flow_run_name="benchmark of {datasets}", task_runner=WAITING_THREADS)
def benchmark_datasets(
    datasets: list[str],
    store: str,
    systems: dict[str, dict[str, Any]] | None = None,
    split: Split = "test",
    version: str | None = None,
    config: str | None = None,
    limit: int | None = None,
    budget: dict[str, Any] | None = None,
    seed: int = 0,
    wordnet: str | None = None,
    bert: bool = True,
    against: str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> list[BenchmarkOutcome]:
    """Run summarisation systems over datasets and put them side by side; what has a result already is not computed again.

    Args:
        datasets: names of datasets in the store. One without a release, or without rows in the split, is left out with a warning.
        store: folder or fsspec URL of the store.
        systems: settings of each system by its label; `system` names the system where the label does not. None: the defaults.
        split: the split that is summarised.
        version: a release; default: the latest.
        config: a config of the release; default: `train_on` where there is one, else the one that loads by default.
        limit: at most so many rows, drawn with the seed.
        budget: how long selections are: `unit` (sentence or turn), `tokens` or `count`.
        seed: of everything that is drawn.
        wordnet: folder of WordNet's index files, for METEOR's synonyms; default: where they are found, if they are.
        bert: whether BERTScore is measured, where the extra `embeddings` is installed.
        against: label of the run that the others are compared with; default: lead.
        workers: processes of a local Dask cluster; default: one per core.
        scheduler: address of a running Dask scheduler, instead of a local cluster.
    """
    outcomes, refused = [], {}
    with Cluster(workers, scheduler) as cluster:
        for dataset in datasets:
            call = BenchmarkCall(
                store=store,
                dataset=dataset,
                systems=systems or {},
                split=split,
                version=version,
                config=config,
                limit=limit,
                budget=validate_config(Budget, budget or {}, origin="budget"),
                seed=seed,
                wordnet=wordnet,
                bert=bert,
            )
            try:
                outcome = run_benchmark(call, PrefectMapper(cluster), current_observer(), against)
            except ConfigError as error:
                if len(datasets) == 1:
                    raise
                refused[dataset] = str(error)
                get_run_logger().warning("%s is left out: %s", dataset, error)
                continue
            outcomes.append(outcome)
            _show(dataset, outcome)
    if not outcomes:
        raise ConfigError(f"nothing was benchmarked: {'; '.join(refused.values()) or 'no dataset was named'}")
    return cast(list[BenchmarkOutcome], conclude_state(outcomes, refused))  # Prefect takes the state, and hands its data on


def conclude_state(outcomes: list[BenchmarkOutcome], refused: Mapping[str, str]) -> State[list[BenchmarkOutcome]]:
    """Return the state that a run ends with: what was computed as the message, and a name of its own where a system failed."""
    failed = [f"{label}: {reason}" for outcome in outcomes for label, reason in outcome.failed.items()]
    computed, reused = sum(len(each.computed) for each in outcomes), sum(len(each.reused) for each in outcomes)
    message = f"{len(outcomes)} datasets, {computed} systems computed, {reused} reused"
    if refused:
        message += f"; left out: {', '.join(refused)}"
    if failed:
        message += f"; failed: {'; '.join(failed)}"
    return Completed(name="Completed with failures" if failed else "Completed", message=message, data=outcomes)


def _show(dataset: str, outcome: BenchmarkOutcome) -> None:
    """Show a benchmark in Prefect's UI: the leader board as Markdown and as a table, curves of trainings, and the page."""
    if outcome.board is None:
        return
    key = "benchmark-" + re.sub(r"[^a-z0-9]+", "-", dataset.lower()).strip("-")
    board, brief = outcome.board, tabulate_briefly(outcome.board)
    rows = [dict(zip(brief.headings, row, strict=True)) for row in brief.rows]
    with tolerated():
        create_markdown_artifact(describe_board(board), key=key, description=f"Leader board of {board.title}")
        create_table_artifact(rows, key=f"{key}-board", description=f"Leader board of {board.title}")
        for row in board.rows:
            picture = draw_curves(row.result["label"], f"Training of {row.name}", row.result["curves"])
            if picture is not None:
                name = re.sub(r"[^a-z0-9]+", "-", str(row.result["label"]).lower())
                create_image_artifact(image_url=encode_picture(picture), key=f"{key}-curves-{name}", description=picture.title)
        if outcome.page is not None:
            create_link_artifact(locate_release(outcome.page), link_text=outcome.page, key=f"{key}-page", description="Page")
