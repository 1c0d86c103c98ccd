"""Print what pyproject.toml requires, with the named extras, for `pip install --requirement`.

pip has no option for "the dependencies, without the project"; the image installs them first, so that its slowest layer outlives a
change of the code. Only the standard library, and no import of fabula: it runs before anything is installed.
"""

import sys
import tomllib
from pathlib import Path


def list_requirements(project: dict[str, object], extras: str) -> list[str]:
    """Return the requirements of a parsed pyproject.toml and of its `extras`, a list with commas, "" for none."""
    table = project["project"]
    assert isinstance(table, dict)
    known: dict[str, list[str]] = table["optional-dependencies"]
    requirements: list[str] = list(table["dependencies"])
    for extra in filter(None, extras.split(",")):
        if extra not in known:
            raise SystemExit(f"EXTRAS: there is no extra {extra!r}; expected some of {', '.join(known)}")
        requirements += known[extra]
    return requirements


if __name__ == "__main__":
    print("\n".join(list_requirements(tomllib.loads(Path("pyproject.toml").read_text()), sys.argv[1])))
