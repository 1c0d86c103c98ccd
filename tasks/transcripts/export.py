"""Writes a release in the layout in which CRD3 was published, for programs that read that."""

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from infra.tables.parquet import read_rows
from tasks.frame.release_spec import Released

_SPLIT_FILES = {"train": "train_files", "validation": "val_files", "test": "test_files"}


def write_crd3(released: Released) -> Iterator[tuple[str, bytes]]:
    """Yield the files of CRD3's repository for a release: `cleaned data/`, `aligned data/c=N/` and the lists of the splits.

    Paragraphs, sections and chunks without turns have no place there. A turn has one utterance.
    """
    turns: dict[str, list[dict[str, Any]]] = {}
    recaps = dict(_group(released, "summaries", ("position", "kind", "heading", "subheading", "text")))
    for episode, rows in _group(released, "dialogues", ("number", "speakers", "text")):
        turns[episode] = [
            {"NAMES": row["speakers"], "UTTERANCES": [row["text"]], "NUMBER": row["number"]}
            for row in sorted(rows, key=lambda row: int(row["number"]))
        ]
        cleaned = {"METADATA": _describe_recap(recaps.get(episode, [])), "TURNS": turns[episode]}
        yield f"cleaned data/{episode}.json", _encode(cleaned)
    columns = ("chunk_size", "offset", "chunk_index", "summary", "turn_start", "turn_end", "score")
    aligned: set[str] = set()
    for episode, rows in _group(released, "alignments", columns):
        files: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            if row["chunk_size"] and row["turn_start"] is not None:
                files[row["chunk_size"], row["offset"]].append(row)
        for (size, offset), chunks in sorted(files.items()):
            aligned.add(episode)
            entries = [_describe_chunk(row, turns[episode]) for row in sorted(chunks, key=lambda row: int(row["chunk_index"]))]
            yield f"aligned data/c={size}/{episode}_{size}_{offset}.json", _encode(entries)
    for split, name in _SPLIT_FILES.items():
        episodes = [unit for unit, found in released.manifest.splits.items() if found == split and unit in aligned]
        yield f"aligned data/{name}", "".join(f"{episode}\n" for episode in episodes).encode()


def _describe_chunk(row: dict[str, Any], turns: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "CHUNK": row["summary"],
        "ALIGNMENT": {
            "CHUNK ID": row["chunk_index"],
            "TURN START": row["turn_start"],
            "TURN END": row["turn_end"],
            "ALIGNMENT SCORE": row["score"],
        },
        "TURNS": turns[row["turn_start"] : row["turn_end"] + 1],
    }


def _describe_recap(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return an episode's recap as CRD3's METADATA: the blurb, and the text by heading and subheading."""
    ordered = sorted(rows, key=lambda row: int(row["position"]))
    sections = groupby((row for row in ordered if row["kind"] != "blurb"), key=lambda row: str(row["heading"]))
    return {
        "Wiki Blurb": [{"content": row["text"]} for row in ordered if row["kind"] == "blurb"],
        "Synopsis": [
            {"heading": heading, "content": [{"sub-heading": row["subheading"], "content": row["text"]} for row in found]}
            for heading, found in sections
        ],
    }


def _group(released: Released, table: str, columns: tuple[str, ...]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the rows of a table by episode; the rows of a unit stand together."""
    rows = (row for key in released.list_keys(table) for row in read_rows(released.store, key, ("episode", *columns)))
    for episode, found in groupby(rows, key=lambda row: str(row["episode"])):
        yield episode, list(found)


def _encode(value: object) -> bytes:
    return json.dumps(value, indent=0, ensure_ascii=False).encode("utf-8", "surrogatepass")


EXPORTS = {"crd3": write_crd3}
"""The forms other than tables in which a release can be written."""
