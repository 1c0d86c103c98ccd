"""What a pipeline does with its sources: it finds the units that they hold, and builds each of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from core.dataset.takedown import Takedown
from core.dataset.units import RefusedFile, SourceFile, WaitingUnit
from core.references import UnitReference
from infra.store.objects import Store

if TYPE_CHECKING:
    from tasks.frame.building import UnitWork

Config = TypeVar("Config")
Resources = Mapping[str, str]
"""Places on a machine by the name of the resource: `{"wordnet": "/usr/share/wordnet"}`."""


class Sources(Protocol):
    """The raw files of a run, from all the places that it was given (`infra.sources.opening.OpenedSources`)."""

    def list_files(self, folders: Collection[str] = ()) -> list[SourceFile]:
        """Return every file by path; `folders` are lower-case names that a pipeline expects at the root.

        Raises:
            ConfigError: a source does not exist.
            StoreError: a source could not be listed in full.
        """

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return a whole file of at most `limit` bytes.

        Raises:
            SourceError: it is larger, its form cannot be read, or another source has the same path with different content.
            StoreError: the file cannot be read (it vanished after discovery, no permission, no network).
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
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Units that the sources have and the settings leave out, each with the reason."""


def no_resources(_: Any, resources: Resources) -> Resources:
    """Return the resources as they are: for a pipeline whose settings need nothing on the machine."""
    return resources


def no_checksums(_: Any, __: Resources) -> Sequence[str]:
    """Return nothing: for a pipeline whose results do not depend on the contents of its resources."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion(Generic[Config]):
    """How a pipeline makes units of its sources.

    `config` is the type of its settings. `plan` looks at the sources. `build` builds one unit on a worker, stage after stage; it
    is a function of a module, so that it can be sent there. `stage_versions` are raised when a stage's results change though its
    inputs and settings do not. `result_settings` is the part of the settings that the units' results depend on.
    `find_resources` returns the places of what the settings need on this machine, or raises ConfigError; `checksum_resources`
    returns checksums of those whose contents the results depend on.
    """

    config: type[Config]
    plan: Callable[[PlanRequest[Config]], Discovery]
    build: "Callable[[UnitWork[Config]], UnitReference]"
    stage_versions: Mapping[str, int]
    result_settings: Callable[[Config], object]
    find_resources: Callable[[Config, Resources], Resources] = no_resources
    checksum_resources: Callable[[Config, Resources], Sequence[str]] = no_checksums
