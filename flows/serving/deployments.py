"""The deployments: which flow runs when, with which parameters. `prefect.yaml` and `fabula serve` are both made from it.

`python -m flows.serving.deployments > prefect.yaml` writes the file again; a test checks that it is up to date.
"""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml

from flows.added import list_added
from tasks.frame.pipeline import Pipeline
from tasks.pipelines import PIPELINES

WORK_POOL = "fabula"
WORK_POOL_TYPE = "process"

SOURCE_CHANGED = "fabula.source.changed"
"""The event that starts a pipeline. Its resource id is the name of the pipeline, which is also that of the deployment."""

COLLISION_STRATEGY = "CANCEL_NEW"
"""A new run of a busy deployment is cancelled at once. Otherwise runs would queue up behind a long one, and after a week's
downtime all missed runs would start, although one run does the work of them all. No unit is lost: units that arrive during a run
are announced by the watcher after it."""

_HEADER = """\
# Deployments for a shared Prefect server: `prefect deploy --all` (docs/serving.md).
# Written by `python -m flows.serving.deployments`; change it there.
# The work pool, which fixes the command of every run: `python -m flows.serving.provision --pool`.
# `$NAME` is taken from the environment of `prefect deploy`; without FABULA_SCHEDULER each run starts a Dask cluster of its own.
"""


WATCHER = "watch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A flow on a schedule: `flow` is its name, `entrypoint` its module path, `cron` in UTC.

    `pipeline` is the pipeline that it runs, None for the watcher and what `lab` adds; these have a type that checks their
    `parameters`. `reads` is the parameter that lists what it runs on: sources, or names of pipelines. `on_change`: the event
    `SOURCE_CHANGED` starts it too. `scheduled`: its schedule is active; otherwise a person starts it.
    """

    name: str
    flow: str
    entrypoint: str
    cron: str
    parameters: Mapping[str, Any]
    tags: tuple[str, ...]
    description: str
    pipeline: str | None = None
    checked_by: type[Any] | None = None
    reads: str = "source"
    on_change: bool = False
    scheduled: bool = True

    @property
    def has_source(self) -> bool:
        """Whether there is something to run on: a source, or names of pipelines; without one the deployment is paused."""
        return bool(self.parameters[self.reads])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Watching:
    """The parameters of the watcher."""

    pipelines: tuple[str, ...]


def list_deployments(
    sources: Mapping[str, Sequence[str]], store: str, common: Mapping[str, Any] | None = None, *, papers: bool = False
) -> tuple[Deployment, ...]:
    """Return the deployments of every pipeline, of the papers' own profiles, of what `lab` adds, and of the watcher.

    `sources` are folders or URLs by pipeline, `common` parameters for every flow except the watcher, such as `scheduler`.
    `papers`: the papers' own profiles run on their schedules; otherwise only a person starts them.
    """
    shared = {"store": store, **(common or {})}
    deployments = [_deploy(pipeline, sources[pipeline.name], shared) for pipeline in PIPELINES]
    deployments += [_deploy_paper(each, sources[each.name], shared, papers) for each in PIPELINES if each.paper]
    watcher = Deployment(
        name=WATCHER,
        flow=WATCHER,
        entrypoint="flows.serving.watcher.watch_sources",
        cron="*/10 * * * *",
        parameters={"pipelines": [pipeline.name for pipeline in PIPELINES]},
        tags=("fabula", WATCHER),
        checked_by=_Watching,
        reads="pipelines",
        description="Lists the sources of the pipelines' deployments and announces what is new or changed: every ten minutes.",
    )
    return (*deployments, *(entry.load()(shared) for entry in list_added("fabula.deployments")), watcher)


def _deploy(pipeline: Pipeline, source: Sequence[str], shared: Mapping[str, Any]) -> Deployment:
    """Return the deployment of a pipeline with its default settings."""
    return Deployment(
        name=pipeline.name,
        flow=pipeline.name,
        entrypoint=pipeline.entrypoint,
        cron=pipeline.cron,
        parameters={"source": list(source), **shared},
        tags=("fabula", pipeline.name),
        description=f"{pipeline.summary} Runs {pipeline.rhythm}, and when the watcher sees something new.",
        pipeline=pipeline.name,
        on_change=True,
    )


def _deploy_paper(pipeline: Pipeline, source: Sequence[str], shared: Mapping[str, Any], scheduled: bool) -> Deployment:
    """Return the deployment of a pipeline with the profile of the paper's own method, into a dataset of its own."""
    name = f"papers-{pipeline.paper}"
    return replace(
        _deploy(pipeline, source, {**shared, "profile": pipeline.paper, "dataset": name}),
        name=name,
        cron="0 2 1 * *",
        tags=("fabula", "papers"),
        description=f"The paper's own method, profile {pipeline.paper}: monthly where that is asked for. Needs {pipeline.needs}.",
        on_change=False,
        scheduled=scheduled,
    )


def describe_trigger(deployment: Deployment) -> dict[str, Any]:
    """Return the trigger that starts a deployment once per event; the watcher emits one event per pipeline."""
    return {
        "name": f"{deployment.name}: new or changed units",
        "enabled": True,
        "type": "event",
        "posture": "Reactive",
        "match": {"prefect.resource.id": deployment.name},
        "expect": [SOURCE_CHANGED],
        "threshold": 1,
        "within": 0,
    }


def describe_pool(python: str) -> dict[str, Any]:
    """Return the work pool's template for the job of a run: one command, and no variables that a caller could set.

    With Prefect's own template whoever may start a run may also say which command the worker starts for it (`job_variables`).
    A command has to be given because Prefect's default copies the worker's current folder, whatever it contains, for each run.
    """
    return {
        # No `env` either: Prefect would merge a caller's variables into it. A run has the environment of its worker.
        "job_configuration": {"command": shlex.join([python, "-m", "prefect.engine"])},
        "variables": {"type": "object", "properties": {}, "additionalProperties": False},
    }


def describe_deployment(deployment: Deployment) -> dict[str, Any]:
    """Return a deployment as `prefect.yaml` has it."""
    described: dict[str, Any] = {
        "name": deployment.name,
        "description": deployment.description,
        "tags": list(deployment.tags),
        "entrypoint": deployment.entrypoint,
        "parameters": dict(deployment.parameters),
        "schedules": [{"cron": deployment.cron, "timezone": "UTC", "active": deployment.scheduled}],
        "concurrency_limit": {"limit": 1, "collision_strategy": COLLISION_STRATEGY},
        "work_pool": {"name": WORK_POOL},
    }
    return described | ({"triggers": [describe_trigger(deployment)]} if deployment.on_change else {})


def name_source(pipeline: Pipeline) -> str:
    """Return the environment variable that names a pipeline's source."""
    return f"FABULA_SOURCE_{pipeline.name.upper()}"


def write_prefect_yaml() -> str:
    """Return the text of `prefect.yaml`: sources, store and scheduler from the environment of whoever deploys."""
    sources = {pipeline.name: (f"{{{{ ${name_source(pipeline)} }}}}",) for pipeline in PIPELINES}
    deployments = list_deployments(sources, "{{ $FABULA_STORE }}", {"scheduler": "{{ $FABULA_SCHEDULER }}"})
    content = {
        "name": "fabula",
        "pull": [],  # nothing to fetch: the code is installed where the worker runs, and entrypoints are module paths
        "deployments": [describe_deployment(deployment) for deployment in deployments],
    }
    return _HEADER + yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=130)


if __name__ == "__main__":
    sys.stdout.write(write_prefect_yaml())
