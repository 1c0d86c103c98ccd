"""The recorded results of every stage on the examples: which result a fingerprint has had, once and for all.

A store trusts that the same fingerprint has the same result. `golden.tsv` records both, a line a result, oldest first. Its last
column is a checksum over the line and the checksum of the line before: whoever writes another result into an old line breaks the
chain. So a result that has changed can only be recorded as a new line, with a new fingerprint. A fingerprint changes with the
stage's version, its input or its settings, and code alone changes none of these but the version.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.references import Artifact
from infra.store.objects import Store
from infra.tables.codecs import decode_table

PATH = Path(__file__).with_name("golden.tsv")
HEAD = ("pipeline", "stage", "version", "fingerprint", "result", "checksum")


@dataclass(frozen=True, slots=True)
class Golden:
    """The result of a stage: `fingerprint` and `result` are the first 16 digits of each."""

    pipeline: str
    stage: str
    version: int
    fingerprint: str
    result: str

    def chain(self, before: str) -> str:
        """Return the checksum of this line after a line with the checksum `before`."""
        return hashlib.sha256(f"{before} {self}".encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return "\t".join((self.pipeline, self.stage, str(self.version), self.fingerprint, self.result))


def read_history(text: str) -> tuple[list[Golden], str]:
    """Return the recorded results, oldest first, and the last checksum.

    Raises:
        ValueError: a line has been changed, taken out or put in between, or a version is lower than one before it.
    """
    head, *lines = text.splitlines()
    if tuple(head.split("\t")) != HEAD:
        raise ValueError(f"the first line is {head!r}")
    history: list[Golden] = []
    last = ""
    for number, line in enumerate(lines, 2):
        pipeline, stage, version, fingerprint, result, checksum = line.split("\t")
        entry = Golden(pipeline, stage, int(version), fingerprint, result)
        last = entry.chain(last)
        if checksum != last:
            raise ValueError(f"line {number} is not what was recorded; take the change back, and append a line instead")
        if any(old.version > entry.version for old in _of_stage(history, entry)):
            raise ValueError(f"line {number} has a lower version than a line before it")
        if any(old.fingerprint == entry.fingerprint for old in _of_stage(history, entry)):
            raise ValueError(f"line {number} has a fingerprint that stands in a line before it; raise the stage's version")
        history.append(entry)
    return history, last


def check_result(text: str, found: Golden) -> None:
    """Check that a fingerprint has the result that was recorded for it.

    Raises:
        ValueError: it has another one, or none is recorded; the message says what to do.
    """
    history, last = read_history(text)
    known = next((entry for entry in _of_stage(history, found) if entry.fingerprint == found.fingerprint), None)
    if known is None:
        raise ValueError(
            f"golden.tsv has no line for version {found.version} of the stage {found.stage!r} with its input and settings. If "
            f"the change is meant, append this line (then run the test again for further stages):\n{found}\t{found.chain(last)}"
        )
    if known.result != found.result:
        raise ValueError(
            f"the result of the stage {found.stage!r} of {found.pipeline} has changed, and its version, input and settings have "
            "not: stores would go on serving the old results. If the change is meant, raise its number in STAGE_VERSIONS"
        )


def describe_result(pipeline: str, version: int, artifact: Artifact, store: Store, digits: int = 9) -> Golden:
    """Return the result of a stage in a store; numbers count to `digits` digits, for the sake of other processors."""
    content = store.read(artifact.key)
    value = decode_table(content).to_pylist() if artifact.key.endswith(".parquet") else json.loads(content)
    result = hashlib.sha256(json.dumps(_simplify(value, digits), sort_keys=True).encode()).hexdigest()
    return Golden(pipeline, artifact.stage, version, artifact.fingerprint[:16], result[:16])


def _of_stage(history: Sequence[Golden], entry: Golden) -> list[Golden]:
    return [old for old in history if (old.pipeline, old.stage) == (entry.pipeline, entry.stage)]


def _simplify(value: Any, digits: int) -> Any:
    match value:
        case float():
            return f"{value:.{digits}g}"
        case Mapping():
            return {name: _simplify(part, digits) for name, part in value.items()}
        case list():
            return [_simplify(part, digits) for part in value]
    return value
