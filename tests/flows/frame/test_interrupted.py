"""What the UI says of a run that Ctrl-C stopped."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.flows.stories import write_episode


def test_a_run_that_ctrl_c_stopped_is_cancelled_and_not_crashed(
    start_fabula: Callable[..., "subprocess.Popen[str]"], environment: dict[str, str], tmp_path: Path
) -> None:
    for number in range(1, 31):
        write_episode(tmp_path / "source", f"S01E{number:02d}")
    process = start_fabula("run", "transcripts", "--source", tmp_path / "source", "--store", tmp_path / "store")
    figures = tmp_path / "store" / "artifacts" / "transcripts" / "figures"
    while process.poll() is None and len(list(figures.glob("*"))) < 2:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=120) is not None
    assert process.returncode == 130
    with closing(sqlite3.connect(Path(environment["PREFECT_HOME"]) / "prefect.db")) as database:
        question = "select flow_run.state_name from flow_run where flow_run.name = ?"
        states = database.execute(question, [f"transcripts from {tmp_path / 'source'}"]).fetchall()
    assert states == [("Cancelled",)]
