"""The command as a user calls it: exit statuses, help, and one JSON object. `tests/integration/` sends it Ctrl-C."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from core.errors import ConfigError
from flows.cli.main import app
from flows.serving.provision import plan_provision
from flows.serving.settings import plan_serving
from infra.shipped_profiles import list_profiles
from infra.store.objects import Store
from tasks.pipelines import PIPELINES
from tasks.transcripts import TRANSCRIPTS
from tests.flows.calling import Fabula
from tests.flows.stories import write_episode
from tests.tasks.in_process import run


def list_commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every command and group of commands below `group`."""
    for name, command in getattr(group, "commands", {}).items():
        yield (*path, name)
        yield from list_commands(command, (*path, name))


COMMANDS = list(list_commands(typer.main.get_command(app)))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example(fabula: Fabula, command: tuple[str, ...]) -> None:
    ended = fabula(*command, "--help")
    assert ended.status == 0
    assert f"Example: fabula {' '.join(command)}" in " ".join(ended.out.split())


@pytest.mark.parametrize("pipeline", [pipeline.name for pipeline in PIPELINES])
def test_help_lists_the_profiles_that_ship_and_no_others(fabula: Fabula, pipeline: str) -> None:
    told = " ".join(fabula("run", pipeline, "--help").out.split()).partition("that ship with fabula: ")[2]
    assert told.partition(".")[0].replace("- ", "-").split(", ") == list_profiles(pipeline)


def test_the_installed_command_answers_and_its_status_is_seen(fabula_process: Fabula, tmp_path: Path) -> None:
    ended = fabula_process("show", "S01E01", "--store", tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("fabula: store ")


def test_a_setting_of_prefect_that_cannot_be_is_told_in_one_line(fabula_process: Fabula, tmp_path: Path) -> None:
    words = ("run", "transcripts", "--source", tmp_path, "--store", tmp_path / "store")
    ended = fabula_process(*words, PREFECT_SERVER_API_PORT="abc", PREFECT_HOME=str(tmp_path / "home"))
    assert (ended.status, "Traceback" in ended.err) == (2, False)
    assert "fabula: setting of Prefect port is 'abc': Input should be a valid integer" in ended.err


def test_a_full_disk_under_the_output_is_told_in_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        call = [sys.executable, "-m", "flows.cli.main", "doctor", "--store", str(tmp_path)]
        ended = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert "fabula: No space left on device: what the command prints to, or its folder for temporary files" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "nowhere"], "nowhere: no such folder; give a folder, or a URL of one"),
        (["--source", "nosuch://x"], "source nosuch://x: "),
        (["--source", ".", "--store", "nosuch://x"], "store nosuch://x: "),
        (["--source", ".", "--profile", "crd4"], "transcripts has no profile 'crd4'; its profiles are crd3, default"),
        (["--source", ".", "--profile", "sumtitles"], "transcripts has no profile 'sumtitles'"),
        (["--source", ".", "--set", "alignment"], "--set alignment: expected NAME=VALUE"),
        (["--source", ".", "--set", "alignment.aligner=magic"], "setting alignment.aligner is 'magic'"),
        (["--source", ".", "--set", "filter=1", "--set", "filter.min_turns=2"], "filter has a value already"),
        (["--source", ".", "--profile", "crd3", "--wordnet", "."], "WordNet's noun files are needed"),
        (["--source", ".", "--config", "nowhere.toml"], "config file nowhere.toml: No such file"),
        (["--source", ".", "--dataset", "../x"], "dataset '../x'"),
        (["--source", ".", "--limit", "0"], "Invalid value for '--limit'"),
        ([], "Missing option '--source'"),
        (["--source", ".", "--sauce", "x"], "No such option: --sauce"),
    ],
)
def test_a_wrong_call_ends_with_status_2_and_one_message(
    fabula: Fabula, tmp_path: Path, arguments: list[str], message: str
) -> None:
    ended = fabula("run", "transcripts", *arguments, cwd=tmp_path)
    assert ended.status == 2
    assert message in ended.err
    assert "Traceback" not in ended.err
    assert ended.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_fails_is_named_with_the_command_that_tries_again(fabula: Fabula, tmp_path: Path) -> None:
    write_episode(tmp_path / "source", "S01E01")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "runs").write_text("a file where a folder has to be")
    call = ["run", "transcripts", "--source", str(tmp_path / "source"), "--store", str(tmp_path / "store"), "--in-process"]
    ended = fabula(*call)
    assert ended.status == 1
    assert "could not list runs: [Errno 20] Not a directory" in ended.err
    assert ended.err.splitlines()[-1] == shlex.join(["fabula", *call])


def test_looking_into_a_store_that_has_nothing(fabula: Fabula, tmp_path: Path) -> None:
    for call in (["show", "S01E01"], ["show", "S01E01_2_0_0000"], ["show", "S01E01", "--diff"], ["datasets", "demo"]):
        ended = fabula(*call, "--store", tmp_path / "store")
        assert ended.status == 2
        assert ended.err.startswith(("fabula: store ", "fabula: there is no store at "))
        assert "Traceback" not in ended.err
    assert fabula("datasets", "--store", tmp_path / "store", "--json").status == 2
    assert not (tmp_path / "store").exists()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("look")
    write_episode(folder / "source", "S01E01")
    run(TRANSCRIPTS, folder / "source", Store(str(folder / "store")))
    return folder / "store"


@pytest.mark.parametrize("option", ["--source=folder", "--resource=wordnet=folder"])
def test_options_of_an_index_are_refused_for_other_forms(fabula: Fabula, store: Path, tmp_path: Path, option: str) -> None:
    ended = fabula("export", "jsonl", "transcripts", tmp_path / "rows", option, "--store", store)
    assert ended.status == 2
    assert f"{option.split('=')[0]} is for the form index alone" in ended.err
    assert not (tmp_path / "rows").exists()


def test_the_tables_of_a_dataset_and_where_its_release_is(fabula: Fabula, store: Path) -> None:
    found = fabula("datasets", "--store", store, "--json").json[0]
    listed = fabula("datasets", "transcripts", "--store", store)
    assert (listed.status, listed.err) == (0, "")
    rows = [line.split() for line in listed.out.splitlines()]
    assert rows[0] == ["dataset", "version", "table", "rows"]
    assert [row[2:] for row in rows[1:] if len(row) == 4] == [
        [name, f"{count:,}"] for name, count in found["rows"].items() if count
    ]
    assert rows[-1] == ["transcripts", found["url"]]


SECRET = "Pa55-w0rd-of-nobody"
URL = f"ftp://reader:{SECRET}@host.invalid/tales"
RUN = ("run", "transcripts", "--in-process")


@pytest.mark.parametrize(
    "call",
    [
        (*RUN, "--source", f"mediawiki+https://user:{SECRET}@wiki.invalid/api.php?category=A", "--store", "store"),
        (*RUN, "--source", "source", "--store", URL),
        (*RUN, "--source", "source", f"--store={URL}"),
        (*RUN, "--source", "source", "--store", "store", "--set", f"alignment.aligner={URL}"),
        (*RUN, "--source", "source", "--store", "store", "--scheduler", f"tcp://user:{SECRET}@host.invalid:1"),
        (*RUN, "--source", "source", "--store", "store", "--config", "settings.toml"),
        ("serve", "--source", f"transcripts={URL}"),
        ("serve", "--source", "transcripts=source", "--config", "serve.toml"),
        ("show", "--store", URL),
        ("doctor", "--store", URL),
    ],
    ids=lambda call: " ".join(call).replace(SECRET, "…"),
)
def test_a_call_ends_before_it_stores_or_prints_a_password(call: tuple[str, ...], fabula: Fabula, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "settings.toml").write_text(f'[alignment]\naligner = "{URL}"\n')
    (tmp_path / "serve.toml").write_text(f'[transcripts.parameters]\nresources = {{ wordnet = "{URL}" }}\n')
    before = sorted(tmp_path.rglob("*"))
    ended = fabula(*call, cwd=tmp_path)
    assert ended.status == 2, ended.err
    assert "carries a password or a token" in ended.err
    assert SECRET not in ended.out + ended.err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["FABULA_STORE", "FABULA_SOURCE_TRANSCRIPTS", "AWS_ENDPOINT_URL", "PREFECT_API_URL"])
def test_a_password_in_a_place_of_the_environment_is_refused(name: str, fabula: Fabula) -> None:
    ended = fabula("datasets", **{name: URL})
    assert (ended.status, name in ended.err, SECRET in ended.err) == (2, True, False)


def test_deployments_take_no_password(tmp_path: Path) -> None:
    for named in ({"FABULA_STORE": URL}, {"FABULA_STORE": "s3://tales", "FABULA_SOURCE_SCRIPTS": URL}):
        with pytest.raises(ConfigError, match="carries a password") as refused:
            plan_provision(named)
        assert SECRET not in str(refused.value)
    with pytest.raises(ConfigError, match="FSSPEC_FTP_PASSWORD"):
        plan_serving(None, [f"transcripts={URL}"], str(tmp_path), "store", {})
