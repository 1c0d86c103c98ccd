"""The papers' tables for a release, beside the figures that the papers published."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_CRD3_EPISODE = re.compile(r"C[12]E\d{3}.*")
_CRD3_DIALOGUES = 159
_LEAST = 0.005
"""Share of the turns from which a speaker counts as a player: labels that are slips and guests have less."""
_NONE = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table: where it stands in the paper, its column heads and rows as text, and what one must know to compare them."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


_PUBLISHED_1 = {
    "dialogue count": "159",
    "turn count": "398,682",
    "total token count in dialogues": "5,056,647",
    "unique token count in dialogues": "42,509",
    "avg. turns per dialogue": "2507.4",
    "avg. tokens per turn": "12.7",
    "total token count in summaries": "327,899",
    "avg. tokens per summary": "2062.3",
    "avg. summary:dialogue token ratio": "0.065",
}
_PUBLISHED_2 = {
    "MATT": "0.0307 ± .0008",
    "ORION": "0.0086 ± .0014",
    "LIAM": "0.0083 ± .0005",
    "TALIESIN": "0.0074 ± .0005",
    "SAM": "0.0070 ± .0004",
    "MARISHA": "0.0058 ± .0003",
    "TRAVIS": "0.0057 ± .0004",
    "LAURA": "0.0056 ± .0003",
    "ASHLEY": "0.0048 ± .0006",
}
_PUBLISHED_3 = {"2": ("18,569", "11,124"), "3": ("18,438", "11,635"), "4": ("18,378", "11,484")}
_CORPORA_1 = (
    ("CNN/DailyMail", "312,084", _NONE, _NONE, "3.75", "781", "56"),
    ("AMI", "142", "4.02", "833.72", "8.72", "6041.50", "178.65"),
    ("DialSum", "7,864", _NONE, "9.00", "1.00", "72.54", "3.66"),
    ("SAMSum", "16,369", "2.09", "9.13", "1.92", "121.61", "21.92"),
    ("SumTitles: Subtitles", "131,864", _NONE, "852.65", "4.12", "6405.60", "84.93"),
    ("SumTitles: Scripts", "21,469", "4.88", "28.44", "3.75", "423.06", "55.03"),
    ("SumTitles: Gold", "290", "5.52", "26.77", "3.57", "394.80", "51.02"),
)
_CORPORA_2 = (
    ("CNN/DailyMail", "77.31", "175.56", "54.09", "32.35", "50.51", "90.12", "51.25", "87.32", "90.94"),
    ("AMI", "34.91", "0.28", "24.93", "5.12", "22.26", "82.27", "28.69", "80.80", "82.30"),
    ("DialSum", "8.46", "2.35", "9.53", "0.51", "9.02", "18.72", "1.06", "18.06", "32.90"),
    ("SAMSum", "95.52", "384.58", "51.38", "22.63", "49.05", "68.95", "25.59", "66.44", "83.48"),
    ("SumTitles: Subtitles", "32.92", "30.76", "9.71", "2.48", "8.69", "79.34", "21.72", "77.72", "80.04"),
    ("SumTitles: Scripts", "14.32", "17.84", "26.26", "4.38", "23.20", "13.75", "2.07", "12.75", "60.06"),
    ("SumTitles: Gold", "16.70", "10.31", "26.19", "3.86", "23.26", "26.19", "3.86", "23.26", "58.28"),
)
_FORUMS_2_2 = (
    ("Switchboard", "200k"),
    ("Persona-Chat", "162k"),
    ("Topical-Chat", "188k"),
    ("MultiWOZ", "116k"),
    ("BST", "76k"),
    ("ConvAI2", "140k"),
    ("Wizard of Wikipedia", "194k"),
    ("Empathetic Dialogues", "50k"),
)


def tabulate_crd3(statistics: Mapping[str, Any], units: Iterable[str]) -> tuple[PaperTable, ...]:
    """Return tables 1, 2 and 3 of CRD3 for the `stats.json` of a `transcripts` release.

    The published figures stand beside them where the units are episodes of CRD3's show; a note says where they are not all of
    CRD3's.

    Reference: CRD3, tables 1 to 3.
    """
    names = list(units)
    same = bool(names) and all(map(_CRD3_EPISODE.fullmatch, names))
    count = statistics["dialogues"]
    head = (f"published ({_CRD3_DIALOGUES} episodes)",) if same else ()
    other = same and count != _CRD3_DIALOGUES
    note = f"The release has {count} of the show's episodes, CRD3 has {_CRD3_DIALOGUES}: totals cannot be equal." if other else ""
    counters = tuple(statistics["tokens"])
    rows = [
        (name, *values, *((_PUBLISHED_1[name],) if same else ())) for name, values in _describe_crd3_size(statistics, counters)
    ]
    tables = [
        PaperTable(title="CRD3, table 1: sizes", heads=("metric", *counters, *head), rows=tuple(rows), note=note),
        PaperTable(
            title="CRD3, table 3: pairs by chunk size",
            heads=(
                *("chunk size", "without filtering", "with filtering"),
                *(f"{each}, published" for each in ("without", "with") if same),
            ),
            rows=tuple(
                (
                    *(size, f"{found['without_filter']:,}", f"{found['with_filter']:,}"),
                    *(_PUBLISHED_3.get(size, ("", "")) if same else ()),
                )
                for size, found in statistics["pairs"]["by_chunk_size"].items()
            ),
            note="Size 0: paragraphs and sections." if "0" in statistics["pairs"]["by_chunk_size"] else "",
        ),
    ]
    if statistics["contributions"]:
        found = {
            name: each for name, each in statistics["contributions"].items() if each["turns"] >= _LEAST * statistics["turns"]
        }
        contributions = tuple(
            (name, _interval(each), *((_PUBLISHED_2.get(name, ""),) if same else ())) for name, each in found.items()
        )
        few = len(statistics["contributions"]) - len(found)
        told = f"{few} others, each with less than {_LEAST:.1%} of the turns, are in stats.json. " if few else ""
        title = "CRD3, table 2: contribution of each player to the summaries, with 95 % intervals"
        method = "The figures are of the release's aligner; the profile crd3 has the paper's." if same else ""
        table = PaperTable(title=title, heads=("player", "β", *head), rows=contributions, note=f"{told}{method}".strip())
        tables.insert(1, table)
    return tuple(tables)


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
            rows=(*sizes, *((f"{name} (published)", *row) for name, *row in _CORPORA_1)),
            note=f"Tokens of the release: {tokens}. The paper does not name its tokeniser.",
        ),
        PaperTable(
            title="SumTitles, table 2: extractiveness",
            heads=(
                *("corpus", "EC", "ext. score (1e-4)", "oracle R1-F", "oracle R2-F", "oracle RL-F"),
                *("input R1-R", "input R2-R", "input RL-R", "BERTScore"),
            ),
            rows=(*figures, *((f"{name} (published)", *row) for name, *row in _CORPORA_2)),
            note="BERTScore is computed with --bert-score; its model is another one than the paper's.",
        ),
    )


def tabulate_forums(statistics: Mapping[str, Any]) -> tuple[PaperTable, ...]:
    """Return table 2.2 of the forums thesis with a `threads` release in it. Most tables of chapter 4 are of people's answers.

    Reference: the thesis, table 2.2.
    """
    figures = statistics["figures"]
    return (
        PaperTable(
            title="Forums, table 2.2: dialogue datasets and their sizes",
            heads=("dataset", "utterances"),
            rows=(("this release", f"{figures['utterances']:,}"), *((f"{name} (published)", size) for name, size in _FORUMS_2_2)),
            note="Tables 4.3 and 4.5 are means of readers' answers, tables 4.6 to 4.10 shares of their comparisons. "
            "`fabula evaluate threads` gives both for a reviewed dataset, and table 4.4, turns a second, for any.",
        ),
    )


def tabulate_rooms(statistics: Mapping[str, Any]) -> tuple[PaperTable, ...]:
    """Return the figures that the rooms report gives in its text, for a `rooms` release: it has no table of figures.

    Reference: Dungeons and Datasets, sections 3.3 (the share), 5 (the release) and 7 (the sentences).
    """
    return (
        PaperTable(
            title="Dungeons and Datasets: figures in its text",
            heads=("figure", "section", "this release", "published (CRD3)"),
            rows=(
                ("sentences in the raw text", "7", f"{statistics['sentences']:,}", "millions"),
                ("share of these that is left out", "3.3", _share(statistics["removed_share"]), "at least 93%"),
                ("sentences kept", "5", f"{statistics['kept']:,}", "2,000 (picked by hand, of other texts too)"),
            ),
            note="Left out: copies, introductions and sign-offs, too short or long ones, and what the selection does not keep.",
        ),
    )


def _describe_crd3_size(statistics: Mapping[str, Any], counters: Sequence[str]) -> list[tuple[str, list[str]]]:
    tokens = [statistics["tokens"][name] for name in counters]

    def each(name: str, form: str) -> list[str]:
        return [_format(found[name], form) for found in tokens]

    return [
        ("dialogue count", [f"{statistics['dialogues']:,}"] * len(tokens)),
        ("turn count", [f"{statistics['turns']:,}"] * len(tokens)),
        ("total token count in dialogues", each("dialogue_total", ",")),
        ("unique token count in dialogues", each("dialogue_unique", ",")),
        ("avg. turns per dialogue", [_format(statistics["turns_per_dialogue"], ".1f")] * len(tokens)),
        ("avg. tokens per turn", each("per_turn", ".1f")),
        ("total token count in summaries", each("summary_total", ",")),
        ("avg. tokens per summary", each("per_summary", ".1f")),
        ("avg. summary:dialogue token ratio", each("summary_dialogue_ratio", ".3f")),
    ]


def _describe_size(name: str, size: Mapping[str, Any]) -> tuple[str, ...]:
    means = ("speakers", "utterances", "summary_sentences", "text_tokens", "summary_tokens")
    return (name, f"{size['samples']:,}", *(_format(size[f"average_{each}"], ".2f") for each in means))


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
    return (name, *(_format(figure, ".2f") for figure in figures))


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _interval(found: Mapping[str, Any]) -> str:
    half = found["confidence_95"]
    return f"{found['mean']:.4f}" + (f" ± {half:.4f}" if half is not None else "")


def _share(value: float | None) -> str:
    return _NONE if value is None else f"{value:.1%}"


def _format(value: float | None, form: str) -> str:
    return _NONE if value is None else f"{value:{form}}"
