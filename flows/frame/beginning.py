"""The beginning of a run: the call is checked whole before anything is started, then the run gets its number and its mark."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from core.credentials import refuse_credentials
from core.dataset.units import check_dataset_name
from core.errors import ConfigError
from infra.settings import load_config
from infra.sources.opening import OpenedSources, open_source
from infra.store.history import number_run
from infra.store.objects import Store
from infra.store.running import list_numbers, mark_run
from tasks.frame.ledger import RunCall, follow_runs, name_moment
from tasks.frame.model import INGESTION, Resources
from tasks.frame.pipeline import Pipeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run: its pipeline, what was asked, the checked settings, its id, when it began (ISO 8601).

    `number` is higher than that of every run that has been published or was in progress when it began. `clock` is the process's
    clock then, in seconds.
    """

    pipeline: Pipeline
    call: RunCall
    sources: OpenedSources
    store: Store
    config: Any
    resources: Resources
    id: str
    number: int
    started: str
    clock: float


def check_call(pipeline: Pipeline, call: RunCall) -> tuple[Any, Resources]:
    """Check everything that a call names before anything is started; return the settings and the resources."""
    refuse_credentials(asdict(call), "this run")
    check_dataset_name(call.dataset)
    for name, number in (("workers", call.workers), ("limit", call.limit)):
        if number is not None and number < 1:
            raise ConfigError(f"{name} is {number}; expected 1 or more, or none")
    known = [resource.name for resource in pipeline.resources]
    if unknown := sorted(set(call.resources) - set(known)):
        raise ConfigError(f"{pipeline.name} knows no resource {unknown[0]!r}; it takes {', '.join(known) or 'none'}")
    Store(call.store)
    for source in call.source:
        open_source(source)
    ingestion = pipeline.load(INGESTION)
    config = load_config(ingestion.config, pipeline.name, call.profile, call.config_file, call.settings)
    return config, ingestion.find_resources(config, call.resources)


def begin_run(pipeline: Pipeline, call: RunCall) -> Run:
    """Check the call and begin a run; ids sort in the order of the runs."""
    config, resources = check_call(pipeline, call)
    store = Store(call.store)
    now = follow_runs(store, datetime.now(UTC))
    run = Run(
        pipeline=pipeline,
        call=call,
        sources=OpenedSources(call.source),
        store=store,
        config=config,
        resources=resources,
        id=name_moment(now),
        number=number_run(store, call.dataset, list_numbers(store)),
        started=now.isoformat(),
        clock=perf_counter(),
    )
    mark_run(run.store, pipeline.name, run.id, run.number)
    return run
