"""What `fabula serve` serves: sources, store and schedules from options, environment and a TOML file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cronsim import CronSim, CronSimError

from core.credentials import refuse_credentials, refuse_in_environment
from core.errors import ConfigError
from flows.frame.beginning import check_call
from flows.serving.deployments import WATCHER, Deployment, list_deployments, name_source
from infra.settings import read_toml, validate_config
from infra.sources.opening import open_source
from infra.store.objects import Store
from tasks.frame.ledger import RunCall
from tasks.pipelines import PIPELINES

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A table of the TOML file: when a deployment runs, further parameters of its flow, and its sources.

    `cron` is in UTC; None: as the pipeline says (a paper's own profile then runs only when a person starts it). `source` are
    folders or URLs; only a pipeline's own deployment has some.
    """

    cron: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What to serve, and the store."""

    deployments: tuple[Deployment, ...]
    store: str


def plan_serving(
    file: str | None, sources: Sequence[str], store: str | None, default_store: str, environment: Mapping[str, str] = os.environ
) -> Plan:
    """Return what to serve. Options override the environment (FABULA_SOURCE_TRANSCRIPTS, …), which overrides the file.

    `file` is TOML, `sources` are PIPELINE=URL each. If no pipeline has a source, all of them use the examples of the checkout.
    """
    refuse_credentials(sources, "--source")
    refuse_in_environment(environment)
    schedules, stored, tables = _read_file(file)
    given = _read_options(sources)
    found: dict[str, tuple[str, ...]] = {}
    for pipeline in PIPELINES:
        named = environment.get(name_source(pipeline))
        found[pipeline.name] = given.get(pipeline.name) or ((named,) if named else schedules[pipeline.name].source)
    if not any(found.values()):
        found, schedules = _take_examples(schedules)
    found = {pipeline: tuple(_absolute(url) for url in urls) for pipeline, urls in found.items()}
    for url in (url for urls in found.values() for url in urls if _is_local(url)):
        open_source(url)
    place = Store(store or environment.get("FABULA_STORE") or stored or default_store).url
    served = tuple(_adapt(each, schedules[each.name], found) for each in list_deployments(found, place))
    if file is not None:
        for each in served:
            if each.name in tables and each.has_source:
                _check(each, file)
    return Plan(served, place)


def _read_file(file: str | None) -> tuple[dict[str, Schedule], str | None, frozenset[str]]:
    """Return the schedule of every deployment, the store that the file names, and the deployments that have a table in it."""
    pipelines = {pipeline.name for pipeline in PIPELINES}
    names = [each.name for each in list_deployments(dict.fromkeys(pipelines, ()), "")]
    values = read_toml(file) if file is not None else {}
    store = values.pop("store", None)
    if store is not None and not isinstance(store, str):
        raise ConfigError(f"{file}: store is {store!r}; expected a folder or URL")
    if unknown := sorted(set(values) - set(names)):
        raise ConfigError(f"{file}: setting {unknown[0]} is not known; expected one of {', '.join(sorted([*names, 'store']))}")
    schedules = {}
    for name in names:
        table = values.get(name, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{file}: {name} is {table!r}; expected a table [{name}]")
        if "source" in table and name not in pipelines:
            raise ConfigError(f"{file}, [{name}]: setting source is not known; only {', '.join(sorted(pipelines))} have one")
        schedules[name] = validate_config(Schedule, table, f"{file}, [{name}]")
    return schedules, store, frozenset(values)


def _read_options(sources: Sequence[str]) -> dict[str, tuple[str, ...]]:
    names = [pipeline.name for pipeline in PIPELINES]
    given: dict[str, tuple[str, ...]] = {}
    for option in sources:
        pipeline, _, url = option.partition("=")
        if pipeline not in names or not url:
            raise ConfigError(f"--source {option}: expected PIPELINE=URL with one of {', '.join(names)}, as in transcripts=DIR")
        given[pipeline] = (*given.get(pipeline, ()), url)
    return given


def _take_examples(schedules: Mapping[str, Schedule]) -> tuple[dict[str, tuple[str, ...]], dict[str, Schedule]]:
    if not EXAMPLES.is_dir():
        raise ConfigError("nothing to serve: name a source, as in fabula serve --source transcripts=DIR")
    adapted = dict(schedules)
    found: dict[str, tuple[str, ...]] = {}
    for pipeline in PIPELINES:
        folder = EXAMPLES / pipeline.name
        if folder.is_dir():
            settings = {"config_file": str(folder / "settings.toml")}
            adapted[pipeline.name] = replace(schedules[pipeline.name], parameters=settings | schedules[pipeline.name].parameters)
        found[pipeline.name] = (str(folder),) if folder.is_dir() else ()
    return found, adapted


def _adapt(deployment: Deployment, schedule: Schedule, sources: Mapping[str, Sequence[str]]) -> Deployment:
    """Return a deployment with what its table says; a run's process works in a folder of its own, so paths are made absolute."""
    parameters = {**deployment.parameters, **schedule.parameters}
    if parameters.get("config_file"):
        parameters["config_file"] = _absolute(parameters["config_file"])
    if parameters.get("resources"):
        parameters["resources"] = {name: _absolute(place) for name, place in parameters["resources"].items()}
    if deployment.name == WATCHER or (deployment.pipeline is None and deployment.reads not in schedule.parameters):
        parameters[deployment.reads] = [pipeline for pipeline in parameters[deployment.reads] if sources[pipeline]]
    scheduled = deployment.scheduled or schedule.cron is not None
    return replace(deployment, cron=schedule.cron or deployment.cron, parameters=parameters, scheduled=scheduled)


def _check(deployment: Deployment, file: str) -> None:
    """Check a deployment that the file has a table for, as a run of it would be checked."""
    place = f"{file}, [{deployment.name}]"
    try:
        CronSim(deployment.cron, datetime.now(UTC))
    except CronSimError as error:
        raise ConfigError(f"{place}: cron is {deployment.cron!r} ({error}); expected a line such as '0 3 * * *'") from error
    if deployment.checked_by is not None:
        validate_config(deployment.checked_by, deployment.parameters, f"{place} parameters")
        return
    pipeline = next(each for each in PIPELINES if each.name == deployment.pipeline)
    named = {"dataset": pipeline.name} | {name: value for name, value in deployment.parameters.items() if value is not None}
    call = validate_config(RunCall, named, f"{place} parameters")
    if call.in_process:
        raise ConfigError(f"{place} parameters: setting in_process is not known; a deployment runs over Dask")
    try:
        check_call(pipeline, call)
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from error


def _is_local(url: str) -> bool:
    return "://" not in url and "::" not in url


def _absolute(url: str) -> str:
    """Return a local path as an absolute one, because the process of a run works in another folder."""
    return str(Path(url).expanduser().absolute()) if _is_local(url) else url
