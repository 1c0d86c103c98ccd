"""Counts what one reads to understand `fabula run transcripts` up to the first parser; `core` is left out of all counts.

    python -m lab.reading_path [--files]

- ingestion: all modules that `WAY` imports, directly or through others, also inside functions. `WAY` is where a run enters its
  first half: the frame's ingestion, and the two functions of the pipeline that it calls, the plan, and the reading with which the
  build of an episode begins. The parsers are called there. The run hands in opened sources, and what earlier runs have left;
- whole build: the same with the whole build of an episode, and the models of its settings;
- flow: all modules that `flows.transcripts` imports: the run but for its second half, and what Prefect and Dask need;
- whole flow: the same with the whole build and all that a run finds by name: the release, the report, every kind of source.
"""

import argparse
import ast
from collections.abc import Iterable
from pathlib import Path

from infra.sources.opening import KINDS

ROOT = Path(__file__).resolve().parents[1]
WAY = ("flows.frame.ingestion", "tasks.transcripts.plan", "tasks.transcripts.reading")
WHOLE_BUILD = (*WAY, "tasks.transcripts.ingestion", "tasks.transcripts.build")
FLOW = ("flows.transcripts",)
BY_NAME = ("flows.frame.release", *(f"tasks.transcripts.{part}" for part in ("release", "statistics", "report")))
WHOLE_FLOW = (*WHOLE_BUILD, *FLOW, *BY_NAME, *(module for module, _ in KINDS.values()))


def list_modules() -> dict[str, Path]:
    """Return the files of all modules of flows, tasks and infra by name."""
    files = (path for package in ("flows", "tasks", "infra") for path in (ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def find_imports(path: Path) -> set[str]:
    """Return the names that a module imports anywhere but for types."""
    found: set[str] = set()
    left: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while left:
        node = left.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update([node.module, *(f"{node.module}.{name.name}" for name in node.names)])
        left += ast.iter_child_nodes(node)
    return found


def find_closure(starts: Iterable[str]) -> dict[str, int]:
    """Return the lines of every file of the import closure of some modules, by path; packages' own files are left out."""
    modules, seen, left = list_modules(), set[str](), list(starts)
    while left:
        name = left.pop()
        if name in modules and name not in seen:
            seen.add(name)
            left += find_imports(modules[name])
    paths = sorted(modules[name] for name in seen if modules[name].name != "__init__.py")
    return {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", action="store_true", help="list the files")
    files = parser.parse_args().files
    for name, starts in (("ingestion", WAY), ("whole build", WHOLE_BUILD), ("flow", FLOW), ("whole flow", WHOLE_FLOW)):
        counts = find_closure(starts)
        print(f"{name}: {len(counts)} files, {sum(counts.values()):,} lines")
        print("".join(f"  {count:>5,}  {path}\n" for path, count in counts.items() if files), end="")


if __name__ == "__main__":
    main()
