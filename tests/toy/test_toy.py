"""A pipeline that is added in one place works everywhere: what docs/adding-a-pipeline.md promises, on a copy of the checkout."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration  # every call is a process of its own

HERE = Path(__file__).parent
LETTERS = 40


def write_letters(path: Path) -> None:
    """Write forty letters and a bad one, without lines."""
    letters = [
        {
            "id": f"letter-{number:02d}",
            "lines": [f"Did you find key {number}?", "It was under the lamp."],
            "summary": f"Key {number}.",
        }
        for number in range(LETTERS)
    ]
    bad = {"id": "letter-bad", "lines": [], "summary": "Nothing."}
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(letter) + "\n" for letter in [*letters, bad]), encoding="utf-8")


class Checkout:
    """A copy of fabula's packages, with the toy added, and a source and a store for it."""

    def __init__(self, folder: Path, repository: Path) -> None:
        for package in ("core", "infra", "tasks", "flows", "lab"):
            # With what is compiled: the copies keep the files' times, so Python and numba take it, and compile nothing again.
            shutil.copytree(repository / package, folder / "fabula" / package)
        root = folder / "fabula"
        shutil.copy(HERE / "pipeline.py", root / "tasks" / "toy.py")
        shutil.copy(HERE / "flow.py", root / "flows" / "toy.py")
        listed = (root / "tasks" / "pipelines.py").read_text(encoding="utf-8")
        line = "from tasks.toy import TOY\n\nPIPELINES: tuple[Pipeline, ...] = (TOY, "
        changed = listed.replace("PIPELINES: tuple[Pipeline, ...] = (", line)
        assert changed != listed
        (root / "tasks" / "pipelines.py").write_text(changed, encoding="utf-8")
        self.source, self.store = folder / "source", folder / "store"
        write_letters(self.source / "letters.jsonl")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "FABULA_", "DASK_"))}
        self.environment = kept | {"PREFECT_HOME": str(folder / "prefect"), "PYTHONPATH": str(root)}
        self.folder = folder

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy; a failure shows what it printed."""
        command = [sys.executable, *arguments]
        ended = subprocess.run(command, env=self.environment, cwd=self.folder, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        return ended

    def fabula(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command in the copy, on its store."""
        return self.python("-m", "flows.cli.main", *arguments, "--store", str(self.store))

    def run(self, *options: str) -> dict[str, Any]:
        """Run the toy; return what `--json` prints."""
        outcome: dict[str, Any] = json.loads(self.fabula("run", "toy", "--source", str(self.source), "--json", *options).stdout)
        return outcome


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("toy"), repository)


def test_the_toy_is_small() -> None:
    assert len((HERE / "pipeline.py").read_text(encoding="utf-8").splitlines()) < 100


def test_runs_in_this_process_build_what_is_new_and_leave_out_what_is_taken_down(checkout: Checkout) -> None:
    units = checkout.run("--in-process")["units"]
    assert units == {"discovered": 41, "computed": 40, "reused": 0, "waiting": 0, "quarantined": 1, "removed": 0}
    (record,) = (json.loads(path.read_text("utf-8")) for path in (checkout.store / "quarantine" / "toy").iterdir())
    assert record["unit"] == "letter-bad"
    assert "no lines" in record["reason"]
    assert checkout.run("--in-process")["units"] == units | {"computed": 0, "reused": 40}

    letters = checkout.source / "letters.jsonl"
    letters.write_text(letters.read_text("utf-8").replace("Key 7.", "The seventh key."), encoding="utf-8")
    units = checkout.run("--in-process")["units"]
    assert 0 < units["computed"] < 25, "one changed record builds its shard and no other"
    assert units["computed"] + units["reused"] == 40
    shown = checkout.fabula("show", "letter-07").stdout
    assert shown.startswith("letter-07")
    assert "The seventh key." in shown

    checkout.fabula("takedown", "add", "letter-03", "--pipeline", "toy", "--reason", "asked for by its author")
    outcome = checkout.run("--in-process")
    assert outcome["units"]["discovered"] == 40
    manifest = json.loads((Path(outcome["release"]) / "manifest.json").read_text("utf-8"))
    assert sum(file["rows"] for file in manifest["files"]) == 39
    assert manifest["takedown"]["units"] == {"asked for by its author": 1}
    figures = json.loads(checkout.fabula("measure", "toy", "--json", "--in-process").stdout)
    assert figures["sample"]["of"] == 39


def test_prefect_and_dask_make_the_same_release(checkout: Checkout, tmp_path: Path) -> None:
    command = ("run", "toy", "--source", str(checkout.source), "--json", "--workers", "1")
    alone, mapped = tmp_path / "alone", tmp_path / "mapped"
    first = json.loads(checkout.python("-m", "flows.cli.main", *command, "--store", str(alone), "--in-process").stdout)
    second = json.loads(checkout.python("-m", "flows.cli.main", *command, "--store", str(mapped)).stdout)
    assert first["units"] == second["units"]
    assert Path(first["release"]).name == Path(second["release"]).name


def test_the_watcher_and_the_deployments_know_the_toy(checkout: Checkout, tmp_path: Path) -> None:
    script = str(HERE / "serve_toy.py")
    served = json.loads(checkout.python(script, str(checkout.source), str(tmp_path / "store")).stdout.splitlines()[-1])
    assert served["entrypoint"] == "flows.toy.build_toy"
    assert served["announced"] == {"toy": 4}
    assert served["again"] == {"toy": 0}
    assert "name: toy" in served["yaml"]
    assert "FABULA_SOURCE_TOY" in served["yaml"]


def test_the_help_and_the_doctor_know_the_toy(checkout: Checkout) -> None:
    assert "Pair letters." in checkout.python("-m", "flows.cli.main", "run", "--help").stdout
    stages = checkout.python("-c", "from tasks.pipelines import describe_versions; print(describe_versions()['stages'])").stdout
    assert "letters:1" in stages
