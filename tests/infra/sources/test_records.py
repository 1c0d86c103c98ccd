"""Files of records of every kind are listed as the halves of their records, wherever they lie."""

import gzip
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from struct import pack as pack_struct
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError
from core.record_files import FORMS
from core.records import FieldNames
from infra.sources.opening import ENDINGS, list_sources, open_source, read_file
from infra.sources.record_objects import read_objects
from tests.infra.sources.servers import Handler, serving, serving_folder
from tests.record_files import KINDS, write_arrow, write_lines, write_records
from tests.record_forms import QMSUM, SAMSUM

FOLDERS = ("transcripts", "recaps")
RECORDS = [SAMSUM, SAMSUM | {"id": "13700002"}]


def write_data(folder: Path, *more: dict[str, Any]) -> Path:
    """Write a file of two records and more."""
    return write_lines(folder / "data.jsonl", *RECORDS, *more)


def read_units(url: str) -> dict[str, str]:
    """Return the texts of a source's files by path."""
    return {file.path: read_file(file, 10**6).decode() for file in list_sources([url], FOLDERS, records="transcripts")}


@pytest.mark.parametrize("name", [*KINDS, "ids.json"])
@pytest.mark.parametrize("alone", [True, False], ids=["the file", "its folder"])
def test_records_of_every_kind_are_the_same_units(name: str, alone: bool, tmp_path: Path) -> None:
    if name == "ids.json":
        by_id = {record["id"]: {key: record[key] for key in ("dialogue", "summary")} for record in RECORDS}
        (tmp_path / name).write_text(json.dumps(by_id))
    else:
        write_records(tmp_path / name, RECORDS)
    found = read_units(str(tmp_path / name if alone else tmp_path))
    assert list(found) == [f"{half}/{unit}.json" for half in ("recaps", "transcripts") for unit in ("13700001", "13700002")]
    assert json.loads(found["transcripts/13700001.json"])["lines"][1] == {"name": "Bo", "text": "No. The ceiling is too far away"}
    assert json.loads(found["recaps/13700001.json"])["sections"][0]["text"] == SAMSUM["summary"]


def test_a_folder_with_the_known_folders_keeps_its_other_files_as_they_are(tmp_path: Path) -> None:
    write_data(tmp_path)
    (tmp_path / "transcripts").mkdir()
    (tmp_path / "transcripts/S01E01.txt").write_text("ANNA: Hello.\n")
    assert list(read_units(str(tmp_path))) == ["data.jsonl", "transcripts/S01E01.txt"]


@pytest.mark.parametrize("inside", [True, False], ids=["the folder", "what it lies in"])
@pytest.mark.parametrize("name", KINDS)
def test_records_alone_in_a_folder_for_transcripts_are_records(name: str, inside: bool, tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    write_records(folder / name, RECORDS)
    found = read_units(str(folder if inside else tmp_path))
    assert list(found) == [f"{half}/{unit}.json" for half in ("recaps", "transcripts") for unit in ("13700001", "13700002")]


def test_json_in_a_folder_for_transcripts_is_a_transcript_where_nothing_sums_it_up(tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    (folder / "S01E01.json").write_text(json.dumps({"id": "x", "lines": [{"name": "Anna", "text": "Hello."}]}))
    (folder / "S01E02.json").write_text("{")
    assert list(read_units(str(tmp_path))) == ["transcripts/S01E01.json", "transcripts/S01E02.json"]
    write_lines(tmp_path / "data.jsonl", *RECORDS)
    (folder / "meeting.json").write_text(json.dumps(QMSUM))
    found = read_units(str(tmp_path))
    assert "recaps/meeting.json" in found
    assert "data.jsonl" in found
    (tmp_path / "recaps").mkdir()
    (tmp_path / "recaps/S01E01.txt").write_text("Anna says hello.")
    assert "transcripts/meeting.json" in read_units(str(tmp_path))


def test_records_lie_in_archives_and_behind_web_servers_too(tmp_path: Path) -> None:
    data = write_data(tmp_path)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(data, "data.jsonl")
    wanted = read_units(str(data))
    assert read_units(str(tmp_path / "all.zip")) == wanted
    with serving_folder(tmp_path) as url:
        assert read_units(f"{url}/data.jsonl") == wanted


def test_a_file_of_a_web_server_is_fetched_again_only_where_it_has_changed(tmp_path: Path) -> None:
    fetched: list[str] = []

    class Counting(Handler):
        def reply(self) -> None:
            fetched.append(self.command)
            content = (tmp_path / "data.jsonl").read_bytes()
            self.answer(content, ETag=f'"{len(content)}"')

    write_data(tmp_path)
    with serving(Counting) as address:
        url = f"{address}/data.jsonl"
        for pipeline in ("transcripts", "rooms", "subtitles", "transcripts"):
            list_sources([url], records=pipeline)
        before = read_units(url)
        assert fetched.count("GET") == 1
        write_data(tmp_path, SAMSUM | {"id": "more"})
        assert len(read_units(url)) == len(before) + 2
        assert fetched.count("GET") == 2


def test_a_file_whose_length_the_server_does_not_tell_is_read_whole_and_one_that_it_packs_is_not_unpacked(tmp_path: Path) -> None:
    content = write_data(tmp_path, *(SAMSUM | {"id": f"more-{number}"} for number in range(2000))).read_bytes()
    asked: list[str] = []

    class Streaming(Handler):
        protocol_version = "HTTP/1.1"

        def reply(self) -> None:
            asked.extend([self.headers["Accept-Encoding"]] if "data" in self.path else [])
            packs = "packed" in self.path
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.send_header("Content-Encoding", "gzip" if packs else "identity")
            self.end_headers()
            shown = gzip.compress(content) if packs else content
            pieces = [shown[start : start + 10_000] for start in range(0, len(shown), 10_000)]
            for piece in [*pieces, b""] if self.command == "GET" else ():
                self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    with serving(Streaming) as address:
        assert read_units(f"{address}/data.jsonl") == read_units(str(tmp_path / "data.jsonl"))
        (listed,) = list_sources([f"{address}/packed.jsonl.gz"], FOLDERS)
        assert gzip.decompress(open_source(listed.source).read(listed, 10**7)) == content
    assert {*asked} == {"identity"}


def test_only_a_record_that_changed_has_another_version_and_it_is_not_read_by_the_listing_before(tmp_path: Path) -> None:
    def list_files() -> dict[str, SourceFile]:
        return {file.path: file for file in list_sources([str(tmp_path)], FOLDERS, records="transcripts")}

    write_data(tmp_path)
    before = list_files()
    write_lines(tmp_path / "data.jsonl", RECORDS[0], RECORDS[1] | {"summary": "Bo gets a ladder."})
    after = list_files()
    assert [path for path in before if before[path].version != after[path].version] == ["recaps/13700002.json"]
    open_source.cache_clear()
    with pytest.raises(SourceError, match="has changed since it was listed"):
        read_file(before["recaps/13700002.json"], 10**6)


def read_faults(path: Path) -> list[SourceFile]:
    """Return the records of a file that cannot be read."""
    return [file for file in list_sources([str(path)], FOLDERS, records="transcripts") if file.fault]


def test_a_bad_record_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    deep: object = "deep"
    for _ in range(600):
        deep = [deep]
    records = [
        SAMSUM,
        {"id": "x"},
        SAMSUM | {"summary": "The same id."},
        {"id": "y", "dialogue": [3]},
        {"dialogue": [{"text": deep}]},
        SAMSUM | {"id": "z", "specific_query_list": [{"answer": "Bo.", "relevant_text_span": 5}], "general_query_list": 7},
    ]
    write_lines(tmp_path / "data.jsonl", *records)
    faults = sorted(file.fault for file in read_faults(tmp_path))
    assert [fault.split(": ")[0] for fault in faults] == [f"data.jsonl, record {number}" for number in (2, 3, 4, 5)]
    assert "found the fields id" in faults[0]
    assert "it has the id 13700001 of record 1" in faults[1]
    assert faults[3] == "data.jsonl, record 5: nested too deeply"


def test_what_no_reader_has_foreseen_is_the_fault_of_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(found: Any, _: FieldNames) -> tuple[str, dict[str, bytes]]:
        return found["id"], {"transcripts/{}.json": found["dialogue"].encode(), "recaps/{}.json": found["more"].encode()}

    monkeypatch.setitem(FORMS, "transcripts", replace(FORMS["transcripts"], write=fail))
    write_lines(tmp_path / "data.jsonl", SAMSUM | {"more": "{}"}, SAMSUM | {"id": "b"})
    (fault,) = read_faults(tmp_path)
    assert fault.fault == "data.jsonl, record 2: its reader fails ('more'); correct the record, or report it if it is in order"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"{"),
        ("a.jsonl", b"{}\n["),
        ("a.json", b"[" * 100_000),
        ("a.parquet", b"no"),
        ("a.arrow", b"no"),
        ("a.jsonl.gz", b"no"),
        ("a.csv", b"x,y\n1,2\n"),
        ("a.csv", b"turns,summary\n\"[{'speaker': 'Bo', 'text': 'No.'}\n {'speaker': 'Ines', 'text': 'Up?'}]\",Well.\n"),
        ("a.json", b'{"settings": {"x": 1}}'),
        ("a.json", b"\xff\xfe\xff"),
    ],
)
def test_a_file_that_is_none_of_records_is_refused_by_name(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    (fault,) = read_faults(tmp_path)
    assert fault.fault.startswith(f"{name}: ")


def test_fields_are_named_behind_the_file(tmp_path: Path) -> None:
    write_lines(tmp_path / "data.jsonl", {"chat": "A: Hi.\nB: Ho.", "gist": "They greet.", "n": 5})
    found = read_units(f"{tmp_path}/data.jsonl?dialogue=chat&summary=gist&id=n")
    assert list(found) == ["recaps/5.json", "transcripts/5.json"]
    for option in ("?dialog=chat", "?dialogue=", "?"):
        with pytest.raises(ConfigError, match="expected dialogue=FIELD"):
            list_sources([f"{tmp_path}/data.jsonl{option}"], FOLDERS)
    with pytest.raises(ConfigError, match="no such file"):
        list_sources([f"{tmp_path}/none.jsonl"], FOLDERS)


def test_a_few_bytes_that_stand_for_many_rows_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.sources.record_objects.MOST_BYTES", 2**16)
    for name in ("a.parquet", "b.jsonl.gz"):
        write_records(tmp_path / name, [SAMSUM] * 5000)
    faults = [file.fault for file in read_faults(tmp_path)]
    assert len(faults) == 2
    assert all("bytes" in fault and "ivide it" in fault for fault in faults)


def repeat_in_parquet(path: Path) -> None:
    lines = pa.array([["x" * 2**12] * 4] * 100)
    pq.write_table(pa.table({"dialogue": lines}), path)


def pack(path: Path, encode: Callable[[pa.Array], pa.Array] = lambda cell: cell) -> None:
    cell = encode(pa.array(["x" * 2**18]))
    with pa.ipc.new_file(
        path, pa.schema([("dialogue", cell.type)]), options=pa.ipc.IpcWriteOptions(compression="zstd")
    ) as writer:
        writer.write_table(pa.table({"dialogue": cell}))


def repeat_view(path: Path) -> None:
    size = 2**12
    views = pack_struct("<i4sii", size, b"xxxx", 0, 0) * 50
    cell = pa.Array.from_buffers(pa.string_view(), 50, [None, pa.py_buffer(views), pa.py_buffer(b"x" * size)])
    with pa.ipc.new_stream(path, pa.schema([("dialogue", cell.type)])) as writer:
        writer.write_table(pa.table({"dialogue": cell}))


PACKED: dict[str, Callable[[Path], object]] = {
    "cells.parquet": repeat_in_parquet,
    "views.arrow": repeat_view,
    "packed.arrow": pack,
    "dictionary.arrow": lambda path: pack(path, lambda cell: cell.dictionary_encode()),
}


@pytest.mark.parametrize("name", PACKED)
def test_what_unpacks_to_many_bytes_is_refused_before_it_is_unpacked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.sources.record_objects.MOST_BYTES", 2**16)
    monkeypatch.setattr("infra.tables.foreign._unpack", lambda *_: pytest.fail("it was unpacked"))
    PACKED[name](tmp_path / name)
    assert (tmp_path / name).stat().st_size < 2**15
    (fault,) = read_faults(tmp_path)
    assert fault.fault.startswith(f"{name}: more than 65,536 bytes unpacked; divide it")


@pytest.mark.parametrize("ends", [(0, 4, 8, 2**30), (0, -4, 8, 12), (0, 8, 4, 12)])
def test_false_lengths_in_arrow_are_refused(ends: tuple[int, ...], tmp_path: Path) -> None:
    with pa.ipc.new_stream(tmp_path / "a.arrow", pa.schema([("dialogue", pa.string())])) as writer:
        writer.write_table(pa.table({"dialogue": ["A: x", "B: y", "A: z"]}))
    content = (tmp_path / "a.arrow").read_bytes()
    true = pack_struct("<4i", 0, 4, 8, 12)
    assert content.count(true) == 1
    (tmp_path / "a.arrow").write_bytes(content.replace(true, pack_struct("<4i", *ends)))
    (fault,) = read_faults(tmp_path)
    assert "offset" in fault.fault


def test_packed_arrow_of_fair_size_is_read(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(RECORDS)
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table)
    assert [file for file in read_units(str(tmp_path)) if file.startswith("recaps")] == [
        "recaps/13700001.json",
        "recaps/13700002.json",
    ]


def repeat_cell(path: Path) -> None:
    cell = pa.DictionaryArray.from_arrays(pa.array([0] * 50, pa.int32()), pa.array(["x" * 2**12]))
    with pa.ipc.new_file(path, pa.schema([("dialogue", cell.type)])) as writer:
        writer.write_table(pa.table({"dialogue": cell}))


BOMBS: dict[str, Callable[[Path], object]] = {
    "objects.json": lambda path: path.write_text(f"[{'{},' * 2000}{{}}]"),
    "lines.jsonl": lambda path: path.write_text("1\n" * 2000),
    "rows.csv": lambda path: path.write_text("dialogue\n" + "x\n" * 2000),
    "columns.tsv": lambda path: path.write_text("\t".join(f"a{number}" for number in range(500)) + "\nx\nx\nx\n"),
    "nulls.parquet": lambda path: pq.write_table(pa.table({"dialogue": pa.nulls(2000)}), path),
    "lists.parquet": lambda path: pq.write_table(pa.table({"dialogue": pa.array([[None] * 2000], pa.list_(pa.null()))}), path),
    "cells.arrow": repeat_cell,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_few_bytes_that_stand_for_many_values_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.text.decoding.MOST_VALUES", 1000)
    BOMBS[name](tmp_path / name)
    (fault,) = read_faults(tmp_path)
    assert fault.fault.startswith(f"{name}: more than 1,000 values; divide it")


def test_columns_that_hold_others_are_counted(tmp_path: Path) -> None:
    rows = [{"id": "a", "dialogue": [{"speaker": "Bo", "text": "Hello."}], "summary": "Bo greets.", "more": [("k", [1, 2])]}]
    kinds = [("speaker", pa.string()), ("text", pa.dictionary(pa.int8(), pa.string()))]
    more = pa.map_(pa.string(), pa.list_(pa.int8(), 2))
    schema = pa.schema([("id", pa.string()), ("dialogue", pa.list_(pa.struct(kinds))), ("summary", pa.string()), ("more", more)])
    with pa.ipc.new_file(tmp_path / "data.arrow", schema) as writer:
        writer.write_table(pa.Table.from_pylist(rows, schema))
    assert [*read_units(str(tmp_path))] == ["recaps/a.json", "transcripts/a.json"]


def test_a_pipeline_that_reads_no_records_gets_the_file_itself(tmp_path: Path) -> None:
    (file,) = list_sources([str(write_data(tmp_path))])
    assert file.path == "data.jsonl"
    assert read_file(file, 10**6) == (tmp_path / "data.jsonl").read_bytes()


def test_of_a_file_that_is_named_nothing_beside_it_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_data(tmp_path)
    monkeypatch.setattr("infra.sources.folder.list_local", lambda *_: pytest.fail("the folder was listed"))
    assert len(read_units(str(data))) == 4


def test_a_link_out_of_the_folder_and_a_token_in_the_address_are_refused(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here/link.jsonl").symlink_to(write_data(tmp_path / "there"))
    with pytest.raises(SourceError, match="is a link that leaves its source"):
        list_sources([str(tmp_path / "here/link.jsonl")], FOLDERS, records="transcripts")
    with pytest.raises(ConfigError) as refused:
        list_sources(["https://data.example/d.jsonl?access_token=hush-hush-99"], FOLDERS)
    assert "hush-hush-99" not in str(refused.value)


def test_a_line_that_is_no_json_is_refused_alone_and_line_separators_in_texts_are_no_line_ends(tmp_path: Path) -> None:
    odd = SAMSUM | {"dialogue": "Ines: One\u2028two\x85three.\nBo: Yes."}
    (tmp_path / "data.jsonl").write_text(json.dumps(odd, ensure_ascii=False) + "\n{broken\n", encoding="utf-8")
    (fault,) = read_faults(tmp_path)
    assert fault.fault.startswith("data.jsonl, record 2: not valid JSON")
    assert "recaps/13700001.json" in {file.path for file in list_sources([str(tmp_path)], FOLDERS, records="transcripts")}


def test_a_file_may_be_as_large_on_one_line_as_it_may_be_at_all(tmp_path: Path) -> None:
    long = [SAMSUM | {"id": str(number), "dialogue": "Ines: Hi.\nBo: " + "x" * 2**20} for number in range(70)]
    (tmp_path / "data.json").write_text(json.dumps(long))
    assert len(list_sources([str(tmp_path / "data.json")], FOLDERS, records="transcripts")) == 2 * len(long)


def test_splits_that_datasets_saved_to_disk_are_records_without_its_own_files(tmp_path: Path) -> None:
    turns = [{"speaker": "Bo", "text": "No."}, {"speaker": "Ines", "text": None}]
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    for split in ("train", "test"):
        (tmp_path / split).mkdir()
        table = pa.Table.from_pylist([{"turns": turns, "summary": f"{split}."}] * 2)
        write_arrow(tmp_path / split / "data-00000-of-00001.arrow", table)
        (tmp_path / split / "dataset_info.json").write_text('{"features": {"turns": []}}')
        (tmp_path / split / "state.json").write_text('{"_split": "x"}')
    units = [f"{split}-data-00000-of-00001-0000{number}" for split in ("test", "train") for number in (1, 2)]
    found = read_units(str(tmp_path))
    assert list(found) == [f"{half}/{unit}.json" for half in ("recaps", "transcripts") for unit in units]
    assert [line["text"] for line in json.loads(found[f"transcripts/{units[0]}.json"])["lines"]] == ["No.", ""]


def test_what_is_taken_for_records_by_its_ending_has_a_reader() -> None:
    with pytest.raises(SourceError, match="unknown ending; expected") as told:
        read_objects("chats", b"")
    assert set(re.findall(r"\.[a-z]+", str(told.value))) - {".gz"} == ENDINGS
