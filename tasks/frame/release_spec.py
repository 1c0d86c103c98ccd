"""What a pipeline makes of landed units: what is in its releases, and how it is reported, reviewed, shown and exported."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from core.dataset.card import NO_DESCRIPTION, Description
from core.dataset.paper_tables import PaperTable
from core.dataset.rejects import RejectedRows, count_reasons
from core.dataset.report import Drawing, Picture, Quality
from core.dataset.takedown import Withheld
from core.dataset.units import ProvenanceConfig
from core.references import UnitReference
from core.review.decisions import Decision

if TYPE_CHECKING:
    from core.dataset.splits import SplitConfig  # it needs numpy, which a command that computes nothing does without
    from infra.store.manifests import Manifest
    from infra.store.objects import Store
    from tasks.frame.release import ShardReference, TableSpec
    from tasks.frame.report import Reporter
    from tasks.frame.review_source import ReviewSource


class PipelineConfig(Protocol):
    """What a release reads of a pipeline's configuration. A configuration is a frozen dataclass whose fields have defaults."""

    @property
    def split(self) -> "SplitConfig":
        """How units are divided into train, validation and test."""

    @property
    def provenance(self) -> ProvenanceConfig:
        """Licence and attribution of the source."""


Config = TypeVar("Config", bound=PipelineConfig)


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed(Generic[Config]):
    """What a run has to release: the landed units by id, and what discovery knew.

    `known` are all units that the sources hold, landed or not; `withheld` is what the takedown list keeps out of the release.
    `splits` are the units' splits, once the release is planned: only its statistics know them. `reviews` is what readers have
    decided of the rows of each unit.
    """

    store: "Store"
    config: Config
    references: Mapping[str, UnitReference]
    known: tuple[str, ...]
    withheld: Withheld
    knowledge: Any
    splits: Mapping[str, str] = field(default_factory=dict)
    reviews: Mapping[str, tuple[Decision, ...]] = field(default_factory=dict)


def tell_nothing(_: Any) -> object:
    """Return nothing: for a pipeline whose statistics say nothing beyond its units."""
    return None


def tell_settings(config: Any, _: Any) -> Any:
    """Return settings as they are: for a pipeline whose settings name nobody."""
    return config


def no_facts(_: Any) -> Mapping[str, Mapping[str, str | None]]:
    """Return no facts: for a pipeline whose rows say nothing beyond their unit's artifacts."""
    return {}


def no_quality(_: Any) -> tuple[Quality, ...]:
    """Return nothing: for a pipeline whose statistics compare nothing with gold."""
    return ()


def no_paper_tables(_: Any, __: Any) -> tuple[PaperTable, ...]:
    """Return no tables: for a pipeline whose paper has none beyond those that every dataset of pairs gets."""
    return ()


def count_table_rows(_: Any, shards: "Sequence[ShardReference]") -> dict[str, Any]:
    """Return the rows of each table: the statistics of a pipeline that has no others."""
    rows: Counter[str] = Counter()
    for shard in shards:
        rows[shard.table] += shard.rows
    return {"rows": dict(rows)}


def tabulate_table_rows(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the rows of each table as rows with `metric` and `value`."""
    return [{"metric": f"rows of {table}", "value": str(count)} for table, count in statistics["rows"].items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A release to read: its folder in the store, and its manifest."""

    store: "Store"
    folder: str
    manifest: "Manifest"

    def list_keys(self, table: str) -> list[str]:
        """Return the keys of the files of a table, in order: of a config the files of all its splits."""
        prefixes = (f"data/{table}/", f"{table}/")
        return [f"{self.folder}/{file.path}" for file in self.manifest.files if file.path.startswith(prefixes)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSpec(Generic[Config]):
    """What a pipeline makes of landed units: the tables and statistics of a release, and all that shows them.

    `tables` are the tables of a release, the default config first. `released_stages` are the stages that its rows and
    statistics are read from; its version covers their artifacts. `read_stages` are those that rows are read from, where these
    are fewer or others. `facts` by unit is what rows and statistics say beyond these, and `told`, as JSON values, what
    statistics say beyond all units: both go into the version, so that the same version has the same files in every store.
    `disclose` returns the settings that a release is made with and tells of: it gets those of the run, and what discovery knew.
    `source` names the source in every row (None: the unit's files). `summarise` makes the release's statistics, `tabulate` rows
    of a table of them. `show` describes a landed unit as lines: the store, its reference, the name that was asked for (a
    shard's member, perhaps), and whether to show what cleaning changed. `show_speakers` lists its speakers and what to correct
    among them, where labels are read. `draw` draws it. `grade` tells how well the statistics agree with gold of the source.
    `paper_tables` are those of its paper, made of the statistics and the units. `review` lists what readers can look at (None:
    the rows of the default config, to accept or reject). `description` is what the card says of its releases. `exports` are the
    forms other than tables in which a release can be written, each as files: their paths and bytes. `explain_rejects` tells
    which settings have left rows out: it gets the settings and the rows of the table `rejects`, with their `reason` and the
    `reject_columns`. `report` is what the report of a release shows of its units from the tables (None: their rows). `explore`
    computes drawings of a landed unit that would make a release large: the store, the unit's reference, the name that was asked
    for, the settings of the release.
    """

    tables: "Callable[[Landed[Config]], Sequence[TableSpec]]"
    released_stages: tuple[str, ...]
    summarise: "Callable[[Landed[Config], Sequence[ShardReference]], dict[str, Any]]" = count_table_rows
    tabulate: Callable[[Mapping[str, Any]], list[dict[str, str]]] = tabulate_table_rows
    facts: Callable[[Landed[Config]], Mapping[str, Mapping[str, str | None]]] = no_facts
    told: Callable[[Landed[Config]], object] = tell_nothing
    disclose: Callable[[Config, Any], Config] = tell_settings
    read_stages: tuple[str, ...] = ()
    source: str | None = None
    reject_columns: tuple[str, ...] = ()
    exports: Mapping[str, Callable[[Released], Iterator[tuple[str, bytes]]]] = field(default_factory=dict)
    description: Description = NO_DESCRIPTION
    explain_rejects: Callable[[Config, Iterable[Mapping[str, Any]]], Sequence[RejectedRows]] = count_reasons
    show: "Callable[[Store, UnitReference, str, bool], Iterator[str]] | None" = None
    grade: Callable[[Mapping[str, Any]], Sequence[Quality]] = no_quality
    paper_tables: Callable[[Mapping[str, Any], Sequence[str]], Sequence[PaperTable]] = no_paper_tables
    show_speakers: "Callable[[Store, UnitReference], Iterator[str]] | None" = None
    draw: "Callable[[Store, UnitReference], Sequence[Picture]] | None" = None
    report: "Callable[[Landed[Config], Sequence[TableSpec]], Reporter] | None" = None
    explore: "Callable[[Store, UnitReference, str, Config], Sequence[Drawing]] | None" = None
    review: "Callable[[Released], ReviewSource] | None" = None
