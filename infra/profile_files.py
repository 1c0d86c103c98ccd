"""Profiles: named settings and tables that ship with fabula, a folder each in `infra/profiles/`."""

import tomllib
from importlib import resources
from typing import Any

from core.errors import ConfigError

DEFAULT_PROFILE = "default"


def list_profiles(pipeline: str) -> list[str]:
    """Return the names of the profiles that have settings for a pipeline; `default` has those of every one."""
    folder = resources.files("infra") / "profiles"
    named = (entry for entry in folder.iterdir() if (entry / "config.toml").is_file())
    return sorted(entry.name for entry in named if entry.name == DEFAULT_PROFILE or pipeline in read_profile(entry.name))


def read_profile(name: str) -> dict[str, Any]:
    """Return the settings of a profile, a table for each pipeline."""
    path = resources.files("infra") / "profiles" / name / "config.toml"
    return parse_toml(f"profile {name}", path.read_text(encoding="utf-8"))


def read_profile_table(profile: str, name: str) -> str | None:
    """Return the text of a table that a profile ships (`speakers.tsv`), None where it has none."""
    path = resources.files("infra") / "profiles" / profile / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


def parse_toml(name: str, text: str) -> dict[str, Any]:
    """Return the content of TOML text; ConfigError where it is broken."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ConfigError(f'{name}: {said}; expected TOML such as [alignment] aligner = "greedy"') from error
