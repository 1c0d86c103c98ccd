"""Parts of record files: a damaged one is never taken for what was written."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import DamagedArtifactError
from infra.sources.opening import OpenedSources, open_source
from infra.store.objects import Store
from tasks.frame.model import RecordPart
from tasks.frame.records import RecordFiles, divide_records, read_records


def name(line: bytes) -> str:
    return str(json.loads(line)["id"])


def divide(source: Path, store: Store) -> RecordPart:
    files = [file for file in open_source(str(source)).list_files() if file.path.endswith(".jsonl")]
    shards, refused, *_ = divide_records(
        store, OpenedSources(()), "threads", RecordFiles(files=files, name=name, version=1, shards=1)
    )
    assert refused == []
    ((part,),) = shards.values()
    return part


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "source").mkdir()
    lines = [json.dumps({"id": f"t{number}", "text": "a lantern" * number}) for number in range(50)]
    (tmp_path / "source" / "dump.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path / "source"


def flip(content: bytes) -> bytes:
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


@pytest.mark.parametrize("change", [None, lambda content: content[:99], lambda _: b"", lambda _: b"{}", flip])
def test_a_damaged_part_is_named_and_divided_again(source: Path, tmp_path: Path, change: Callable[[bytes], bytes] | None) -> None:
    store = Store(str(tmp_path / "store"))
    part = divide(source, store)
    whole, content = list(read_records(store, part)), store.read(part.key)
    assert len(whole) == 50
    store.delete(part.key)
    if change is not None:
        store.write(part.key, change(content))
    with pytest.raises(DamagedArtifactError) as raised:
        list(read_records(store, part))
    assert raised.value.key == part.key
    store.delete(part.key)
    assert list(read_records(store, divide(source, store))) == whole
    assert store.read(part.key) == content
