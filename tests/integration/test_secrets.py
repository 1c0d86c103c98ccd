"""A real run with a password in its environment: nothing it leaves or prints has it; where it listens, and where it writes."""

import base64
import json
import secrets
import sqlite3
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.flows.stories import write_episode
from tests.infra.sources.servers import serving_folder
from tests.integration.conftest import BIN, copy_home

pytestmark = pytest.mark.integration

SECRET = secrets.token_hex(12)
AUTHORIZATION = f"Basic {base64.b64encode(f'reader:{SECRET}'.encode()).decode()}"


def list_listeners(process: "subprocess.Popen[str]") -> set[tuple[str, str]]:
    """Return the addresses that the process and those below it listen on now, each with the name of the program."""
    found = set()
    try:
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return set()
    for each in family:
        with suppress(psutil.Error):
            open_sockets = each.net_connections(kind="inet")
            server = "guarded_server" in " ".join(each.cmdline())
            listening = (one.laddr.ip for one in open_sockets if one.status == psutil.CONN_LISTEN)
            found |= {("server" if server else "Dask", address) for address in listening}
    return found


def find_secret(folder: Path) -> list[str]:
    """Return the files below a folder that have the secret, plain or as a header has it."""
    needles = (SECRET.encode(), AUTHORIZATION.split()[1].encode())
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 20
    return [str(path) for path in files if any(needle in path.read_bytes() for needle in needles)]


def find_word(folder: Path, word: str) -> list[str]:
    """Return the files below a folder that have a word of the episodes."""
    return [str(path) for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


def test_a_run_keeps_its_secrets_listens_on_loopback_and_writes_where_the_docs_say(
    environment: dict[str, str], made_database: Path, tmp_path: Path
) -> None:
    place = tmp_path  # of everything: its home, its temporary files, its store, the folder it is called in
    for name in ("home", "tmp", "cwd"):
        (place / name).mkdir()
    for unit in ("S01E01", "S01E02"):
        write_episode(place / "source", unit)
    variables = environment | {
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "tmp"),
        "PREFECT_HOME": str(copy_home(made_database, place / "prefect")),
        "PREFECT_LOGGING_LEVEL": "DEBUG",
        "FSSPEC_HTTP": json.dumps({"client_kwargs": {"headers": {"Authorization": AUTHORIZATION}}}),
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "FABULA_CONTACT": "keeper@wiki.invalid",
    }
    call = [str(BIN / "fabula"), "run", "transcripts", "--store", str(place / "store"), "--workers", "1", "--source"]
    listeners: set[tuple[str, str]] = set()
    with serving_folder(place / "source", AUTHORIZATION) as address, (place / "out").open("w") as out:  # only the header opens it
        process = subprocess.Popen([*call, address], env=variables, cwd=place / "cwd", stdout=out, stderr=out, text=True)
        while process.poll() is None:
            listeners |= list_listeners(process)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1)  # the server and Dask's workers are there for many seconds
    assert process.returncode == 0, (place / "out").read_text()
    assert (place / "store" / "datasets" / "transcripts" / "latest.json").is_file(), "the header opened nothing"
    assert {address for _, address in listeners} == {"127.0.0.1"}
    assert {program for program, _ in listeners} == {"server", "Dask"}

    assert find_secret(place) == []
    assert find_word(place / "prefect", "lantern") == [], "no takedown reaches Prefect's database: no text of a row goes there"
    with sqlite3.connect(place / "prefect" / "prefect.db") as database:
        (runs,) = database.execute("SELECT count(*) FROM task_run").fetchone()
        (lines,) = database.execute("SELECT count(*) FROM log").fetchone()
    assert runs >= 2
    assert lines >= 1

    written = [path for name in ("home", "tmp", "cwd") for path in (place / name).rglob("*")]
    assert {path.relative_to(place).parts[:2] for path in written} == {("tmp", "dask-scratch-space")}
    assert [path for path in written if path.is_file() and path.stat().st_size] == []
