"""Fingerprints of results: equal inputs, settings and stage version give the same 64 digits on any machine, in any process."""

import dataclasses
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence

LATER = {"later": True}
"""Metadata of a setting that came after releases were made: its default is in no fingerprint, so that theirs stay as they are."""


def fingerprint(stage: str, version: int, inputs: Sequence[str], config: object) -> str:
    """Return a stage's fingerprint: the SHA-256 (64 hexadecimal digits) of canonical JSON of all that its result depends on.

    Args:
        stage: the stage's name.
        version: the stage's version, which goes up whenever its results change.
        inputs: the fingerprints or checksums that the stage reads, in a fixed order.
        config: the part of the settings that the stage uses (see `canonicalise`).

    Raises:
        TypeError: the settings contain a value without a canonical form.
    """
    value = {"stage": stage, "version": version, "inputs": list(inputs), "config": canonicalise(config)}
    return hashlib.sha256(_dump(value).encode("ascii")).hexdigest()


def canonicalise(value: object) -> object:
    """Return settings as plain JSON values: dataclasses as objects of their fields, tuples as lists, sets as sorted lists.

    The name of a dataclass is left out, so renaming one keeps all fingerprints; so is the default of a `LATER` setting. 1 and 1.0
    differ.

    Raises:
        TypeError: a value has a type without a canonical form, a key is not a string, or a number is not finite.
    """
    match value:
        case None | bool() | str() | int():
            return value
        case float():
            if not math.isfinite(value):
                raise TypeError(f"{value!r} has no canonical form; use a finite number in the settings")
            return float(value)
        case list() | tuple():
            return [canonicalise(part) for part in value]
        case set() | frozenset():
            return sorted((canonicalise(part) for part in value), key=_dump)
        case Mapping():
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(f"the key {key!r} has no canonical form; use strings as keys in the settings")
            return {key: canonicalise(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [(part, getattr(value, part.name)) for part in dataclasses.fields(value)]
        return {part.name: canonicalise(found) for part, found in fields if part.metadata != LATER or found != part.default}
    raise TypeError(
        f"{type(value).__qualname__} has no canonical form; use dataclasses, mappings, sequences and plain values in the settings"
    )


def flatten_settings(settings: object, prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield settings with their whole names: `filter.min_confidence`."""
    if not isinstance(settings, Mapping):
        return
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from flatten_settings(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
