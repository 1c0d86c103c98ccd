"""Settings: a profile, then a TOML file over it, checked against the pipeline's frozen config."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError

from core.errors import ConfigError

Config = TypeVar("Config")

DEFAULT_PROFILE = "default"


def list_profiles(pipeline: str) -> list[str]:
    """Return the names of the profiles that have settings for a pipeline; `default` has those of every one."""
    folder = resources.files("infra") / "profiles"
    named = (entry for entry in folder.iterdir() if (entry / "config.toml").is_file())
    return sorted(entry.name for entry in named if entry.name == DEFAULT_PROFILE or pipeline in _read_profile(entry.name))


def load_config(
    kind: type[Config],
    pipeline: str,
    profile: str = DEFAULT_PROFILE,
    file: str | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Config:
    """Return a pipeline's config: the profile's values, those of `file` over them, `overrides` over both.

    In a profile the values of a pipeline stand in the table of its name; in a user's file, there or at the top level.

    Raises:
        ConfigError: no such profile or file, broken TOML, an unknown setting or a value of the wrong type.
    """
    # From the defaults on, so that one weight of several can be changed and the others stay.
    values = _merge(asdict(cast(Any, kind())), _profile(profile, pipeline))
    if file is not None:
        values = _merge(values, _own_table(read_toml(file), kind, pipeline, file))
    return validate_config(kind, _merge(values, overrides or {}), origin=file or f"profile {profile}")


def validate_config(kind: type[Config], values: Mapping[str, Any], origin: str) -> Config:
    """Return `values` as an instance of the dataclass `kind`; unknown names are refused: a misspelt setting does nothing."""
    _refuse_unknown(kind, values, origin, ())
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{origin}: setting {name} is {first['input']!r}: {first['msg']}") from error


def read_profile_table(profile: str, name: str) -> str | None:
    """Return the text of a table that a profile ships (`speakers.tsv`), None where it has none."""
    path = resources.files("infra") / "profiles" / profile / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


def read_toml(file: str) -> dict[str, Any]:
    """Return the content of a TOML file; ConfigError where it cannot be read or parsed."""
    return _parse(Path(file).name, _text(file))


def _profile(name: str, pipeline: str) -> dict[str, Any]:
    """Return a profile's settings for a pipeline; a profile that has none for it would run the defaults under its name."""
    settings = _read_profile(name) if name in list_profiles(pipeline) else None
    if settings is None:
        raise ConfigError(f"{pipeline} has no profile {name!r}; its profiles are {', '.join(list_profiles(pipeline))}")
    return cast(dict[str, Any], settings.get(pipeline, {}))


def _read_profile(name: str) -> dict[str, Any]:
    path = resources.files("infra") / "profiles" / name / "config.toml"
    return _parse(f"profile {name}", path.read_text(encoding="utf-8"))


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"config file {file}: {error.strerror}; give --config a readable TOML file") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"config file {file}: not UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8") from error


def _parse(name: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f'{name}: {error}; expected TOML such as [alignment] aligner = "greedy"') from error


def _own_table(given: Mapping[str, Any], kind: Any, pipeline: str, file: str) -> Mapping[str, Any]:
    """Return a file's settings for one pipeline: its table, or the file as a whole; not both, or one would do nothing."""
    if pipeline not in given:
        return given
    table = given[pipeline]
    if not isinstance(table, Mapping):
        raise ConfigError(f"{file}: {pipeline} is {table!r}; expected a table [{pipeline}]")
    stray = sorted({entry.name for entry in fields(kind)} & set(given))
    if stray:
        raise ConfigError(
            f"{file}: {stray[0]} stands beside the table [{pipeline}]; write [{pipeline}.{stray[0]}], or leave [{pipeline}] out"
        )
    return table


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for name, value in above.items():
        under = merged.get(name)
        merged[name] = _merge(under, value) if isinstance(under, Mapping) and isinstance(value, Mapping) else value
    return merged


def _refuse_unknown(kind: Any, values: Mapping[str, Any], origin: str, path: tuple[str, ...]) -> None:
    hints = get_type_hints(kind)
    known = {field.name for field in fields(kind)}
    for name, value in values.items():
        if name not in known:
            where = ".".join((*path, name))
            raise ConfigError(f"{origin}: setting {where} is not known; expected one of {', '.join(sorted(known))}")
        if is_dataclass(hints[name]) and isinstance(value, Mapping):
            _refuse_unknown(hints[name], value, origin, (*path, name))
