"""Fingerprints: the same inputs, settings and code version give the same 64 digits, on any machine and in any process."""

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence


def fingerprint(stage: str, version: int, inputs: Sequence[str], config: object) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of canonical JSON of what a stage's result depends on.

    `inputs` are the fingerprints or checksums that the stage reads, in a fixed order; `config` is the part of the settings that
    it uses (see `canonicalise`); `version` goes up whenever the stage's results change.

    Raises:
        TypeError: the settings hold a value that has no canonical form.
    """
    value = {"stage": stage, "version": version, "inputs": list(inputs), "config": canonicalise(config)}
    return hashlib.sha256(_dump(value).encode("ascii")).hexdigest()


def canonicalise(value: object) -> object:
    """Return settings as plain JSON values: dataclasses as objects of their fields, tuples as lists, sets as sorted lists.

    A dataclass's own name does not count, so renaming one computes nothing anew; 1 and 1.0 differ.

    Raises:
        TypeError: a type with no canonical form, a key that is no string, a number that is not finite.
    """
    match value:
        case None | bool() | str() | int():
            return value
        case float():
            if not math.isfinite(value):
                raise TypeError(f"{value!r} has no canonical form; a setting is a finite number")
            return float(value)
        case list() | tuple():
            return [canonicalise(part) for part in value]
        case set() | frozenset():
            return sorted((canonicalise(part) for part in value), key=_dump)
        case Mapping():
            _refuse_keys(value)
            return {key: canonicalise(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {part.name: canonicalise(getattr(value, part.name)) for part in dataclasses.fields(value)}
    raise TypeError(
        f"{type(value).__qualname__} has no canonical form; settings are dataclasses, mappings, sequences and plain values"
    )


def _refuse_keys(value: Mapping[object, object]) -> None:
    for key in value:
        if not isinstance(key, str):
            raise TypeError(f"the key {key!r} is no string; only string keys have a canonical form")


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
