"""What must be the same on every machine of a run."""

import importlib.metadata as metadata
import platform

from tasks.scripts import build as scripts
from tasks.subtitles import build as subtitles
from tasks.transcripts import build as transcripts

_PACKAGES = ("fabula", "distributed", "numpy", "scipy", "pyarrow", "numba", "spacy")


def describe_versions() -> dict[str, str]:
    """Return the versions of Python, packages and stages; on a worker, that this can be called shows that it has fabula."""
    versions = transcripts.STAGE_VERSIONS | scripts.STAGE_VERSIONS | subtitles.STAGE_VERSIONS
    stages = " ".join(f"{stage}:{version}" for stage, version in versions.items())
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, "stages": stages} | {name: metadata.version(name) for name in _PACKAGES}
