"""References to a unit's results in the store, which are passed on instead of the results themselves."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

_SHOWN = 3  # names of a notice that its line shows, and units with the same notice that have a line each


@dataclass(frozen=True, slots=True)
class Artifact:
    """Reference to a stage's result in the store.

    `key` is where the store keeps it. `sha256` is the checksum of its bytes; `fingerprint` covers everything that it was computed
    from. Both have 64 hexadecimal digits.
    """

    stage: str
    fingerprint: str
    key: str
    sha256: str


@dataclass(frozen=True, slots=True)
class UnitFailure:
    """A unit in quarantine, or a file that did not become a unit, with the stage that failed and the reason.

    `paths` are the files' names in the source. `permanent` means that the input is to blame: the same input with the same
    settings is not tried again.
    """

    unit: str
    paths: tuple[str, ...]
    stage: str
    reason: str
    error: str
    permanent: bool
    checksum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a person should look at in a landed unit, such as lines that look like speaker labels and were read as text.

    `what` says it in a few words, `names` counts it by name, the most frequent first (perhaps not all), `count` is the total.
    `advice` says what to do.
    """

    what: str
    count: int
    names: dict[str, int] = field(default_factory=dict)
    advice: str = ""

    def describe(self) -> str:
        """Return one line for a person."""
        shown = ", ".join(f"{name!r} ({count:,})" for name, count in list(self.names.items())[:_SHOWN])
        more = ", …" if len(self.names) > _SHOWN else ""
        told = f"{self.count:,} {self.what}" + (f": {shown}{more}" if shown else "")
        return f"{told}; {self.advice}" if self.advice else told


def describe_notices(notices: Iterable[tuple[str, Notice]]) -> list[str]:
    """Return a line for each unit's notice; where many units have the same one, a line for all of them."""
    alike: dict[tuple[str, str], list[tuple[str, Notice]]] = {}
    for unit, notice in notices:
        alike.setdefault((notice.what, notice.advice), []).append((unit, notice))
    lines = []
    for group in alike.values():
        if len(group) <= _SHOWN:
            lines += [f"{unit}: {notice.describe()}" for unit, notice in group]
            continue
        names: Counter[str] = Counter()
        for _, notice in group:
            names.update(notice.names)
        count = sum(notice.count for _, notice in group)
        whole = replace(group[0][1], count=count, names=dict(names.most_common()))
        lines.append(f"{len(group):,} units, such as {group[0][0]}: {whole.describe()}")
    return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReference:
    """A landed unit: all its results are in the store.

    Attributes:
        unit: the unit's id.
        artifacts: the results, by stage.
        inputs: the keys of the landed source files.
        sources: the paths of these files in the source, or the origin that the source names.
        owners: the small unit that each input belongs to (shards of files only).
        counts: the figures that the run reports (turns, characters, ...).
        computed: the stages that this run computed; it found the results of the others in the store.
        seconds: the time that each stage took.
        failures: the members of a shard that failed although the shard landed.
        notices: what a person should look at.
    """

    unit: str
    artifacts: dict[str, Artifact]
    inputs: tuple[str, ...]
    sources: tuple[str, ...]
    counts: dict[str, int]
    owners: tuple[str, ...] = ()
    computed: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    failures: tuple[UnitFailure, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEntry:
    """A unit as the last run left it: landed, or failed for good, perhaps after it had landed once (then it has both).

    `signature` covers the listing of its files (path, size, version) and `settings`, every setting: while it stays, so does the
    entry.
    """

    unit: str
    settings: str
    signature: str
    reference: UnitReference | None = None
    failure: UnitFailure | None = None
