"""Profiles: the settings in the folders of `infra/profiles/`, one perhaps over another."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from infra.named_files import parse_toml

DEFAULT_PROFILE = "default"


def list_profiles(pipeline: str) -> list[str]:
    """Return the names of the profiles that have settings for a pipeline; `default` has those of every one."""
    folder = resources.files("infra") / "profiles"
    named = (entry for entry in folder.iterdir() if (entry / "config.toml").is_file())
    return sorted(entry.name for entry in named if entry.name == DEFAULT_PROFILE or pipeline in read_profile(entry.name))


@cache
def read_profile(name: str) -> dict[str, Any]:
    """Return the settings of a profile, a table for each pipeline: over those of the profile that it `extends`, where it does."""
    path = resources.files("infra") / "profiles" / name / "config.toml"
    settings = parse_toml(f"profile {name}", path.read_text(encoding="utf-8"))
    below = settings.pop("extends", "")
    return merge_tables(read_profile(below), settings) if below else settings


def merge_tables(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings over others, table by table."""
    merged = dict(below)
    for name, value in above.items():
        under = merged.get(name)
        merged[name] = merge_tables(under, value) if isinstance(under, Mapping) and isinstance(value, Mapping) else value
    return merged
