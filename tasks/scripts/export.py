"""Writes a release as the readers of SumTitles take it: a source and a target text a line, in each of the paper's settings."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from infra.tables.parquet import read_rows
from tasks.frame.release_spec import Released

SETTINGS = {
    "plain": "plain",
    "with-speakers": "with_speakers",
    "with-separators": "with_separators",
    "with-speakers-and-separators": "with_speakers_and_separators",
}
"""The ways to feed a dialogue to a model, with the columns that have them (SumTitles, section 6.3)."""
_PARTS = {"scripts": "Scripts", "gold": "Gold"}
"""The configs, and what the paper calls them: to train on, and to evaluate on."""
_README = """The release in the form in which SumTitles (section 6.3) feeds models.

PART/SPLIT.jsonl has a row a line: id, film, title, document (the utterances), summary, speakers, and `anonymised_summary` where
the part has one (no cast names: the setting "no speakers" of section 6). SETTING/PART-SPLIT.source and .target have the same rows
as one text a line, as fairseq (BART) and others read them. The paper cuts documents at 1,024 tokens; nothing is cut here.
Parts: {parts}. Subtitles, the paper's third part, are a dataset of their own: fabula export jsonl subtitles.
"""


def write_sumtitles(released: Released) -> Iterator[tuple[str, bytes]]:
    """Yield the files: a part's rows as JSON Lines, and parallel texts in each of the paper's four settings.

    The paper publishes no file format; its readers need these texts and the parts Scripts (train) and Gold (evaluation).
    """
    written = []
    for config, part in _PARTS.items():
        for key in released.list_keys(config):
            if "/data/" not in key:
                continue
            rows = list(read_rows(released.store, key))
            if not rows:
                continue
            split, number, *_ = key.rsplit("/", 1)[1].split("-")
            name = split if number == "00000" else f"{split}-{number}"
            written.append(f"{part}/{name}")
            yield f"{part}/{name}.jsonl", "".join(json.dumps(_describe(row), ensure_ascii=False) + "\n" for row in rows).encode()
            for setting, column in SETTINGS.items():
                yield f"{setting}/{part}-{name}.source", _join(row[column] for row in rows)
                yield f"{setting}/{part}-{name}.target", _join(row["summary"] for row in rows)
    yield "README.txt", _README.format(parts=", ".join(written) or "none").encode()


def _describe(row: Mapping[str, Any]) -> dict[str, Any]:
    told = {"id": row["id"], "film": row["movie"], "title": row["title"], "document": row["plain"], "summary": row["summary"]}
    anonymised = {"anonymised_summary": row["anonymised_summary"]} if "anonymised_summary" in row else {}
    return {**told, "speakers": row["speakers"], **anonymised, "license": row["license"], "attribution": row["attribution"]}


def _join(texts: Iterator[str]) -> bytes:
    return "".join(" ".join(text.split()) + "\n" for text in texts).encode()


EXPORTS = {"sumtitles": write_sumtitles}
"""The forms other than tables in which a release can be written."""
