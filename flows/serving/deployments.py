"""The deployments: which flow runs when, with which parameters. `prefect.yaml` and `fabula serve` are both made from it.

`python -m flows.serving.deployments > prefect.yaml` writes the file again; a test checks that it is up to date.
"""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from infra.orchestration.prefect import JOB_ENVIRONMENT

WORK_POOL = "fabula"
WORK_POOL_TYPE = "process"

SOURCE_CHANGED = "fabula.source.changed"
"""The event that starts a pipeline. Its resource id is the name of the pipeline, which is also that of the deployment."""

COLLISION_STRATEGY = "CANCEL_NEW"
"""A new run of a busy deployment is cancelled at once. Otherwise runs would queue up behind a long one, and after a week's
downtime all missed runs would start, although one run does the work of them all. No unit is lost: units that arrive during a run
are announced by the watcher after it."""

_HEADER = f"""\
# Deployments for a shared Prefect server: `prefect deploy --all` (docs/serving.md). Written by
# `python -m flows.serving.deployments`;
# change it there. The work pool: `prefect work-pool create {WORK_POOL} --type {WORK_POOL_TYPE}`.
# `$NAME` is taken from the environment of `prefect deploy`; without FABULA_SCHEDULER each run starts a Dask cluster of its own.
"""


@dataclass(frozen=True, slots=True)
class Deployment:
    """A flow on a schedule. `entrypoint` is its module path; `cron` is in UTC; if `on_change`, `SOURCE_CHANGED` starts it too."""

    name: str
    entrypoint: str
    cron: str
    parameters: Mapping[str, Any]
    tags: tuple[str, ...]
    description: str
    on_change: bool = False


PIPELINES = ("transcripts", "scripts", "subtitles")


def list_deployments(
    sources: Mapping[str, Sequence[str]], store: str, common: Mapping[str, Any] | None = None
) -> tuple[Deployment, ...]:
    """Return the deployments of every pipeline, of the papers' own profiles and of the watcher.

    Args:
        sources: folders or URLs by pipeline.
        store: folder or URL of the store.
        common: parameters for every flow except the watcher, such as `scheduler`.
    """
    shared = {"store": store, **(common or {})}
    return (
        Deployment(
            "transcripts",
            "flows.transcripts.build_transcripts",
            "0 3 * * *",
            {"source": list(sources["transcripts"]), **shared},
            ("fabula", "transcripts"),
            "Episode transcripts with their recaps: every night, and when the watcher sees something new.",
            on_change=True,
        ),
        Deployment(
            "scripts",
            "flows.scripts.build_scripts",
            "0 4 * * 0",
            {"source": list(sources["scripts"]), **shared},
            ("fabula", "scripts"),
            "Screenplays, series and books with their synopses: on Sundays, and when the watcher sees something new.",
            on_change=True,
        ),
        Deployment(
            "subtitles",
            "flows.subtitles.build_subtitles",
            "0 5 * * 0",
            {"source": list(sources["subtitles"]), **shared},
            ("fabula", "subtitles"),
            "Films' subtitles with their summaries: on Sundays, and when the watcher sees something new.",
            on_change=True,
        ),
        Deployment(
            "papers",
            "flows.papers.build_papers",
            "0 2 1 * *",
            # A store of their own: a pipeline's catalog holds the settings of one run, and the watcher compares with them.
            {
                "transcripts": list(sources["transcripts"]),
                "scripts": list(sources["scripts"]),
                **shared,
                "store": f"{store.rstrip('/')}/papers",
            },
            ("fabula", "papers"),
            "The papers' own methods: the profile crd3 (Needleman-Wunsch) into the dataset papers-crd3, the profile sumtitles "
            "into papers-sumtitles, in the store's folder `papers`: on the first of every month. Needs WordNet's nouns and the "
            "extra `embeddings`.",
        ),
        Deployment(
            "watch",
            "flows.serving.watcher.watch_sources",
            "*/10 * * * *",
            {"pipelines": list(PIPELINES)},
            ("fabula", "watch"),
            "Lists the sources of the pipelines' deployments and announces what is new or changed: every ten minutes.",
        ),
    )


def describe_trigger(deployment: Deployment) -> dict[str, Any]:
    """Return the trigger that starts a deployment when its source has changed, as `prefect.yaml` has it.

    It fires once per event; the watcher emits one event per pipeline, however many units are new.
    """
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


def describe_job(python: str) -> dict[str, Any]:
    """Return the job variables of every run. A worker of type `process` starts it with the interpreter `python`.

    The command is given because Prefect's default copies the worker's current folder, whatever it contains, for each run.
    """
    return {"command": shlex.join([python, "-m", "prefect.engine"]), "env": dict(JOB_ENVIRONMENT)}


def describe_deployment(deployment: Deployment) -> dict[str, Any]:
    """Return a deployment as `prefect.yaml` has it."""
    described: dict[str, Any] = {
        "name": deployment.name,
        "description": deployment.description,
        "tags": list(deployment.tags),
        "entrypoint": deployment.entrypoint,
        "parameters": dict(deployment.parameters),
        "schedules": [{"cron": deployment.cron, "timezone": "UTC", "active": True}],
        "concurrency_limit": {"limit": 1, "collision_strategy": COLLISION_STRATEGY},
        "work_pool": {"name": WORK_POOL, "job_variables": describe_job("python")},
    }
    return described | ({"triggers": [describe_trigger(deployment)]} if deployment.on_change else {})


def write_prefect_yaml() -> str:
    """Return the text of `prefect.yaml`, which takes sources, store and scheduler from the environment of `prefect deploy`."""
    sources = {pipeline: (f"{{{{ $FABULA_SOURCE_{pipeline.upper()} }}}}",) for pipeline in PIPELINES}
    deployments = list_deployments(sources, "{{ $FABULA_STORE }}", {"scheduler": "{{ $FABULA_SCHEDULER }}"})
    content = {
        "name": "fabula",
        "pull": [],  # nothing to fetch: the code is installed where the worker runs, and entrypoints are module paths
        "deployments": [describe_deployment(deployment) for deployment in deployments],
    }
    return _HEADER + yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=130)


if __name__ == "__main__":
    sys.stdout.write(write_prefect_yaml())
