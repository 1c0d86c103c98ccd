"""The values of ingestion: what a pipeline does with its sources, which units it finds there, and which files they have."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import IO, Any, Generic, Protocol, TypeVar

from core.dataset.takedown import Takedown
from core.dataset.units import RefusedFile, SourceFile, WaitingUnit
from infra.store.objects import Store
from tasks.frame.pipeline import Part


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """The most bytes that a file of some kind may have, what such a file is, and what to do with a larger one."""

    bytes: int
    kind: str
    advice: str


@dataclass(frozen=True, slots=True)
class LandedFile:
    """A source file in the store: `key` names it there, `sha256` is of `content`."""

    file: SourceFile
    key: str
    sha256: str
    content: bytes


Config = TypeVar("Config")
Resources = Mapping[str, str]
"""Places on a machine by the name of the resource: `{"wordnet": "/usr/share/wordnet"}`."""


class Sources(Protocol):
    """The raw files of a run, from all the places that it was given (`infra.sources.opening.OpenedSources`)."""

    def list_files(self, folders: Collection[str] = (), records: str = "") -> list[SourceFile]:
        """Return every file by path; `folders` are names that a pipeline expects at the root, `records` as in `list_sources`."""

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return a whole file of at most `limit` bytes.

        Raises:
            SourceError: it is larger, its form cannot be read, or another source has the same path with different content.
        """

    def open(self, file: SourceFile) -> AbstractContextManager[IO[bytes]]:
        """Return a file as a stream, for one that may be larger than the memory; errors as in `read`."""

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a file's content, or "" if it cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A complete unit as discovery found it.

    `files` are what it is made from. `spec` is the pipeline's own description of it, for its build. `made_from` is what its
    results depend on besides the settings and the contents of its files. A shard has `members`: small units that travel in it.
    A shard of records has `records` instead: the landed parts of its record files, and `members` by id only.
    """

    id: str
    files: tuple[SourceFile, ...]
    spec: Any = None
    made_from: str = ""
    members: tuple["Unit", ...] = ()
    records: tuple["RecordPart", ...] = ()
    taken_down: frozenset[str] = frozenset()

    @property
    def member_ids(self) -> tuple[str, ...]:
        """The small units that travel in this one, or its own id where it is no shard."""
        if self.records:
            names = (name for part in self.records for name in part.members if name not in self.taken_down)
            return tuple(dict.fromkeys(names))
        return tuple(member.id for member in self.members) or (self.id,)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPart:
    """The records of one file in one shard: `key` and `sha256` of their lines in the store, and their ids in order."""

    path: str
    key: str
    sha256: str
    size: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest(Generic[Config]):
    """What a pipeline is asked to look at: the sources, and the settings that decide what is a unit.

    The frame leaves out the units that `takedown` names; a pipeline needs it only to leave members out of its shards.
    """

    sources: Sources
    store: Store
    config: Config
    profile: str
    resources: Resources
    takedown: Takedown


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What a pipeline finds in its sources."""

    listing: Sequence[SourceFile]
    """Every file of the sources."""
    units: Sequence[Unit] = ()
    """Complete units, in order; small ones travel in shards (`group_members`, `shard_records`)."""
    waiting: Sequence[WaitingUnit] = ()
    """Units that lack a half."""
    refused: Sequence[RefusedFile] = ()
    """Files that are no unit's."""
    taken_down: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Members on the takedown list: the shard that each would be in, and the id on the list that it is left out for."""
    listed: Collection[str] = ()
    """Ids on the takedown list which took parts out of members: comments, people."""
    made_from: Sequence[str] = ()
    """Checksums of what the results of every unit depend on: alias tables, keys."""
    shared: Any = None
    """The content of that, for the workers."""
    knowledge: Any = None
    """What the release needs besides the units: gold links, films that were left out."""
    disclosed: Any = None
    """The settings that the release is made with and tells of, where those of the run name people."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Units that the sources have and the settings leave out, each with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion(Generic[Config]):
    """How a pipeline finds units in its sources. Its part `tasks.frame.build.BUILD` builds one of them."""

    config: type[Config]
    """The type of its settings."""
    plan: Callable[[PlanRequest[Config]], Discovery]
    """Looks at the sources."""
    stage_versions: Mapping[str, int]
    """Raised when a stage's results change though its inputs and settings do not."""
    result_settings: Callable[[Config], object]
    """Returns the part of the settings that the units' results depend on."""
    find_resources: Callable[[Config, Resources], Resources] = lambda _, resources: resources
    """Returns the places of what the settings need on this machine, or raises ConfigError."""
    checksum_resources: Callable[[Config, Resources], Sequence[str]] = lambda _, __: ()
    """Returns checksums of those whose contents the results depend on."""


INGESTION: Part[Ingestion[Any]] = Part("INGESTION", ("ingestion",))
"""How a pipeline finds units in its sources."""
