"""What a unit leaves behind: names of its results in the store, never the results themselves."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Artifact:
    """A stage's result in the store.

    `sha256` is of its bytes; `fingerprint` covers everything that it was made from. Both have 64 hexadecimal digits.
    """

    stage: str
    fingerprint: str
    key: str
    sha256: str


@dataclass(frozen=True, slots=True)
class UnitFailure:
    """A unit, or a file that became none, in quarantine: where it failed and why.

    `paths` are the files' names as the source has them. `permanent` tells that the input is to blame, so that the same input with
    the same settings is not tried again.
    """

    unit: str
    paths: tuple[str, ...]
    stage: str
    reason: str
    error: str
    permanent: bool
    checksum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReference:
    """A landed unit.

    `artifacts` by stage; `inputs` are the landed files' keys; `sources` their paths in the source, or the origin that it names;
    `counts` what the run reports (turns, characters, ...); `computed` names the stages that this run computed rather than found;
    `seconds` is the time each took. `failures` are the members of a shard that failed while the shard landed.
    """

    unit: str
    artifacts: dict[str, Artifact]
    inputs: tuple[str, ...]
    sources: tuple[str, ...]
    counts: dict[str, int]
    computed: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    failures: tuple[UnitFailure, ...] = ()
