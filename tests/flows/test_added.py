"""What other packages add to the command: found by entry points, imported late, and refused with what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.flows.calling import Fabula


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path in which another version of fabula is installed, with commands of its own."""
    info = tmp_path / "fabula-9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fabula\nVersion: 9\n", encoding="utf-8")
    points = "[fabula.commands]\nsing = songs:sing\ndances = songs:dances\nlost = songs_of_nowhere:lost\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    (tmp_path / "songs.py").write_text(
        "import typer\n"
        "def sing(what: str) -> None:\n"
        '    """Sing something, and only that.\n\n    Example: fabula sing tenor\n    """\n'
        "    print(what.upper())\n"
        "dances = typer.Typer(help='Dance.')\n"
        "@dances.command('waltz')\n"
        "def waltz() -> None: print('one two three')\n"
        "@dances.command('polka')\n"
        "def polka() -> None: print('hop')\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "songs", raising=False)
    return tmp_path


@pytest.mark.usefixtures("installed")
def test_functions_and_groups_become_subcommands_that_others_do_not_import(fabula: Fabula) -> None:
    said = fabula("--help").out
    assert "Sing something, and only that." in said
    assert "Dance." in said
    assert "fabula lost needs songs_of_nowhere" in " ".join(said.split())
    del sys.modules["songs"]
    assert fabula("show", "--help").status == 0
    assert "songs" not in sys.modules
    assert [fabula("sing", "tenor").out, fabula("dances", "waltz").out] == ["TENOR\n", "one two three\n"]


@pytest.mark.usefixtures("installed")
def test_a_command_whose_package_is_missing_says_what_to_install(fabula: Fabula) -> None:
    ended = fabula("lost", "--count", "3")
    assert ended.status == 2
    assert "fabula lost needs songs_of_nowhere, which is not installed: pip install 'fabula[lab]'" in ended.err


def test_a_missing_package_of_the_lab_is_named_with_its_extra(
    fabula: Fabula, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (installed / "songs.py").write_text("def sing() -> None:\n    import safetensors\n", encoding="utf-8")
    (installed / "fabula-9.dist-info" / "entry_points.txt").write_text("[fabula.commands]\nsing = songs:sing\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "safetensors", None)
    ended = fabula("sing")
    assert ended.status == 2
    assert "this needs safetensors, which is not installed: pip install 'fabula[lab]'" in ended.err


def test_fabula_imports_no_lab_before_it_is_asked_for() -> None:
    program = (
        "import sys, flows.cli.main, flows.serving.settings; print(*(name for name in sys.modules if name.startswith('lab')))"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "\n"
