"""Records inside files: every compression, every bad line, one shard for one changed record, and bounded memory."""

import gzip
import json
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import zstandard

from core.dataset.takedown import Takedown
from core.dataset.units import RefusedFile, name_shard
from core.errors import DamagedArtifactError
from core.threads.exports import open_converter
from infra.sources.folder import FolderSource
from infra.sources.opening import OpenedSources, list_sources
from infra.store.objects import Store
from infra.store.takedown import add_takedown, remove_takedown
from tasks.frame import records
from tasks.frame.model import PlanRequest, RecordPart
from tasks.frame.records import read_records
from tests.tasks import in_process
from tests.tasks.in_process import read_references, read_rows, run
from tests.tasks.toy import LIMIT, POSTS, divide_posts

Division = tuple[dict[str, list[RecordPart]], list[RefusedFile]]


def post(name: str, text: str = "Hello.") -> bytes:
    return json.dumps({"id": name, "text": text}).encode()


def posts(count: int, **changed: str) -> list[bytes]:
    return [post(f"p{number}", changed.get(f"p{number}", f"Text {number}.")) for number in range(count)]


def join(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def pack_long(content: bytes) -> bytes:
    """Return a frame as `zstd --long=31` writes it: it names a window of 2 GiB. Its one block is not compressed."""
    head, window = bytes([0]), bytes([(31 - 10) << 3])
    block = (1 | len(content) << 3).to_bytes(3, "little") + content
    return bytes.fromhex("28b52ffd") + head + window + block


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".jsonl": lambda content: content,
    ".ndjson": lambda content: content.rstrip(b"\n"),
    ".jsonl.gz": gzip.compress,
    ".JSONL.GZ": lambda content: gzip.compress(content[:50]) + gzip.compress(content[50:]),
    ".jsonl.zst": zstandard.compress,
    ".ndjson.zst": lambda content: zstandard.compress(content[:50]) + zstandard.compress(b"") + zstandard.compress(content[50:]),
    ".long.jsonl.zst": pack_long,
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


def divide(source: Path, store: Store, shards: int = 4, **rules: Any) -> Division:
    files = replace(divide_posts(list_sources([str(source)]), shards), **rules)
    asked = PlanRequest(sources=OpenedSources(()), store=store, config=None, profile="", resources={}, takedown=Takedown())
    found = records.shard_records(asked, "posts", files)
    return {unit.id: list(unit.records) for unit in found.units}, list(found.refused)


def read(store: Store, division: Division) -> dict[str, bytes]:
    return {name: line for parts in division[0].values() for part in parts for name, line in read_records(store, part)}


def reasons(division: Division) -> dict[str, str]:
    return {file.path: file.reason for file in division[1]}


@pytest.mark.parametrize("suffix", PACKERS)
def test_every_record_is_in_the_shard_that_its_id_names(source: Path, store: Store, suffix: str) -> None:
    lines = posts(30)
    (source / f"posts{suffix}").write_bytes(PACKERS[suffix](join(lines)))
    division = divide(source, store)
    assert division[1] == []
    assert read(store, division) == {f"p{number}": line for number, line in enumerate(lines)}
    for shard, (part,) in division[0].items():
        assert part.members == tuple(f"p{number}" for number in range(30) if name_shard(f"p{number}", 4) == shard)
        assert part.path == f"posts{suffix}"
        assert part.key.startswith(f"landing/posts/{shard}/{part.sha256}/posts")


def test_a_bad_line_is_named_by_its_number_and_the_others_count(source: Path, store: Store) -> None:
    bad = [b"{", b'{"text": "no id"}', post("../../x"), b"\xff\xfe", post("x" * 101), post("a", "second")]
    (source / "a.jsonl").write_bytes(join([post("a"), *bad, post("a")]) + b"\r\n\n" + post("b") + b"\r\n \n")
    division = divide(source, store)
    assert read(store, division) == {"a": post("a"), "b": post("b")}
    told = reasons(division)
    assert list(told) == [f"a.jsonl#{number}" for number in range(2, 8)]
    assert told["a.jsonl#2"] == "a.jsonl, line 2: no JSON object with an id"
    assert "'../../x' cannot be a unit id" in told["a.jsonl#4"]
    assert told["a.jsonl#7"] == "a.jsonl, line 7: another record before it has the id a; give this one an id of its own"


def name_carelessly(line: bytes) -> str:
    """Name a record as a reader does that has not thought of everything."""
    return str(json.loads(line)["id"].lower())


def test_a_line_that_its_reader_fails_on_is_named_and_the_others_count(source: Path, store: Store) -> None:
    (source / "posts.jsonl").write_bytes(join([post("p1"), b'{"id": 5}', b"[]", post("p2")]))
    division = divide(source, store, name=name_carelessly)
    assert set(read(store, division)) == {"p1", "p2"}
    assert list(reasons(division)) == ["posts.jsonl#2", "posts.jsonl#3"]
    failure = "posts.jsonl, line 2: its reader fails (AttributeError: 'int' object has no attribute 'lower')"
    assert reasons(division)["posts.jsonl#2"].startswith(failure)


def test_a_json_file_may_be_longer_than_its_records_and_hold_so_many_values(source: Path, store: Store) -> None:
    names = [f"p{number}" for number in range(50)]
    texts = [post(name).decode() for name in names] + [post("long", "x" * LIMIT.bytes).decode()]
    (source / "a.json").write_text(f"[{','.join(texts)}]")
    assert sum(map(len, texts[:-1])) > LIMIT.bytes
    division = divide(source, store, open_converter=open_converter)
    assert set(read(store, division)) == set(names)
    assert list(reasons(division)) == ["a.json#51"]
    assert "longer than a text may be" in reasons(division)["a.json#51"]
    (source / "a.json").write_bytes(b"[" + b"[]," * 2**24 + b"[]]")  # 50 MB, and some 2 GB of lists
    division = divide(source, store, open_converter=open_converter)
    assert reasons(division) == {"a.json#1": "a.json, line 1: more than 16,777,216 values; divide it"}


def test_a_line_that_is_too_long_is_skipped_and_the_next_one_counts(source: Path, store: Store) -> None:
    longest = post("b", "x" * (LIMIT.bytes - len(post("b", ""))))
    assert len(longest) == LIMIT.bytes
    lines = [post("a"), longest, longest[:-2] + b'x"}', post("c", "x" * 100_000), post("d")]
    (source / "a.jsonl").write_bytes(join(lines))
    division = divide(source, store)
    assert set(read(store, division)) == {"a", "b", "d"}
    assert list(reasons(division)) == ["a.jsonl#3", "a.jsonl#4"]
    assert reasons(division)["a.jsonl#4"].startswith("a.jsonl, line 4: longer than a text may be")


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.zst"])
@pytest.mark.parametrize("damage", ["cut off", "overwritten"])
def test_where_the_compression_is_damaged_the_lines_before_it_count(source: Path, store: Store, suffix: str, damage: str) -> None:
    lines = [post(f"p{number}", f"{number * 7919**3} is a number, {number**9}.") for number in range(15_000)]
    packed = PACKERS[suffix](join(lines))
    half = len(packed) // 2
    rest = b"\xff" * 1000 + packed[half + 1000 :] if damage == "overwritten" else b""
    (source / f"a{suffix}").write_bytes(packed[:half] + rest)
    division = divide(source, store)
    found = read(store, division)
    whole = {f"p{number}": line for number, line in enumerate(lines) if f"p{number}" in found and found[f"p{number}"] == line}
    assert len(whole) >= len(found) - 1  # the last line may be half of one
    assert 500 < len(found) < len(lines) - 500
    assert "from here on the compression is damaged" in list(reasons(division).values())[-1]


def test_so_many_bad_lines_are_counted_and_not_listed(source: Path, store: Store) -> None:
    (source / "a.jsonl").write_bytes(b"{\n" * (records.MOST_REFUSED + 234))
    refused = divide(source, store)[1]
    assert len(refused) == records.MOST_REFUSED + 1
    assert refused[-1].reason == (
        "a.jsonl: 234 more lines are no records; correct the file. The last of them, line 1234: no JSON object with an id"
    )


def flip(content: bytes) -> bytes:
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


@pytest.mark.parametrize("damage", [lambda content: content[:-5], lambda _: b"no frame", lambda _: b"", flip])
def test_a_part_that_is_damaged_is_told_and_made_again(source: Path, store: Store, damage: Callable[[bytes], bytes]) -> None:
    (source / "a.jsonl").write_bytes(join(posts(30)))
    first = divide(source, store)
    part = next(iter(first[0].values()))[0]
    store.write(part.key, damage(store.read(part.key)))
    with pytest.raises(DamagedArtifactError, match=r"a\.jsonl: landing/.* is damaged in the store"):
        read(store, first)
    store.delete(part.key)  # as a run does
    assert divide(source, store) == first
    assert len(read(store, first)) == 30


def trace_peak(call: Callable[[], object]) -> int:
    """Return the most memory in bytes that a call held at once."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("shards", [1, 5000])
def test_memory_is_bounded_whatever_the_size_of_the_file(store: Store, source: Path, shards: int) -> None:
    """40 MB of records that compress to next to nothing, in one shard and in thousands."""
    packer = zstandard.ZstdCompressor().compressobj()
    with (source / "a.jsonl.zst").open("wb") as stream:
        for number in range(400):
            stream.write(packer.compress(post(f"p{number}", f"{number} " * 25_000)[:100_000] + b"\n"))
        stream.write(packer.flush())
    rules = {"limit": records.SizeLimit(2**20, "a post", "Cut it"), "name": lambda line: line.split(b'"', 4)[3].decode()}
    found: list[RecordPart] = []
    dividing = trace_peak(lambda: found.extend(chain(*divide(source, store, shards, **rules)[0].values())))
    assert sum(len(part.members) for part in found) == 400
    assert dividing < 24 * 2**20
    largest = max(found, key=lambda part: part.size)
    assert trace_peak(lambda: sum(len(line) for _, line in read_records(store, largest))) < 24 * 2**20


def test_a_hostile_frame_unpacks_a_piece_at_a_time(store: Store, source: Path) -> None:
    """Blocks of 4 bytes that stand for 128 KiB of one letter each: 128 MiB in 4 KB."""
    block = (1 << 1 | 2**17 << 3).to_bytes(3, "little") + b"x"
    last = (1).to_bytes(3, "little")
    (source / "a.jsonl.zst").write_bytes(bytes.fromhex("28b52ffd") + bytes([0, 10 << 3]) + block * 2**10 + last)
    refused: list[RefusedFile] = []
    peak = trace_peak(lambda: refused.extend(divide(source, store)[1]))
    assert "longer than a text may be" in refused[0].reason
    assert peak < 80 * 2**20


# What a run makes of them.


def test_records_are_units_of_a_run_and_land_in_its_release(store: Store, source: Path) -> None:
    (source / "a.jsonl.gz").write_bytes(gzip.compress(join([*posts(10), b"{"])))
    (source / "b.jsonl.zst").write_bytes(
        zstandard.compress(join([post("q1"), post("q2", "This is bad."), post("p3", "Another.")]))
    )
    summary = run(POSTS, source, store)
    assert {row["unit"]: row["text"] for row in read_rows(store, "posts", "texts")} == {
        **{f"p{number}": f"Text {number}." for number in range(10)},
        "q1": "Hello.",
    }
    quarantined = {failure.unit: failure.reason for failure in summary.quarantined}
    assert quarantined["a.jsonl.gz#11"] == "a.jsonl.gz, line 11: no JSON object with an id"
    assert quarantined["q2"] == "b.jsonl.zst: the text of q2 is bad"
    assert quarantined["p3@b.jsonl.zst"] == "b.jsonl.zst: the record p3 stands in a.jsonl.gz too; keep one of them"
    assert all(failure.checksum for failure in summary.quarantined if failure.stage == "build")
    assert run(POSTS, source, store).computed == ()


def test_no_run_reads_a_dump_again_because_a_record_of_it_failed(
    store: Store, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "a.jsonl").write_bytes(join([*posts(5), post("q", "This is bad.")]))
    first = run(POSTS, source, store)

    def fail(*_: object) -> None:
        raise AssertionError("the file was read")

    for name in ("open", "read", "checksum"):
        monkeypatch.setattr(FolderSource, name, fail)
    assert run(POSTS, source, store).quarantined == first.quarantined


def test_one_changed_record_builds_one_shard_and_a_damaged_part_is_made_again(store: Store, source: Path) -> None:
    (source / "a.jsonl").write_bytes(join(posts(30)))
    in_process.plan(POSTS, source, store)  # it divides the file, and builds nothing
    store.write(store.list_keys("landing/posts")[0], b"")
    first = run(POSTS, source, store)
    assert (first.quarantined, len(first.computed)) == ((), 30)
    before = read_references(store, "posts")
    (source / "a.jsonl").write_bytes(join(posts(30, p7="Another text.")))
    summary = run(POSTS, source, store)
    after = read_references(store, "posts")
    shard = name_shard("p7", 4)
    assert {unit for unit in before if before[unit].artifacts != after[unit].artifacts} == {shard}
    assert summary.computed == tuple(sorted(f"p{number}" for number in range(30) if name_shard(f"p{number}", 4) == shard))


@pytest.mark.parametrize("beforehand", [True, False])
def test_a_record_that_is_taken_down_is_in_no_landed_file_that_a_catalog_names(
    store: Store, source: Path, beforehand: bool
) -> None:
    (source / "a.jsonl").write_bytes(join(posts(30, p7="Nobody may read this.")))
    if not beforehand:
        run(POSTS, source, store)
    add_takedown(store, "posts", ["P7"], "asked for", "2026-01-01")
    run(POSTS, source, store)
    assert not any("Nobody may read" in text for text in read_landed(store))
    before = {unit: reference.artifacts for unit, reference in read_references(store, "posts").items()}
    remove_takedown(store, "posts", ["p7"])
    run(POSTS, source, store)
    assert any("Nobody may read" in text for text in read_landed(store))
    add_takedown(store, "posts", ["p7"], "asked for again", "2026-01-02")
    store.delete_all(store.list_keys("artifacts/posts/records"))  # as `fabula prune` does
    run(POSTS, source, store)
    assert {unit: reference.artifacts for unit, reference in read_references(store, "posts").items()} == before


def read_landed(store: Store) -> list[str]:
    """Return the texts of the landed files that the catalog names."""
    keys = {key for reference in read_references(store, "posts").values() for key in reference.inputs}
    return [line.decode() for key in keys for line in records.read_landed_lines(store, key)]
