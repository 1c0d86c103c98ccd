"""Parquet schemas of a `scripts` release. The same in every split."""

import pyarrow as pa

from infra.tables.parquet import PROVENANCE, STRINGS, TURNS, optional, required

_INTEGERS = pa.list_(pa.field("element", pa.int32(), nullable=False))
_NUMBERS = pa.list_(pa.field("element", pa.float64(), nullable=False))

SCENES = pa.schema(
    [
        required("id", pa.string()),
        required("movie", pa.string()),
        required("kind", pa.string()),
        required("title", pa.string()),
        optional("year", pa.string()),
        required("scene_start", pa.int32()),
        required("scene_end", pa.int32()),
        required("strict_scenes", _INTEGERS),
        required("headings", STRINGS),
        required("speakers", STRINGS),
        required("summary", pa.string()),
        required("sentences", STRINGS),
        required("sentence_indices", _INTEGERS),
        required("similarities", _NUMBERS),
        required("has_cast", pa.bool_()),
        required("turns", TURNS),
        required("raw_speakers", STRINGS),
        required("narration", STRINGS),
        required("plain", pa.string()),
        required("with_speakers", pa.string()),
        required("with_separators", pa.string()),
        required("with_speakers_and_separators", pa.string()),
        required("anonymised_summary", pa.string()),
        *PROVENANCE,
    ]
)
LINKS = pa.schema(
    [
        required("movie", pa.string()),
        required("sentence_index", pa.int32()),
        required("sentence", pa.string()),
        required("scene_index", pa.int32()),
        required("parser_scene", pa.int32()),
        required("heading", pa.string()),
        required("similarity", pa.float64()),
        *PROVENANCE,
    ]
)
