"""Building one unit: its files landed, its stages found in the store by their fingerprints or computed and stored."""

import errno
import hashlib
import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import PurePosixPath
from traceback import format_exception_only
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from core.dataset.units import SourceFile
from core.errors import DamagedArtifactError, FabulaError, SourceError, StoreError, UnreadableFileError
from core.fingerprints import fingerprint
from core.references import Artifact, Notice, UnitFailure, UnitReference
from infra.store.objects import Store
from infra.tables.codecs import Codec
from tasks.frame.model import INGESTION, Config, LandedFile, Resources, SizeLimit, Sources, Unit
from tasks.frame.pipeline import Part, Pipeline

Value = TypeVar("Value")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRequest:
    """A unit to build: by what, from which sources, into which store, with every setting and what all units share."""

    pipeline: Pipeline
    """A worker builds with its own code of it, and stores results under that code's stage versions."""
    unit: Unit
    sources: Sources
    store: str
    config: Any
    resources: Resources = field(default_factory=dict)
    shared: Any = None
    earlier: Mapping[str, Artifact] = field(default_factory=dict)
    """The artifacts of its last good state by stage, made with the same settings: a shard's members that fail keep their rows."""
    known: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 by key of all that is known of its artifacts: what has another is damaged."""


@dataclass(frozen=True, slots=True)
class StageResult(Generic[Value]):
    """A stage's artifact. `load` gives its value: at hand where it was computed, read only when asked for where it was found."""

    artifact: Artifact
    computed: bool
    load: Callable[[], Value]


class UnitWork(Generic[Config]):
    """The work on one unit: what to build it from, and what it has left in the store so far. It lives for one call."""

    def __init__(self, request: UnitRequest, stage_versions: Mapping[str, int]) -> None:
        """Open the store of a request; nothing is read yet."""
        self.unit = request.unit
        self.config: Config = request.config
        self.resources = request.resources
        self.shared = request.shared
        self.earlier = request.earlier
        self._known = request.known
        self.store = open_store(request.store)
        self.pipeline = request.pipeline.name
        self._sources = request.sources
        self._versions = stage_versions
        self._artifacts: dict[str, Artifact] = {}
        self._computed: list[str] = []
        self._seconds: dict[str, float] = {}

    def land(self, file: SourceFile, limit: SizeLimit, cut: Callable[[bytes], bytes] | None = None) -> LandedFile:
        """Copy a source file to `landing/<pipeline>/<unit>/<sha256>/<name>` unless it is there, and return it with its content.

        `cut` returns the unit's own part of a file that several units share: no unit's landed files hold another's text.

        Raises:
            SourceError: the file is larger than `limit`, or two sources have different files of its path.
            UnreadableFileError: the source does not give this file.
        """
        started = time.perf_counter()
        if file.size > limit.bytes:
            found, most = f"{file.size / 2**20:,.0f} MiB", f"{limit.bytes / 2**20:,.0f} MiB"
            raise SourceError(f"{file.path}: {found}; expected {limit.kind} of at most {most}. {limit.advice}")
        content = _read(self._sources, file, limit)
        content = cut(content) if cut is not None else content
        sha256 = hashlib.sha256(content).hexdigest()
        key = landing_key(self.pipeline, self.unit.id, sha256, file.path)
        stored = self.store.read_if_there(key)
        if stored is None or stored[1] != sha256:
            if stored is not None:
                self.store.tell_damage(key, "its SHA-256 is not that of its name", f"{file.path} is copied again")
            self.store.write(key, content)
        self._seconds["land"] = self._seconds.get("land", 0.0) + time.perf_counter() - started
        return LandedFile(file, key, sha256, content)

    def run(
        self,
        stage: str,
        codec: Codec[Value],
        inputs: Sequence[str],
        settings: object,
        compute: Callable[[], Value],
        name: str = "",
    ) -> StageResult[Value]:
        """Return a stage's result: found in the store by its fingerprint, or computed and stored.

        `stage` is a name of the pipeline's `stage_versions`, `inputs` are checksums or fingerprints of what it reads, `settings`
        the part of the settings that it uses. The unit's reference has the artifact under `name`, or "" under the stage's: one
        stage may run on several inputs.
        """
        started = time.perf_counter()
        key = fingerprint(stage, self._versions[stage], inputs, settings)
        result = run_stage(self.store, self.pipeline, stage, self.unit.id, key, codec, compute, self._known)
        self._artifacts[name or stage] = result.artifact
        if result.computed and stage not in self._computed:
            self._computed.append(stage)
        self._seconds[stage] = self._seconds.get(stage, 0.0) + time.perf_counter() - started
        return result

    def refer(
        self,
        files: Iterable[LandedFile],
        counts: Mapping[str, int],
        failures: tuple[UnitFailure, ...] = (),
        owners: Sequence[str] = (),
        notices: Sequence[Notice] = (),
    ) -> UnitReference:
        """Return the reference of the built unit.

        `counts` is what the run reports of it; `characters` is its size in bytes, by which a release divides its files.
        `failures` are members of a shard that failed, and `owners` the member that each file belongs to. `notices` are for a
        person.
        """
        landed = list(files)
        return UnitReference(
            unit=self.unit.id,
            artifacts=self._artifacts,
            inputs=tuple(entry.key for entry in landed),
            sources=tuple(entry.file.origin or entry.file.path for entry in landed),
            counts=dict(counts),
            owners=tuple(owners),
            computed=tuple(self._computed),
            seconds=self._seconds,
            failures=failures,
            notices=tuple(notices),
        )

    def complete(self, reference: UnitReference) -> UnitReference:
        """Return a reference that `refer` made with the stages that were run since: for what is built on a shard's tables."""
        return replace(reference, artifacts=dict(self._artifacts), computed=tuple(self._computed), seconds=dict(self._seconds))


BUILD: Part[Callable[[UnitWork[Any]], UnitReference]] = Part("build", ("build", "ingestion"))
"""Builds a unit of a pipeline, stage after stage."""


def build_unit(request: UnitRequest) -> UnitReference:
    """Build one unit of any pipeline; stages whose fingerprint the store knows are not computed again.

    Raises:
        SourceError: a file is bad; the message names it.
    """
    return request.pipeline.load(BUILD)(UnitWork(request, request.pipeline.load(INGESTION).stage_versions))


def describe_failure(unit: str, paths: Sequence[str], error: BaseException) -> UnitFailure:
    """Return the quarantine entry of a unit that ended with `error`."""
    reason = str(error)
    if not isinstance(error, FabulaError):
        said = "".join(format_exception_only(error)).strip()
        reason = f"{unit}: {said}; this is no fault of the input that fabula knows: run again, and report it if it stays"
    return UnitFailure(unit, tuple(paths), "build", reason, type(error).__name__, isinstance(error, SourceError))


def run_stage(
    store: Store,
    pipeline: str,
    stage: str,
    unit: str,
    key: str,
    codec: Codec[Value],
    compute: Callable[[], Value],
    known: Mapping[str, str] | None = None,
) -> StageResult[Value]:
    """Return the stage's result for the fingerprint `key`; what the store lacks, or has damaged, is computed and stored.

    What cannot be decoded is damaged, and what has another SHA-256 than `known` says of its key.
    """
    path = f"artifacts/{pipeline}/{stage}/{unit}/{key}{codec.suffix}"
    found = store.read_if_there(path)
    if found is not None:
        content, sha256 = found
        artifact, expected = Artifact(stage, key, path, sha256), (known or {}).get(path)
        if expected == sha256:
            return StageResult(artifact, False, cache(lambda: codec.decode(content)))
        damage = "" if expected is None else "its SHA-256 is not that of the catalog"
        try:
            value = codec.decode(content)
        except Exception as error:  # every decoder has errors of its own; what cannot be decoded can be computed again
            damage = f"{type(error).__name__} where it is read"
        if not damage:
            return StageResult(artifact, False, lambda: value)
        logger.warning("%s: the artifact %s is damaged (%s); it is computed again", unit, path, damage)
    elif path in (known or {}):
        logger.warning("%s: the artifact %s is missing; it is computed again", unit, path)
    try:
        computed = compute()
    except UnicodeEncodeError as error:
        raise SourceError(f"{unit}: {stage}: its text is damaged ({error.reason}); export its files again") from error
    except RecursionError as error:
        raise SourceError(
            f"{unit}: {stage}: its input is nested too deeply; expected a file of its kind. Is it the right one?"
        ) from error
    stored = store.write(path, _encode(unit, stage, codec, computed))
    return StageResult(Artifact(stage, key, path, stored.sha256), True, lambda: computed)


def _encode(unit: str, stage: str, codec: Codec[Value], value: Value) -> bytes:
    """Return a stage's value as bytes; SourceError where it does not fit the schema, so that no release meets it."""
    try:
        return codec.encode(value)
    except MemoryError:
        raise
    except Exception as error:  # every encoder has errors of its own
        raise SourceError(
            f"{unit}: what the stage {stage!r} made of it does not fit its schema ({explain_misfit(error)}); look at the unit's "
            "files, and report it if they are in order"
        ) from error


def explain_misfit(error: Exception) -> str:
    """Return on one line what does not fit a schema."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place or 'the value'} is {first['input']!r:.80}; {first['msg']}"
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


@lru_cache(maxsize=4)
def open_store(url: str) -> Store:
    """Return the store at a URL, the same one for every unit that this process builds."""
    return Store(url)


def landing_key(pipeline: str, unit: str, sha256: str, path: str) -> str:
    """Return the key of a landed file; its name is made safe."""
    return f"landing/{pipeline}/{unit}/{sha256}/{safe_name(path)}"


def _read(sources: Sources, file: SourceFile, limit: SizeLimit) -> bytes:
    try:
        return sources.read(file, limit.bytes)
    except StoreError as error:
        cause = error.__cause__
        circular = isinstance(cause, OSError) and cause.errno == errno.ELOOP
        if circular or isinstance(cause, FileNotFoundError | PermissionError | IsADirectoryError):
            raise UnreadableFileError(str(error)) from error
        raise


def safe_name(path: str) -> str:
    """Return a file's name with everything but ASCII letters, digits, dots, hyphens and underscores replaced by `_`."""
    name = re.sub(r"[^A-Za-z0-9._-]", "_", PurePosixPath(path).name)[-100:]
    return name.lstrip(".") or "_"


def join_checksums(files: Sequence[LandedFile]) -> list[str]:
    """Return what a first stage's fingerprint covers: checksum and type of each file, in order."""
    return [f"{landed.sha256}{PurePosixPath(landed.file.path).suffix.lower()}" for landed in files]


def read_artifact(store: Store, unit: str, artifact: Artifact) -> bytes:
    """Return the bytes of a unit's artifact.

    Raises:
        DamagedArtifactError: it is missing, or its bytes are not those that were written.
    """
    found = store.read_if_there(artifact.key)
    if found is None or found[1] != artifact.sha256:
        raise DamagedArtifactError(unit, artifact.key, "missing" if found is None else "damaged")
    return found[0]


def read_stage(store: Store, reference: UnitReference, stage: str) -> bytes:
    """Return the bytes of what a stage has made of a unit; errors as in `read_artifact`."""
    return read_artifact(store, reference.unit, reference.artifacts[stage])
