"""Records written as files of every kind that is read."""

import csv
import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

KINDS = ("data.json", "data.jsonl", "data.jsonl.gz", "data.csv", "data.tsv", "data.parquet", "data.arrow")


def write_lines(path: Path, *records: object) -> Path:
    """Write a line of JSON a record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_arrow(path: Path, table: pa.Table) -> None:
    """Write a stream of record batches, as Datasets saves them."""
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def write_records(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    """Write records in the form that the file's name tells."""
    columns = dict.fromkeys(key for record in records for key in record)
    match path.name.partition(".")[2]:
        case "json":
            path.write_text(json.dumps(records))
        case "jsonl":
            write_lines(path, *records)
        case "jsonl.gz":
            path.write_bytes(gzip.compress(write_lines(path, *records).read_bytes()))
        case "csv" | "tsv" as form:
            with path.open("w", newline="") as stream:
                writer = csv.DictWriter(stream, columns, delimiter="\t" if form == "tsv" else ",")
                writer.writeheader()
                for record in records:
                    writer.writerow({key: json.dumps(cell) if isinstance(cell, list) else cell for key, cell in record.items()})
        case form:
            table = pa.table({key: [record.get(key) for record in records] for key in columns})
            pq.write_table(table, path) if form == "parquet" else write_arrow(path, table)
