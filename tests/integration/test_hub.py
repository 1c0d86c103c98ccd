"""A release is published on a server that answers as the Hugging Face Hub does, by the command as a user calls it."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import datasets
import pytest
from huggingface_hub import DatasetCard

from infra.store.objects import Store
from tests.integration.conftest import BIN
from tests.integration.hub import Hub, serving_hub
from tests.record_forms import SAMSUM
from tests.tasks import in_process
from tests.tasks.toy import LETTERS, write_text

pytestmark = pytest.mark.integration
TOKEN = "hf_aTokenThatNobodyMaySee"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving_hub(TOKEN) as served:
        yield served


@pytest.fixture
def store(tmp_path: Path) -> Store:
    for number in range(12):
        write_text(tmp_path / "source", f"letter-{number}")
    store = Store(str(tmp_path / "store"))
    in_process.run(LETTERS, tmp_path / "source", store)
    return store


def name_hub(hub: Hub, store: Store, token: str | None = TOKEN) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    environment |= {"HF_ENDPOINT": hub.url, "HF_HOME": str(Path(store.url).parent / "hf")}
    return environment | ({"HF_TOKEN": token} if token else {})


def start(hub: Hub, store: Store, token: str | None = TOKEN) -> "subprocess.Popen[str]":
    command = [str(BIN / "fabula"), "publish", "letters", "hf://datasets/ada/letters", "--store", store.url, "--json"]
    return subprocess.Popen(command, env=name_hub(hub, store, token), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def publish(hub: Hub, store: Store, token: str | None = TOKEN) -> tuple[int, str, str]:
    process = start(hub, store, token)
    out, err = process.communicate(timeout=120)
    assert TOKEN not in out + err
    return process.returncode, out, err


@pytest.mark.parametrize("place", ["", "/data/train.jsonl"])
def test_a_dataset_of_records_is_a_source(place: str, hub: Hub, store: Store) -> None:
    hub.files = {"README.md": b"Chats.", "data/train.jsonl": json.dumps(SAMSUM).encode() + b"\n"}
    source = f"hf://datasets/ada/letters{place}"
    command = [str(BIN / "fabula"), "run", "transcripts", "--source", source, "--store", store.url, "--in-process", "--json"]
    done = subprocess.run(command, env=name_hub(hub, store), text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["units"]["computed"] == 1
    assert hub.asked["resolve"] == 1


def list_release(store: Store) -> dict[str, bytes]:
    folder = Path(store.url, in_process.release_folder(store, "letters"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_release_is_one_commit_and_the_next_one_replaces_it(hub: Hub, store: Store, tmp_path: Path) -> None:
    status, out, err = publish(hub, store)
    assert not err
    assert status == 0
    sent = json.loads(out)
    first = list_release(store)
    assert hub.files == first
    assert (sent["copied"], sent["kept"], sent["removed"]) == (len(first), 0, 0)
    assert hub.commits == [f"letters {sent['version']}"]
    assert hub.tags == [sent["version"]]
    assert hub.private == {"ada/letters": True}, "its owner decides who may read it"

    folder = tmp_path / "clone"
    for path, content in hub.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    rows = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert sum(len(split) for split in rows.values()) == 24
    assert DatasetCard(hub.files["README.md"].decode()).data.configs

    status, out, _ = publish(hub, store)
    assert (status, json.loads(out)["copied"], len(hub.commits)) == (0, 0, 1), "nothing is new: no commit"

    write_text(tmp_path / "source", "letter-3", "Only this.")
    in_process.run(LETTERS, tmp_path / "source", store)
    hub.files["data/letters/train-00007-of-00009.parquet"] = b"of an earlier release"
    hub.files["rejects/rejects-00002-of-00003.parquet"] = b"of an earlier release"
    hub.files["report/rows/009-01.json.gz"] = b"of an earlier release"
    foreign = (
        ".gitattributes",
        "extra/mine.parquet",
        "data/own-00000-of-00001.parquet",
        "report/notes.md",
        "report/index/a.json",
    )
    hub.files |= dict.fromkeys(foreign, b"of the owner")
    before = len(hub.uploads)
    status, out, _ = publish(hub, store)
    sent = json.loads(out)
    assert hub.files == list_release(store) | dict.fromkeys(foreign, b"of the owner")
    assert (status, sent["removed"], len(hub.commits)) == (0, 3, 2)
    assert sent["kept"] > 0
    tables = [path for path in first if path.endswith(".parquet")]
    assert len(hub.uploads) - before < len(tables), "only those that differ are sent"


def test_a_connection_that_breaks_once_is_mended_within_the_call(hub: Hub, store: Store) -> None:
    hub.broken = {1}
    status, _, err = publish(hub, store)
    assert status == 0, err
    assert hub.reached.is_set()
    assert hub.files == list_release(store)
    assert len(hub.commits) == 1


def test_a_call_that_was_killed_goes_on_and_sends_nothing_twice(hub: Hub, store: Store) -> None:
    tables = [path for path in list_release(store) if path.endswith(".parquet")]
    hub.held = {len(tables) - 1}
    process = start(hub, store)
    assert hub.reached.wait(60)
    process.kill()
    process.communicate()
    arrived = dict(hub.contents)
    assert 0 < len(arrived) < len(tables)
    assert (hub.files, hub.commits) == ({}, []), "nobody sees half a release"
    before = len(hub.uploads)
    hub.held = set()
    hub.released.set()
    status, _, err = publish(hub, store)
    assert status == 0, err
    assert hub.files == list_release(store)
    assert not set(hub.uploads[before:]) & set(arrived), "what had arrived is not sent again"
    assert len(hub.commits) == 1


def test_a_token_that_is_refused_or_missing_is_told_and_never_shown(hub: Hub, store: Store) -> None:
    status, out, err = publish(hub, store, "hf_another")
    assert (status, out) == (2, "")
    assert err == (
        f"fabula: {hub.url} refuses the token of HF_TOKEN for ada/letters (HTTP 401); it needs the right to write to this "
        "dataset\n"
    )
    status, _, err = publish(hub, store, None)
    assert status == 2
    assert "HF_TOKEN is not set" in err
    assert hub.files == {}
