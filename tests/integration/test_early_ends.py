"""A command that is ended in its first seconds leaves no server behind; where Prefect cannot keep records, it ends at once."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.flows.stories import write_episode
from tests.integration.conftest import BIN
from tests.integration.fault_runs import Command, kill, list_left, wait_until

pytestmark = pytest.mark.integration

FABULA = str(BIN / "fabula")


@pytest.fixture
def command(environment: dict[str, str], tmp_path: Path) -> Iterator[Command]:
    """The command with a Prefect of its own, in a folder with a source."""
    write_episode(tmp_path / "source", "S01E01")
    command = Command({**environment, "PREFECT_HOME": str(tmp_path / "prefect")}, tmp_path)
    yield command
    command.end()


def test_kill_9_in_the_first_seconds_of_a_run_leaves_nothing(command: Command) -> None:
    process = command.start("source", "store")
    wait_until(psutil.Process(process.pid).children, process)  # its server, which is still importing
    kill(process)
    wait_until(lambda: not list_left(process))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_the_first_seconds_of_serving_says_how_to_go_on(
    number: signal.Signals, command: Command, free_port: Callable[[], int]
) -> None:
    words = ["serve", "--port", str(free_port()), "--source", "transcripts=source", "--home", "home"]
    process = command.call([FABULA, *words])
    wait_until(psutil.Process(process.pid).children, process)
    process.send_signal(number)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    wait_until(lambda: not list_left(process))
    assert err.endswith(f"stopped; nothing that was finished is lost. Go on with:\nfabula {' '.join(words)}\n")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "words", [["run", "transcripts", "--source", "source", "--store", "store"], ["serve", "--source", "transcripts=source"]]
)
def test_a_place_where_nothing_can_be_kept_ends_the_command_at_once(words: list[str], command: Command, tmp_path: Path) -> None:
    """Not the folder's permissions: a test that runs as root may write everywhere."""
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "home")
    process = command.call([FABULA, *words, *(["--home", place] if words[0] == "serve" else [])], PREFECT_HOME=place)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 2
    assert f"{place}: Prefect's server cannot keep its records there: Not a directory" in err
    assert "Traceback" not in err
    assert not (tmp_path / "store" / "running").exists()


@pytest.mark.parametrize("named", ["http://127.0.0.1:1/api", "nonsense"])
def test_a_run_whose_prefect_server_does_not_answer_says_so_in_one_line(named: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir(exist_ok=True)
    process = command.call([FABULA, "run", "transcripts", "--source", "source", "--store", "store"], PREFECT_API_URL=named)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 2
    assert f"fabula: no Prefect server answers at {named}: " in err
    assert err.endswith("start it with `fabula serve`, or unset PREFECT_API_URL so that each run starts its own\n")
    assert "Traceback" not in err
    assert not (tmp_path / "store").exists()
