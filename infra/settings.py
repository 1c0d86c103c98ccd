"""Settings: a profile, then a TOML file over it, checked against the pipeline's frozen config."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError

from core.credentials import refuse_credentials
from core.dataset.units import find_nearest
from core.errors import ConfigError
from infra.named_files import parse_toml, read_named_text
from infra.shipped_profiles import DEFAULT_PROFILE, list_profiles, merge_tables, read_profile

Config = TypeVar("Config")

SettingPath = tuple[Any, ...]
Problems = dict[SettingPath, str]  # what is wrong, by the path of the setting: `("alignment", "chunk_sizes", 0)`
_DEEPEST = 32  # settings inside others
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def load_config(
    kind: type[Config],
    pipeline: str,
    profile: str = DEFAULT_PROFILE,
    file: str | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Config:
    """Return a pipeline's config: the profile's values, those of `file` over them, `overrides` over both.

    In a profile the values of a pipeline stand in the table of its name; in a user's file, there or at the top level.
    """
    # From the defaults on, so that one weight of several can be changed and the others stay.
    given = {
        "the call": overrides or {},
        str(file): {} if file is None else _own_table(read_toml(file), kind, pipeline, file),
        f"profile {profile}": _profile(profile, pipeline),
    }
    values: Mapping[str, Any] = asdict(cast(Any, kind()))
    for layer in reversed(given.values()):
        values = merge_tables(values, layer)
    return _validate(kind, values, given)


def validate_config(kind: type[Config], values: Mapping[str, Any], origin: str) -> Config:
    """Return `values` as an instance of the dataclass `kind`; a ConfigError names every setting that is unknown or wrong."""
    return _validate(kind, values, {origin: values})


def _validate(kind: type[Config], values: Mapping[str, Any], given: Mapping[str, Mapping[str, Any]]) -> Config:
    """Return checked values; `given` has the values of each origin, the one that wins first, for the message."""
    for origin, named in given.items():
        refuse_credentials(named, origin)
    if unreal := _find_unreal(values, ()):
        raise ConfigError(_describe_problems(unreal, given))
    config: Config | None = None
    problems: Problems = {}
    try:
        # Strictly, so that no boolean is a number; as JSON, where a list stands for every kind of sequence.
        checked = json.dumps(values, default=_to_json)
        config = cast(Config, _adapter(cast(Any, kind)).validate_json(checked, strict=True, extra="forbid"))
    except ValidationError as error:
        problems = _read_errors(error, kind)
    problems |= _check_sections(kind, values, (), set(problems))
    if problems or config is None:
        raise ConfigError(_describe_problems(problems, given))
    return config


def _to_json(value: Any) -> Any:
    """Return the JSON form of a value that JSON lacks: a set as a list, a date as text."""
    return list(value) if isinstance(value, Collection) else str(value)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read_toml(file: str) -> dict[str, Any]:
    """Return the content of a TOML file; ConfigError where it cannot be read or parsed."""
    return parse_toml(Path(file).name, read_named_text(file, "config file", "give --config a readable TOML file"))


def _profile(name: str, pipeline: str) -> dict[str, Any]:
    """Return a profile's settings for a pipeline. A profile without any is refused: it would run the defaults."""
    settings = read_profile(name) if name in list_profiles(pipeline) else None
    if settings is None:
        raise ConfigError(f"{pipeline} has no profile {name!r}; its profiles are {', '.join(list_profiles(pipeline))}")
    return cast(dict[str, Any], settings.get(pipeline, {}))


def _own_table(given: Mapping[str, Any], kind: Any, pipeline: str, file: str) -> Mapping[str, Any]:
    """Return a file's settings for one pipeline: its table, or else the whole file; both at once are refused."""
    if pipeline not in given:
        return given
    table = given[pipeline]
    if not isinstance(table, Mapping):
        raise ConfigError(f"{file}: {pipeline} is {table!r}; expected a table [{pipeline}]")
    stray = sorted({entry.name for entry in fields(kind)} & set(given))
    if stray:
        raise ConfigError(f"{file}: {stray[0]} stands beside the table [{pipeline}]; write [{pipeline}.{stray[0]}]")
    return table


def _find_unreal(value: Any, path: SettingPath) -> Problems:
    """Return the values that no setting can mean: NaN, infinite numbers, texts that UTF-8 cannot hold, and deep lists."""
    if len(path) > _DEEPEST:
        return {path[:1]: "is nested too deeply"}
    if isinstance(value, Mapping):
        parts: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    elif isinstance(value, float) and not isfinite(value):
        return {path: f"is {value}: expected a finite number"}
    elif isinstance(value, int) and abs(value) >= 2**63:
        return {path: f"has {value.bit_length():,} bits: expected a number of at most 64"}
    elif isinstance(value, str) and (found := _UNWRITABLE.search(value)):
        return {path: f"is {shorten(value)}: expected a text without the control character {found[0]!r}"}
    else:
        return {}
    problems: Problems = {}
    for name, part in parts:
        problems |= _find_unreal(part, (*path, name)) | (_find_unreal(name, (*path, name)) if isinstance(name, str) else {})
    return problems


def _read_errors(error: ValidationError, kind: Any) -> Problems:
    """Return what pydantic found wrong with the settings of `kind`, in fabula's words."""
    problems: Problems = {}
    for found in error.errors():
        # Pydantic adds to a path what kind of thing it looked at; a number in it is the place in a list.
        path = tuple(part for part in found["loc"] if part != "[key]")
        if found["type"] == "unexpected_keyword_argument":
            problems[path] = _explain_unknown(path, kind)
            continue
        expected = found["msg"].replace("Input should be", "expected").replace("expected greater", "expected a number greater")
        expected = expected.replace("an object", "a table")  # TOML's word
        problems[path] = f"is {shorten(found['input'])}: {expected.replace('expected less', 'expected a number less')}"
    # A list is also too short for pydantic where its members are wrong: the members are the fault.
    return {path: told for path, told in problems.items() if not any(path == other[:-1] for other in problems)}


def _explain_unknown(path: SettingPath, kind: Any) -> str:
    *sections, name = path
    for section in sections:
        kind = get_type_hints(kind)[section]
    known = sorted(get_type_hints(kind))
    meant = "".join(f". Did you mean {near}?" for near in find_nearest(name, known, most=1))
    return f"is not known; expected one of {', '.join(known)}{meant}"


def _check_sections(kind: Any, values: Mapping[str, Any], path: SettingPath, wrong: Collection[SettingPath]) -> Problems:
    """Return the problems between values of a section, for sections whose single values are right."""
    problems: Problems = {}
    for name, hint in get_type_hints(kind).items():
        if is_dataclass(hint) and isinstance(part := values.get(name), Mapping):
            problems |= _check_sections(hint, part, (*path, name), wrong)
    if not hasattr(kind, "list_problems") or any(where[: len(path)] == path for where in wrong):
        return problems
    # Sections inside this one are checked above. Here only this section's own values count.
    for name, problem in _adapter(kind).validate_python(values).list_problems():
        problems.setdefault((*path, name), f"is {shorten(values.get(name))}: {problem}")
    return problems


def _describe_problems(problems: Problems, given: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the message for all wrong settings: a line each, with where it was set."""
    lines = [f"{_find_origin(path, given)}: setting {_name(path)} {problem}" for path, problem in problems.items()]
    if len(lines) == 1:
        return lines[0]
    return "\n  ".join([f"{len(lines)} settings are wrong; nothing was started", *lines])


def _find_origin(path: SettingPath, given: Mapping[str, Mapping[str, Any]]) -> str:
    """Return who has set a value: the first origin that has most of its path."""

    def depth(values: Any) -> int:
        count = 0
        for part in path:
            if not isinstance(values, Mapping) or part not in values:
                break
            values, count = values[part], count + 1
        return count

    return max(given, key=lambda origin: depth(given[origin]))


def _name(path: SettingPath) -> str:
    """Return the name of a setting: `alignment.chunk_sizes[0]`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{_UNWRITABLE.sub('?', part)}" for part in path)[1:]


def shorten(value: object) -> str:
    """Return a value for a message, its middle left out where it is long."""
    shown = repr(value)
    return shown if len(shown) <= 120 else f"{shown[:80]} … {shown[-30:]}"
