"""All pipelines of fabula. To add one: its folders, its flow, and its name in `PIPELINES` (docs/adding-a-pipeline.md).

Whatever does something for every pipeline reads this tuple: the command, the demo, the watcher, the deployments, `fabula serve`,
provision, `fabula doctor`. Names and help are known without importing what computes.
"""

import importlib.metadata as metadata
import platform

from core.errors import ConfigError
from tasks.frame.pipeline import Pipeline
from tasks.rooms import ROOMS
from tasks.scripts import SCRIPTS
from tasks.subtitles import SUBTITLES
from tasks.threads import THREADS
from tasks.transcripts import TRANSCRIPTS

PIPELINES: tuple[Pipeline, ...] = (TRANSCRIPTS, SCRIPTS, SUBTITLES, ROOMS, THREADS)


def find_pipeline(name: str) -> Pipeline:
    """Return the pipeline of a name.

    Raises:
        ConfigError: there is none; the message names those there are.
    """
    for pipeline in PIPELINES:
        if pipeline.name == name:
            return pipeline
    raise ConfigError(f"pipeline {name!r} is not known; the pipelines are {', '.join(each.name for each in PIPELINES)}")


_PACKAGES = ("fabula", "distributed", "numpy", "scipy", "pyarrow", "numba", "spacy")


def describe_versions() -> dict[str, str]:
    """Return the versions of Python, packages and stages, which must be the same on every machine of a run.

    A worker on which this can be called has fabula.
    """
    from tasks.frame.model import INGESTION  # a command that runs nothing does without it

    stages = " ".join(
        f"{pipeline.name}.{stage}:{version}"
        for pipeline in PIPELINES
        for stage, version in pipeline.load(INGESTION).stage_versions.items()
    )
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, "stages": stages} | {name: metadata.version(name) for name in _PACKAGES}
