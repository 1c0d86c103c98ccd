"""The papers' tables of a release's own statistics, beside the figures that the papers published (`published.tsv`)."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_CRD3_EPISODE = re.compile(r"C[12]E\d{3}.*")
_CRD3_DIALOGUES = 159
_LEAST = 0.005
"""Share of the turns from which a speaker counts as a player: labels that are slips and guests have less."""
NONE = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table: where it stands in the paper, its column heads and rows as text, and what one must know to compare them.

    `parts` are the parts of the paper that it shows, as `parts.tsv` names them.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    parts: tuple[str, ...] = ()


@cache
def read_published(paper: str, table: str) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of a published table by their names."""
    lines = Path(__file__).with_name("published.tsv").read_text("utf-8").splitlines()[1:]
    cells = (line.split("\t") for line in lines)
    return {row: tuple(figures) for found, where, row, *figures in cells if (found, where) == (paper, table)}


def tabulate_crd3(statistics: Mapping[str, Any], units: Collection[str]) -> tuple[PaperTable, ...]:
    """Return tables 1, 2 and 3 of CRD3 and the figures of its section 3.4, for the `stats.json` of a `transcripts` release.

    The published figures stand beside them where the units are episodes of CRD3's show; a note says where they are not all of
    CRD3's.

    Reference: CRD3, section 3.4, tables 1 to 3.
    """
    same = bool(units) and all(map(_CRD3_EPISODE.fullmatch, units))
    count, counters = statistics["dialogues"], tuple(statistics["tokens"])
    head = (f"published ({_CRD3_DIALOGUES} episodes)",) if same else ()
    other = same and count != _CRD3_DIALOGUES
    note = f"The release has {count} of the show's episodes, CRD3 has {_CRD3_DIALOGUES}: totals cannot be equal." if other else ""

    def beside(table: str, name: str, width: int = 1) -> tuple[str, ...]:
        return (read_published("crd3", table).get(name, (NONE,) * width)) if same else ()

    return (
        PaperTable(
            title="CRD3, table 1: sizes",
            heads=("metric", *counters, *head),
            rows=tuple((name, *values, *beside("1", name)) for name, values in _describe_crd3_size(statistics, counters)),
            note=note,
            parts=("table 1, column CRD3", "table 1, unique tokens"),
        ),
        PaperTable(
            title="CRD3, section 3.4: speakers, quotations, questions (means ± standard deviation)",
            heads=("metric", f"n = {count} dialogues", *head),
            rows=tuple((name, shown, *beside("3.4", name)) for name, shown in _describe_crd3_talk(statistics)),
            note=f"{note} Entities are counted where the settings name a trained spaCy pipeline.".strip(),
            parts=tuple(f"3.4 {name}" for name in _TALK_PARTS),
        ),
        *_tabulate_players(statistics, head, beside),
        PaperTable(
            title="CRD3, table 3: pairs by chunk size",
            heads=(
                *("chunk size", "without filtering", "with filtering"),
                *(f"{each}, published" for each in ("without", "with") if same),
            ),
            rows=tuple(
                (size, f"{found['without_filter']:,}", f"{found['with_filter']:,}", *beside("3", size, 2))
                for size, found in statistics["pairs"]["by_chunk_size"].items()
            ),
            note=f"{note}{' Size 0: paragraphs and sections.' if '0' in statistics['pairs']['by_chunk_size'] else ''}".strip(),
            parts=("table 3, pairs by chunk size",),
        ),
    )


def tabulate_sumtitles(measured: Mapping[str, Mapping[str, Any]]) -> tuple[PaperTable, ...]:
    """Return tables 1 and 2 of SumTitles: the rows of a release, by config, and the published rows of other corpora.

    `measured` has the figures of `report_measures` by the name of the row.

    Reference: SumTitles, tables 1 and 2.
    """
    sizes = tuple(_describe_size(name, found["size"]) for name, found in measured.items())
    figures = tuple(_describe_extractiveness(name, found) for name, found in measured.items())
    tokens = ", ".join(sorted({str(found["settings"]["tokenizer"]) for found in measured.values()}))
    return (
        PaperTable(
            title="SumTitles, table 1: sizes (means)",
            heads=("corpus", "samples", "speakers", "utterances", "summary sentences", "text tokens", "summary tokens"),
            rows=(*sizes, *((f"{name} (published)", *row) for name, row in read_published("sumtitles", "1").items())),
            note=f"Tokens of the release: {tokens}. The paper does not name its tokeniser.",
            parts=("table 1, sizes",),
        ),
        PaperTable(
            title="SumTitles, table 2: extractiveness",
            heads=(
                *("corpus", "EC", "ext. score (1e-4)", "oracle R1-F", "oracle R2-F", "oracle RL-F"),
                *("input R1-R", "input R2-R", "input RL-R", "BERTScore"),
            ),
            rows=(*figures, *((f"{name} (published)", *row) for name, row in read_published("sumtitles", "2").items())),
            note="BERTScore is computed with --bert-score, by another model than the paper's. The corpora are others too.",
            parts=("5.5 table 2, Extractiveness Coefficient", "5.1 eq. 4, extractive score", "5.3 summary-input"),
        ),
    )


def tabulate_rooms(statistics: Mapping[str, Any]) -> tuple[PaperTable, ...]:
    """Return the figures that the rooms report gives in its text, for a `rooms` release: it has no table of figures.

    Reference: Dungeons and Datasets, sections 3.3 (the share), 5 (the release) and 7 (the sentences).
    """
    found = {
        "sentences in the raw text": ("7", f"{statistics['sentences']:,}"),
        "share of these that is left out": ("3.3", NONE if (out := statistics["removed_share"]) is None else f"{out:.1%}"),
        "sentences kept": ("5", f"{statistics['kept']:,}"),
    }
    return (
        PaperTable(
            title="Dungeons and Datasets: figures in its text",
            heads=("figure", "section", "this release", "published (CRD3)"),
            rows=tuple((name, *row, *read_published("rooms", "text")[name]) for name, row in found.items()),
            note="Left out: copies, introductions and sign-offs, too short or long ones, and what the selection does not keep.",
            parts=("3.3 share of the raw sentences that is left out",),
        ),
    )


def _describe_crd3_size(statistics: Mapping[str, Any], counters: Sequence[str]) -> list[tuple[str, list[str]]]:
    tokens = [statistics["tokens"][name] for name in counters]

    def each(name: str, form: str) -> list[str]:
        return [show(found[name], form) for found in tokens]

    return [
        ("dialogue count", [f"{statistics['dialogues']:,}"] * len(tokens)),
        ("turn count", [f"{statistics['turns']:,}"] * len(tokens)),
        ("total token count in dialogues", each("dialogue_total", ",")),
        ("unique token count in dialogues", each("dialogue_unique", ",")),
        ("avg. turns per dialogue", [show(statistics["turns_per_dialogue"], ".1f")] * len(tokens)),
        ("avg. tokens per turn", each("per_turn", ".1f")),
        ("total token count in summaries", each("summary_total", ",")),
        ("avg. tokens per summary", each("per_summary", ".1f")),
        ("avg. summary:dialogue token ratio", each("summary_dialogue_ratio", ".3f")),
    ]


_TALK_PARTS = (
    *("speakers, share of the main cast", "turns with quotation marks, game master and others"),
    *("questions that the game master answers, a dialogue", "named entities a dialogue"),
    "tokens by section: blurb, announcements, recap, plot",
)


def _describe_crd3_talk(statistics: Mapping[str, Any]) -> list[tuple[str, str]]:
    quotes = statistics["quotes"] or {}
    return [
        ("speakers", f"{statistics['speakers']['count']:,}"),
        ("main cast's share of the turns", show(statistics["speakers"]["main_cast_share"], ".2%")),
        *((f"turns with quotes, {who.replace('_', ' ')}", f"{number:,}") for who, number in quotes.items()),
        ("answered questions per dialogue", _spread(statistics["answered_questions"])),
        ("named entities per dialogue", _spread(statistics["entities"])),
        *((f"tokens in section {kind}", _spread(found)) for kind, found in statistics["sections"].items()),
    ]


def _tabulate_players(statistics: Mapping[str, Any], head: tuple[str, ...], beside: Any) -> list[PaperTable]:
    """Return table 2, nothing where the aligner gives no contributions."""
    every = statistics["contributions"] or {}
    found = {name: each for name, each in every.items() if each["turns"] >= _LEAST * statistics["turns"]}
    few = len(every) - len(found)
    told = f"{few} others, each with less than {_LEAST:.1%} of the turns, are in stats.json. " if few else ""
    method = "The figures are of the release's aligner; the profile crd3 has the paper's." if head else ""
    return [
        PaperTable(
            title="CRD3, table 2: contribution of each player to the summaries, with 95 % intervals",
            heads=("player", "n (turns)", "β", *head),
            rows=tuple((name, f"{each['turns']:,}", _interval(each), *beside("2", name)) for name, each in found.items()),
            note=f"{told}{method}".strip(),
            parts=("table 2, contributions of players",),
        )
        for _ in range(bool(every))
    ]


def _describe_size(name: str, size: Mapping[str, Any]) -> tuple[str, ...]:
    means = ("speakers", "utterances", "summary_sentences", "text_tokens", "summary_tokens")
    return (name, f"{size['samples']:,}", *(show(size[f"average_{each}"], ".2f") for each in means))


def _describe_extractiveness(name: str, found: Mapping[str, Any]) -> tuple[str, ...]:
    orders = ("rouge1", "rouge2", "rougeL")
    score = found["extractive_score"]
    figures = (
        found["extractiveness_coefficient"]["exact"],
        None if score is None else score * 10_000,
        *(_percent(found["oracle"]["exact"][order]) for order in orders),
        *(_percent(found["summary_input"][order]) for order in orders),
        _percent(found["bert_score"]["over_document"]),
    )
    return (name, *(show(figure, ".2f") for figure in figures))


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _interval(found: Mapping[str, Any]) -> str:
    half = found["confidence_95"]
    return f"{found['mean']:.4f}" + (f" ± {half:.4f}" if half is not None else "")


def _spread(found: Mapping[str, Any] | None) -> str:
    if found is None or found["mean"] is None:
        return NONE
    return f"{found['mean']:,.1f}" + (f" ± {found['deviation']:,.1f}" if found["deviation"] is not None else "")


def show(value: float | None, form: str) -> str:
    """Return a figure as text, a dash for none."""
    return NONE if value is None else f"{value:{form}}"
