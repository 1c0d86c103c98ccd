"""The rows of a release against the episode that they are made from."""

from collections import Counter
from dataclasses import asdict

from hypothesis import given, settings
from hypothesis import strategies as st

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.transcripts.config import FilterConfig
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.rows import decide_rows
from infra.tables.parquet import Provenance
from infra.tables.transcripts import rows as tables
from infra.tables.transcripts.artifacts import DECISION_ARTIFACT, tabulate_decisions
from infra.tables.transcripts.rows import choose_pairs, tabulate_recap, tabulate_reviewed
from infra.tables.turns import tabulate_turns

PROVENANCE = Provenance("transcripts/S01E01.txt; recaps/S01E01.md", "CC BY 4.0", "the show's wiki")
CREDIT = asdict(PROVENANCE)
COUNT = 30
TALE = Recap(
    "",
    "",
    (
        RecapSection("plot", "Part I", "", (), tuple(f"They walk {n} miles." for n in range(COUNT))),
        RecapSection("break", "Break", "", ("Fan art",), (), (0,)),
    ),
)
SECTION_STARTS = [sum(len(section.sentences) for section in TALE.sections[:place]) for place in range(len(TALE.sections))]
TURNS = [
    Turn(n, ("ANNA",) if n % 3 else ("BEN", "CARA"), (f"Line {n}.", "And more."), "LABEL", f"raw {n}", float(n), None)
    for n in range(COUNT)
]


@st.composite
def chunkings(draw: st.DrawFn) -> list[tuple[Chunk, Span]]:
    """Chunks of any outcome: aligned to spans short, long and overlapping, or left alone."""
    aligned = []
    for index in range(draw(st.integers(0, 14))):
        span = draw(st.none() | st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)).map(sorted))
        text = draw(st.sampled_from(["They walk.", "Q: Why? A: Because."]))
        start, end = span if span is not None else (None, None)
        aligned.append((Chunk(2, 0, index, 2 * index, 2 * index + 1, text), Span(start, end, index / 7)))
    return aligned


FILTERS = st.builds(FilterConfig, min_turns=st.integers(1, 3), max_turns=st.integers(5, 20), min_chunks=st.integers(0, 10))


@settings(max_examples=40)
@given(chunkings(), FILTERS)
def test_a_pairs_turns_are_exactly_those_from_start_to_end(aligned: list[tuple[Chunk, Span]], config: FilterConfig) -> None:
    judged = decide_rows(aligned, TALE, [2] * COUNT, config)
    pairs = choose_pairs(tabulate_reviewed(tabulate_decisions(judged)))
    table = tables.tabulate_pairs("S01E01", TALE, tabulate_turns(TURNS), pairs, PROVENANCE).table
    assert table.schema == tables.PAIRS
    kept = [row for row in judged if row.reason is None]
    assert len(table) == len(kept)
    for row, decided in zip(table.to_pylist(), kept, strict=True):
        chunk, span = decided.chunk, decided.span
        assert (row["kind"], row["train_on"]) == (decided.kind, decided.train_on)
        assert row["id"] == f"S01E01_2_0_{chunk.index:04d}"
        assert (row["turn_start"], row["turn_end"], row["summary"]) == (span.start, span.end, chunk.text)
        starts_section = chunk.first_sentence in SECTION_STARTS
        assert row["context"] == ("" if starts_section else TALE.sentences[chunk.first_sentence - 1])
        assert span.start is not None
        assert span.end is not None
        assert row["turns"] == [
            {"number": turn.number, "speakers": list(turn.speakers), "text": turn.text}
            for turn in TURNS[span.start : span.end + 1]
        ]
        assert row.items() >= CREDIT.items()


@settings(max_examples=40)
@given(chunkings(), FILTERS)
def test_every_alignment_is_kept_or_rejected_with_a_reason(aligned: list[tuple[Chunk, Span]], config: FilterConfig) -> None:
    judged = decide_rows(aligned, TALE, [2] * COUNT, config)
    artifact = tabulate_decisions(judged)
    assert artifact.schema == DECISION_ARTIFACT
    decisions = tabulate_reviewed(artifact)
    alignments = tables.tabulate_alignments("S01E01", decisions, PROVENANCE)
    rejects = tables.tabulate_rejects("S01E01", decisions, PROVENANCE)
    assert (alignments.table.schema, rejects.table.schema) == (tables.ALIGNMENTS_SCHEMA, tables.REJECTS)
    rows = alignments.table.to_pylist()
    assert len(rows) == len(aligned) + 1
    assert (rows[-1]["summary"], rows[-1]["kind"], rows[-1]["reason"]) == ("Fan art", "break", "untold")
    assert all(row["kept"] == (row["reason"] is None) and row.items() >= CREDIT.items() for row in rows)
    assert [row["id"] for row in rows if not row["kept"]] == rejects.table.column("id").to_pylist()
    assert [row["reason"] for row in rows if not row["kept"]] == rejects.table.column("reason").to_pylist()
    assert alignments.counts == Counter((row.chunk.size, row.reason or "", row.kind, row.train_on) for row in judged)


def test_pairs_can_be_chosen_by_kind_and_by_whether_they_are_to_train_on() -> None:
    aligned = [(Chunk(2, 0, n, n, n, f"They walk {n} miles."), Span(n, n + 1, 1.0, 0.9)) for n in range(28)]
    again = [(Chunk(2, 1, 0, 0, 0, "They walk."), Span(0, 1, 1.0, 0.8))] * 10
    recap = Recap("", "", tuple(RecapSection(k, "", "", (), ("A.",) * 14) for k in ("recap", "plot")))
    decisions = tabulate_decisions(decide_rows([*aligned, *again], recap, [2] * COUNT, FilterConfig(duplicates="keep")))
    assert len(choose_pairs(decisions)) == 38
    assert choose_pairs(decisions, "plot").column("chunk_index").to_pylist() == list(range(14, 28))
    assert choose_pairs(decisions, "recap", True).column("chunk_index").to_pylist() == list(range(14))
    assert set(choose_pairs(decisions, "recap", True).column("offset").to_pylist()) == {0}


def test_a_dialogues_rows_are_its_turns() -> None:
    table = tables.tabulate_dialogue("S01E01", tabulate_turns(TURNS), PROVENANCE).table
    assert table.schema == tables.DIALOGUES
    rows = table.to_pylist()
    assert [row["number"] for row in rows] == list(range(COUNT))
    assert rows[3] == {
        "episode": "S01E01", "number": 3, "speakers": ["BEN", "CARA"], "text": "Line 3. And more.", "start": 3.0, "end": None,
        "raw_label": "LABEL", "raw_text": "raw 3", **CREDIT,
    }  # fmt: skip


def test_a_recaps_rows_are_its_blurb_and_sections_with_what_they_retell() -> None:
    sections = (
        RecapSection("recap", "Previously", "", ("Last time.",), ("Last time.",)),
        RecapSection("plot", "Part I", "The Door", ("One. Two.", "Three."), ("One.", "Two.", "Three.")),
    )
    recap = Recap("Low Tide", "A walk.", sections, {"Air date": ("1 May",)}, ("Hester",), ("Episodes",))
    table = tabulate_recap("S01E02", recap, "S01E01", PROVENANCE).table
    assert table.schema == tables.SUMMARIES
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == ["S01E02_000", "S01E02_001", "S01E02_002"]
    assert [row["kind"] for row in rows] == ["blurb", "recap", "plot"]
    assert [row["text"] for row in rows] == ["A walk.", "Last time.", "One. Two.\nThree."]
    assert [row["retells"] for row in rows] == [None, "S01E01", None]
    assert rows[2]["sentences"] == ["One.", "Two.", "Three."]
    for row in rows:
        assert row["infobox"] == [{"label": "Air date", "values": ["1 May"]}]
        assert (row["title"], row["links"], row["categories"]) == ("Low Tide", ["Hester"], ["Episodes"])
        assert row.items() >= CREDIT.items()


def test_sections_without_text_have_no_row_unless_they_are_wanted() -> None:
    sections = (RecapSection("break", "Break", "", (), ()), RecapSection("plot", "Part II", "", ("One.",), ("One.",)))
    recap = Recap("Low Tide", "", sections)
    rows = tabulate_recap("S01E02", recap, None, PROVENANCE, empty_sections=False).table.to_pylist()
    assert [(row["id"], row["position"], row["text"]) for row in rows] == [("S01E02_002", 2, "One.")]
    assert len(tabulate_recap("S01E02", recap, None, PROVENANCE).table) == 3
