"""What `fabula serve` serves: sources, store and schedules from options, environment and a TOML file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.credentials import refuse_credentials, refuse_in_environment
from core.errors import ConfigError
from flows.serving.deployments import WATCHER, Deployment, list_deployments, name_source
from infra.settings import read_toml, validate_config
from infra.sources.opening import open_source
from infra.store.objects import Store
from tasks.pipelines import PIPELINES

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A table of the TOML file: when a deployment runs, further parameters of its flow, and its sources.

    `cron` is in UTC; None: as the pipeline says. `source` are folders or URLs; only a pipeline's own deployment has some.
    """

    cron: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What to serve: the deployments, the names of those that are paused for lack of a source, and the store."""

    deployments: tuple[Deployment, ...]
    paused: frozenset[str]
    store: str


def plan_serving(
    file: str | None,
    sources: Sequence[str],
    store: str | None,
    default_store: str,
    environment: Mapping[str, str] = os.environ,
) -> Plan:
    """Return what to serve. Options override the environment (FABULA_SOURCE_TRANSCRIPTS, …), which overrides the file.

    If no pipeline has a source, all of them use the examples of the checkout.

    Args:
        file: TOML file, or None.
        sources: the option --source, each PIPELINE=URL.
        store: the option --store.
        default_store: the store if none is named.
        environment: environment variables.

    Raises:
        ConfigError: a setting is wrong, a source does not exist, or no source is named and there are no examples.
    """
    refuse_credentials(sources, "--source")
    refuse_in_environment(environment)
    schedules, stored = _read_file(file)
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
    return Plan(served, frozenset(each.name for each in served if not has_source(each)), place)


def _read_file(file: str | None) -> tuple[dict[str, Schedule], str | None]:
    """Return the schedule of every deployment, and the store that the file names."""
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
    return schedules, store


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
    if deployment.name == WATCHER:
        parameters["pipelines"] = [pipeline for pipeline in parameters["pipelines"] if sources[pipeline]]
    return replace(deployment, cron=schedule.cron or deployment.cron, parameters=parameters)


def has_source(deployment: Deployment) -> bool:
    """Tell whether a deployment has something to run on: a source, or for the watcher a pipeline."""
    return bool(deployment.parameters["source" if deployment.pipeline is not None else "pipelines"])


def _is_local(url: str) -> bool:
    return "://" not in url and "::" not in url


def _absolute(url: str) -> str:
    """Return a local path as an absolute one, because the process of a run works in another folder."""
    return str(Path(url).expanduser().absolute()) if _is_local(url) else url
