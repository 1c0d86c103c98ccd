"""docker-compose.yml as docker compose would see it: anchors merged, variables filled in."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

_VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?P<rule>:\?|:-|-)?(?P<rest>[^}]*)\}")


def read_services(compose: Path, variables: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return the services by name; of compose's rules for variables, those that the file uses.

    Raises:
        KeyError: a required variable is unset or empty.
    """
    services: dict[str, dict[str, Any]] = _fill_in(yaml.safe_load(compose.read_text(encoding="utf-8"))["services"], variables)
    return services


def find_variables(compose: Path) -> dict[str, set[tuple[str, str]]]:
    """Return the variables of the file: by name, the rules (":?", ":-", "-" or "") with what follows them."""
    found: dict[str, set[tuple[str, str]]] = {}
    for match in _VARIABLE.finditer(_drop_comments(compose.read_text(encoding="utf-8"))):
        found.setdefault(match["name"], set()).add((match["rule"] or "", match["rest"]))
    return found


def read_env(text: str) -> dict[str, str]:
    """Return the variables of an env file."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def _drop_comments(text: str) -> str:
    return re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)


def _fill_in(value: Any, variables: Mapping[str, str]) -> Any:
    """Fill in strings wherever they stand, as compose does: after reading YAML, so that an empty one stays a string."""
    if isinstance(value, dict):
        return {key: _fill_in(each, variables) for key, each in value.items()}
    if isinstance(value, list):
        return [_fill_in(each, variables) for each in value]
    if isinstance(value, str):
        return _VARIABLE.sub(lambda found: _look_up(found, variables), value)
    return value


def _look_up(found: re.Match[str], variables: Mapping[str, str]) -> str:
    name, rule, rest = found["name"], found["rule"], found["rest"]
    value = variables.get(name)
    if value or (value is not None and rule == "-"):
        return value
    if rule in (":-", "-"):
        return rest
    raise KeyError(f"{name}: {rest}")
