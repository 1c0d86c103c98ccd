"""All pipelines of fabula. To add one: its folders, its flow, and a line in `PIPELINES` (docs/adding-a-pipeline.md).

Whatever does something for every pipeline reads this tuple: the command, the demo, the watcher, the deployments, `fabula serve`,
docker compose, `fabula doctor`. Names and help are known without importing what computes.
"""

import importlib.metadata as metadata
import platform
from typing import Any

from core.errors import ConfigError
from tasks.frame.pipeline import Implementation, Pipeline, Resource


def _load_transcripts() -> Implementation[Any]:
    from tasks.transcripts.implementation import IMPLEMENTATION

    return IMPLEMENTATION


def _load_scripts() -> Implementation[Any]:
    from tasks.scripts.implementation import IMPLEMENTATION

    return IMPLEMENTATION


def _load_subtitles() -> Implementation[Any]:
    from tasks.subtitles.implementation import IMPLEMENTATION

    return IMPLEMENTATION


TRANSCRIPTS = Pipeline(
    name="transcripts",
    summary="Align episode transcripts with their recaps.",
    source="Folder, URL or wiki with transcripts/ and recaps/; may be repeated.",
    cron="0 3 * * *",
    rhythm="every night",
    load=_load_transcripts,
    paper="crd3",
    needs="WordNet's nouns",
    resources=(Resource(name="wordnet", help="Folder of WordNet's noun files.", metavar="DIR"),),
)
SCRIPTS = Pipeline(
    name="scripts",
    summary="Align screenplays, series and books scene by scene with their synopses.",
    source="Folder or fsspec URL with movies/ID/, books/ID/, friends/*.json, gold/*.jsonl; may be repeated.",
    cron="0 4 * * 0",
    rhythm="on Sundays",
    load=_load_scripts,
    paper="sumtitles",
    needs="the extra `embeddings`",
)
SUBTITLES = Pipeline(
    name="subtitles",
    summary="Pair films' subtitles with their summaries, as whole dialogues.",
    source="Folder or fsspec URL: OPUS's layout, or a folder per film; may be repeated.",
    cron="0 5 * * 0",
    rhythm="on Sundays",
    load=_load_subtitles,
)

PIPELINES: tuple[Pipeline, ...] = (TRANSCRIPTS, SCRIPTS, SUBTITLES)


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
    stages = " ".join(
        f"{pipeline.name}.{stage}:{version}"
        for pipeline in PIPELINES
        for stage, version in pipeline.load().stage_versions.items()
    )
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, "stages": stages} | {name: metadata.version(name) for name in _PACKAGES}
