"""The values of a release: what a pipeline makes of landed units, and what its releases consist of and are shown by."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from core.dataset.card import NO_DESCRIPTION, Description
from core.dataset.pictures import Picture
from core.dataset.rejects import RejectedRows, count_reasons
from core.dataset.report import Drawing, Quality, ReportSpec, UnitReport
from core.dataset.splits import Split, SplitConfig
from core.dataset.takedown import Takedown, Withheld
from core.dataset.units import ProvenanceConfig
from core.reading.belief import READING
from core.references import Artifact, UnitReference
from core.review.decisions import Decision
from infra.store.manifests import Manifest
from infra.store.objects import Store
from infra.tables.codecs import Codec
from infra.tables.parquet import Provenance, Rows, Schema
from tasks.frame.asking import Said
from tasks.frame.build import read_artifact
from tasks.frame.pipeline import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseUnit:
    """A landed unit as a release needs it.

    `artifacts` are by stage those that its rows are read from, and `checksums` those that the release's version covers. `size`
    is its text in bytes, `facts` what its rows say beyond its artifacts (the earlier episode that a recap retells, gold links).
    `withheld` are its rows that the takedown list keeps out: tables without a column `id` heed it themselves. `reviews` is what
    annotators have decided of its rows.
    """

    unit: str
    artifacts: Mapping[str, Artifact]
    checksums: tuple[str, ...]
    size: int
    provenance: Provenance
    facts: Mapping[str, str | None] = field(default_factory=dict)
    withheld: Takedown = field(default_factory=Takedown)
    reviews: tuple[Decision, ...] = ()

    def read(self, store: Store, stage: str) -> bytes:
        """Return the bytes of a stage's artifact; errors as in `read_artifact`."""
        return read_artifact(store, self.unit, self.artifacts[stage])

    def read_reading(self, store: Store, codec: Codec[Said], model: str) -> Said | None:
        """Return what a model that reads says of the unit (its stage `reading`), None where it has said nothing."""
        found = codec.decode(self.read(store, READING)) if READING in self.artifacts else None
        return found if found is not None and found.model == model else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """A table of a release: its rows for one unit, and where they go.

    A `config` has a file per split under `data/<name>/`; another table goes to `<name>/` as a whole. `build` must be a function
    that a worker can import, or a partial of one. `expansion` is the rows' size relative to the unit's text: shards are cut so.
    `units` are those that the table has rows of (None: all). `split` is their split then, whatever an earlier release said: a
    unit that people have marked for evaluation leaves training. `description` says in the card what a config holds ("": nothing).
    """

    name: str
    schema: Schema
    build: Callable[[Store, ReleaseUnit], Rows]
    config: bool
    expansion: float
    units: frozenset[str] | None = None
    split: Split | None = None
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRequest:
    """A shard to write: `path` is the file's place in the release, `release` the release's key in the store."""

    store: str
    release: str
    path: str
    table: TableSpec
    units: tuple[ReleaseUnit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardReference:
    """A written shard of `table` and `split` ("" outside the configs), and what its rows count together (`Rows.counts`).

    `withheld` counts the rows that the takedown list kept out of it, by reason. `credits` are whom its rows name, each with the
    licence.
    """

    path: str
    table: str
    split: str
    sha256: str
    size: int
    rows: int
    counts: dict[Any, int]
    withheld: dict[str, int] = field(default_factory=dict)
    credits: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """A release to be: `requests` by file path are its tables, `splits` those of its units, `parent` the version before.

    `placed` is what was placed by earlier releases, or claimed by runs in progress, when it was planned. `gone` are the splits of
    units among these that this one lacks. Parent and gone units are of this store: they go into the pointer and the history,
    and not into the release, whose files are the same in every store. `withheld` counts the units that the takedown list keeps
    out, by reason; the history remembers their splits. `reviews` has by unit and row a digest of what annotators have decided.
    `current`: the latest release is just this one. `complete`: all its files are there. `sound`: nothing of what the store
    remembers of the dataset (its pointer, its history) is damaged.
    """

    dataset: str
    version: str
    folder: str
    parent: str | None
    current: bool
    complete: bool
    sound: bool
    splits: dict[str, Split]
    placed: dict[str, Split]
    gone: dict[str, Split]
    requests: dict[str, ShardRequest]
    configuration: object
    withheld: dict[str, int] = field(default_factory=dict)
    reviews: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def unchanged(self) -> bool:
        """Whether there is nothing to do: no file to write and no pointer to move."""
        return self.current and self.complete and self.sound


Present = Callable[[Store, ReleaseUnit], Iterable[UnitReport]]
"""Tells what a report shows of a unit of a release; a shard is several units. A worker must be able to import it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporter:
    """What a pipeline gives to the report: how it speaks, and what it shows of each unit."""

    present: Present
    spec: ReportSpec = field(default_factory=ReportSpec)


Kind = Literal["span", "links", "pair", "rate", "room", "level"]
"""What is asked of a row: its turns, its scenes, whether it is good, or a room, how good its interactions are, or its level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """A row to look at: its id and unit, its priority, and how sure the aligner is of it (None: unknown).

    `why` tells what brings it into a queue, where that is more than its place in the queue's order.
    """

    item: str
    unit: str
    priority: float = 0.0
    confidence: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSource:
    """The rows of a release that annotators can look at.

    `show` returns a row as JSON values: `item`, `unit`, `title`, `summary`, `turns` (number, speakers, text), the `digest` of a
    decision about it, and what its kind needs besides. `more` returns turns of a unit, from one to another (inclusive).
    """

    kind: Kind
    rows: Sequence[ReviewRow]
    show: Callable[[str], Mapping[str, Any]]
    more: Callable[[str, int, int], Sequence[Mapping[str, Any]]] | None = None


class PipelineConfig(Protocol):
    """What a release reads of a pipeline's configuration. A configuration is a frozen dataclass whose fields have defaults."""

    @property
    def split(self) -> SplitConfig:
        """How units are divided into train, validation and test."""

    @property
    def provenance(self) -> ProvenanceConfig:
        """Licence and attribution of the source."""


Config = TypeVar("Config", bound=PipelineConfig)


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed(Generic[Config]):
    """What a run has to release: the landed units by id, and what discovery knew.

    `known` are all units that the sources hold, landed or not; `withheld` is what the takedown list keeps out of the release.
    `splits` are the units' splits, once the release is planned: only its statistics know them. `reviews` is what annotators have
    decided of the rows of each unit.
    """

    store: Store
    config: Config
    references: Mapping[str, UnitReference]
    known: tuple[str, ...]
    withheld: Withheld
    knowledge: Any
    splits: Mapping[str, str] = field(default_factory=dict)
    reviews: Mapping[str, tuple[Decision, ...]] = field(default_factory=dict)

    def read_readings(self: "Landed[Any]", codec: Codec[Said]) -> list[Said]:
        """Return what the reader of the settings says of each unit that has a stage `reading`."""
        units = [(unit, found.artifacts[READING]) for unit, found in self.references.items() if READING in found.artifacts]
        readings = [codec.decode(read_artifact(self.store, unit, artifact)) for unit, artifact in units]
        return [found for found in readings if found.model == self.config.reader.model]


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A release to read: its folder in the store, and its manifest."""

    store: Store
    folder: str
    manifest: Manifest

    def list_keys(self, table: str) -> list[str]:
        """Return the keys of the files of a table, in order: of a config the files of all its splits."""
        prefixes = (f"data/{table}/", f"{table}/")
        return [f"{self.folder}/{file.path}" for file in self.manifest.files if file.path.startswith(prefixes)]


@dataclass(frozen=True, slots=True)
class Summary:
    """What the statistics of a release say."""

    statistics: dict[str, Any]
    """As `stats.json` has them."""
    figures: Sequence[Mapping[str, str]]
    """The same for a person, as rows with `metric` and `value`."""
    quality: Sequence[Quality] = ()
    """How well the rows agree with gold of the source."""
    belief: float | None = None
    """How far the reader of the settings is believed, where all units together tell; None where each unit does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSpec(Generic[Config]):
    """What a pipeline makes of landed units. What shows them to people are parts of its own, below."""

    tables: Callable[[Landed[Config]], Sequence[TableSpec]]
    """The tables of a release, the default config first."""
    released_stages: tuple[str, ...]
    """The stages that rows and statistics are read from: the release's version covers their artifacts."""
    read_stages: tuple[str, ...] = ()
    """Those that rows are read from, where these are fewer or others."""
    facts: Callable[[Landed[Config]], Mapping[str, Mapping[str, str | None]]] = lambda _: {}
    """By unit, what rows and statistics say beyond these. It goes into the version, as `told` does."""
    told: Callable[[Landed[Config]], object] = lambda _: None
    """What statistics say beyond all units, as JSON values."""
    source: str | None = None
    """What every row names as its source; None: the unit's files."""
    description: Description = NO_DESCRIPTION
    """What the card says of its releases."""
    reject_columns: tuple[str, ...] = ()
    """The columns of the table `rejects` that `explain_rejects` needs beside `reason`."""
    explain_rejects: Callable[[Config, Iterable[Mapping[str, Any]]], Sequence[RejectedRows]] = count_reasons
    """Tells which settings have left rows out, of the settings and the rows of the table `rejects`."""


RELEASE: Part[ReleaseSpec[Any]] = Part("RELEASE")
"""What a pipeline makes of landed units."""
SUMMARISE: Part[Callable[[Landed[Any], Sequence[ShardReference]], Summary]] = Part("summarise", ("statistics", "release"))
"""Makes the statistics of a release of the landed units and the written shards (without it: its rows by table)."""
MAKE_REPORTER: Part[Callable[[Landed[Any], Sequence[TableSpec]], Reporter]] = Part("make_reporter", ("report", "release"))
"""Says what the report of a release shows of its units (without it: the rows of the tables)."""
LIST_ROWS: Part[Callable[[Released], ReviewSource]] = Part("list_rows", ("review", "release"))
"""Lists what annotators can look at (without it: the rows of the default config, to accept or reject)."""
EXPORTS: Part[Mapping[str, Callable[[Released], Iterator[tuple[str, bytes]]]]] = Part("EXPORTS", ("export",))
"""Forms other than tables in which a release can be written, each as files: their paths and bytes."""
SHOW: Part[Callable[[Store, UnitReference, str, bool], Iterator[str]]] = Part("show")
"""Describes a landed unit as lines: the store, its reference, the name that was asked for (a shard's member, perhaps), and
whether to show what cleaning changed."""
SHOW_SPEAKERS: Part[Callable[[Store, UnitReference], Iterator[str]]] = Part("show_speakers")
"""Lists the speakers of a landed unit and what to correct among them, where labels are read."""
DRAW: Part[Callable[[Store, UnitReference], Sequence[Picture]]] = Part("draw")
"""Draws a landed unit."""
EXPLORE: Part[Callable[[Store, UnitReference, str, Any], Sequence[Drawing]]] = Part("explore", ("report", "release"))
"""Computes drawings of a landed unit that would make a release large: the store, its reference, the name that was asked for, and
the settings of the release."""
