"""What `fabula serve` serves: sources, store and schedules from options, environment and a TOML file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from flows.serving.deployments import PIPELINES, Deployment, list_deployments
from infra.settings import load_config
from infra.sources.opening import open_source
from infra.store.objects import Store

EXAMPLES = Path(__file__).parents[2] / "examples"
PATH_PARAMETERS = ("config_file", "wordnet")


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a deployment runs (`cron` in UTC; None: the default of `flows.serving.deployments`), with parameters of its flow."""

    cron: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PipelineSchedule(Schedule):
    """The schedule of a pipeline, with its sources: folders or URLs."""

    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """The content of the TOML file: the store, and one table per deployment."""

    store: str | None = None
    transcripts: PipelineSchedule = PipelineSchedule()
    scripts: PipelineSchedule = PipelineSchedule()
    subtitles: PipelineSchedule = PipelineSchedule()
    papers: Schedule = Schedule()
    watch: Schedule = Schedule()


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
    settings = load_config(ServeSettings, "serve", "default", file)
    given = _read_options(sources)
    found: dict[str, tuple[str, ...]] = {}
    for pipeline in PIPELINES:
        named = environment.get(f"FABULA_SOURCE_{pipeline.upper()}")
        found[pipeline] = given.get(pipeline) or ((named,) if named else getattr(settings, pipeline).source)
    schedules: dict[str, Schedule] = {name: getattr(settings, name) for name in (*PIPELINES, "papers", "watch")}
    if not any(found.values()):
        found, schedules = _take_examples(schedules)
    found = {pipeline: tuple(_absolute(url) for url in urls) for pipeline, urls in found.items()}
    for url in (url for urls in found.values() for url in urls if _is_local(url)):
        open_source(url)
    place = Store(store or environment.get("FABULA_STORE") or settings.store or default_store).url
    served = tuple(_adapt(each, schedules[each.name], found) for each in list_deployments(found, place))
    return Plan(served, frozenset(each.name for each in served if not has_source(each, found)), place)


def _read_options(sources: Sequence[str]) -> dict[str, tuple[str, ...]]:
    given: dict[str, tuple[str, ...]] = {}
    for option in sources:
        pipeline, _, url = option.partition("=")
        if pipeline not in PIPELINES or not url:
            raise ConfigError(
                f"--source {option}: expected PIPELINE=URL with one of {', '.join(PIPELINES)}, as in transcripts=DIR"
            )
        given[pipeline] = (*given.get(pipeline, ()), url)
    return given


def _take_examples(schedules: Mapping[str, Schedule]) -> tuple[dict[str, tuple[str, ...]], dict[str, Schedule]]:
    if not EXAMPLES.is_dir():
        raise ConfigError("nothing to serve: name a source, as in fabula serve --source transcripts=DIR")
    adapted = dict(schedules)
    for pipeline in PIPELINES:
        settings = {"config_file": str(EXAMPLES / pipeline / "settings.toml")}
        adapted[pipeline] = replace(schedules[pipeline], parameters=settings | schedules[pipeline].parameters)
    return {pipeline: (str(EXAMPLES / pipeline),) for pipeline in PIPELINES}, adapted


def _adapt(deployment: Deployment, schedule: Schedule, sources: Mapping[str, Sequence[str]]) -> Deployment:
    parameters = {**deployment.parameters, **schedule.parameters}
    for name in PATH_PARAMETERS:
        if parameters.get(name):
            parameters[name] = _absolute(parameters[name])
    if deployment.name == "watch":
        parameters["pipelines"] = [pipeline for pipeline in parameters["pipelines"] if sources[pipeline]]
    return replace(deployment, cron=schedule.cron or deployment.cron, parameters=parameters)


def has_source(deployment: Deployment, sources: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether a deployment has a source; `sources` are those of the pipelines."""
    if deployment.name == "papers":
        return bool(deployment.parameters["transcripts"] or deployment.parameters["scripts"])
    return bool(sources.get(deployment.name, True))


def _is_local(url: str) -> bool:
    return "://" not in url and "::" not in url


def _absolute(url: str) -> str:
    """Return a local path as an absolute one, because the process of a run works in another folder."""
    return str(Path(url).expanduser().absolute()) if _is_local(url) else url
