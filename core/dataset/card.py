"""Writes the README of a release. Its YAML header tells `datasets.load_dataset` the configs and their files."""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from core.dataset.rejects import RejectedRows
from core.dataset.report import Quality
from core.dataset.units import UNSPECIFIED
from core.fingerprints import flatten_settings

CRD3 = """
@inproceedings{rameshkumar-bailey-2020-storytelling,
  title = {Storytelling with Dialogue: a {Critical Role Dungeons and Dragons Dataset}},
  author = {Rameshkumar, Revanth and Bailey, Peter},
  booktitle = {Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics},
  year = {2020}
}
"""
SUMTITLES = """
@inproceedings{malykh-etal-2020-sumtitles,
  title = {{SumTitles}: a Summarization Dataset with Low Extractiveness},
  author = {Malykh, Valentin and Chernis, Konstantin and Artemova, Ekaterina and Piontkovskaya, Irina},
  booktitle = {Proceedings of the 28th International Conference on Computational Linguistics},
  year = {2020}
}
"""
FORUMS = """
@mastersthesis{huryn-2022-framework,
  title = {Framework for Automatic Generation of Large-scale Dialogue Data from Online Forums},
  author = {Huryn, Daniil V.},
  year = {2022}
}
"""
ROOMS = """
@techreport{grow-etal-2022-dungeons,
  title = {Dungeons and Datasets: Final Project Report},
  author = {Grow, Zach and Williams, Joel and Ruskamp-White, Andrew},
  institution = {Portland State University},
  year = {2022}
}
"""


_LICENSES = frozenset(
    ["apache-2.0", "mit", "bsd-3-clause", "cc0-1.0", "odc-by", "odbl", "pddl", "gfdl", "unknown"]
    + [f"cc-{kind}-{version}" for kind in ("by", "by-nc", "by-nc-sa") for version in ("2.0", "3.0", "4.0")]
    + [f"cc-{kind}-{version}" for kind in ("by-sa", "by-nc-nd") for version in ("3.0", "4.0")]
    + ["cc-by-2.5", "cc-by-nd-4.0"]
)
"""Names that the Hub knows for licences under which text is published."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))
SHARED = ("id", "unit", "title", "summary", "turns", "dialogue")
"""Columns that mean the same in the default config of every pipeline that has them."""
_LONGEST_TEXT = 160
_LONGEST_LIST = 3
_NOT_KNOWN = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a pipeline says of its releases.

    `about` tells in a sentence or two what a row of the default config is. `task` is the Hub's name for what the rows are for,
    `languages` are ISO 639-1 codes. `lacks` gives a reason for each column of `SHARED` that the default config does not have.
    `leakage` says how copies stay out of other splits, where the statistics do not count them. `citation` is BibTeX of the paper
    that the method comes from. `faults` are known faults that a user should know.
    """

    about: str = ""
    task: str = ""
    languages: tuple[str, ...] = ()
    lacks: Mapping[str, str] = field(default_factory=dict)
    leakage: str = ""
    citation: str = ""
    faults: tuple[str, ...] = ()


NO_DESCRIPTION = Description()


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or a part of one that holds records: its Arrow type as text, whether it is a list, and the parts of its records.

    The `kind` of a list is that of its elements. `meaning` is the same for all columns of its name in a release.
    """

    name: str
    kind: str
    repeated: bool = False
    parts: tuple["Column", ...] = ()
    meaning: str = ""

    def describe(self) -> str:
        """Return the type for a person: `list<struct<number: int32, text: string>>`."""
        inner = f"struct<{', '.join(f'{part.name}: {part.describe()}' for part in self.parts)}>" if self.parts else self.kind
        return f"list<{inner}>" if self.repeated else inner


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTable:
    """A table of a release: its rows by split ("" where it has none), and its columns."""

    name: str
    config: bool
    rows: Mapping[str, int]
    columns: Sequence[Column] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """All that a card tells.

    `tables` begin with the default config. `units` counts the units of each split; where they travel in shards (`sharded`), it
    counts shards. `figures` are statistics, rows with `metric` and `value`. `rejects` are the rows left out. `settings` are all
    settings as JSON values. `licenses` are those of the rows, and `attribution` is what the user stated. `withheld` counts units
    on the takedown list by reason. `leaks` are the copies that stand in several splits (`core.text.near_copies`), None where
    nobody looked for them. `quality` are comparisons with gold. `example` is the first row of the default config.
    """

    name: str
    version: str
    tables: Sequence[CardTable]
    description: Description = NO_DESCRIPTION
    units: Mapping[str, int] = field(default_factory=dict)
    sharded: bool = False
    figures: Sequence[Mapping[str, str]] = ()
    rejects: Sequence[RejectedRows] = ()
    settings: object = None
    licenses: Sequence[str] = (UNSPECIFIED,)
    attribution: str = ""
    withheld: Mapping[str, int] = field(default_factory=dict)
    leaks: Mapping[str, Any] | None = None
    quality: Sequence[Quality] = ()
    example: Mapping[str, object] | None = None

    @property
    def configs(self) -> list[CardTable]:
        """The configs that can be loaded: those with rows."""
        return [table for table in self.tables if table.config and any(table.rows.values())]


def write_card(card: Card) -> str:
    """Return the README of a release as Markdown with a YAML header.

    The files of a config are `data/<config>/<split>-*.parquet`. A split or config without rows is left out of the header, since
    `datasets` refuses it.
    """
    text = yaml.safe_dump(_make_header(card), sort_keys=False, allow_unicode=True, width=sys.maxsize)
    parts = [
        f"# {card.name} {card.version}",
        card.description.about,
        _warn_of_license(card),
    ]
    sections = {
        "What it holds": _list_tables(card),
        "How to load it": _tell_loading(card),
        "Columns": _describe_columns(card),
        "An example": _show_example(card),
        "Figures": _tabulate(("figure", "value"), ((row["metric"], row["value"]) for row in card.figures)),
        "Quality on gold": _describe_quality(card),
        "What was left out": _describe_rejects(card),
        "Splits": _describe_splits(card),
        "Settings": _list_settings(card),
        "Known faults": "\n".join(f"- {fault}" for fault in card.description.faults),
        "Licence and attribution": _describe_license(card),
        "Citation": _fence(card.description.citation.strip(), "bibtex") if card.description.citation else "",
    }
    parts += [f"## {title}\n\n{told}" for title, told in sections.items() if told]
    return "\n\n".join(["---\n" + text + "---", *filter(None, parts)]) + "\n"


def name_license(text: str) -> str | None:
    """Return the Hub's name for a stated licence ("CC BY-SA 4.0" is `cc-by-sa-4.0`), None where it has none."""
    name = re.sub(r"[\s_]+", "-", text.strip().lower())
    return name if name in _LICENSES else None


def _make_header(card: Card) -> dict[str, object]:
    header: dict[str, object] = {"pretty_name": card.name}
    header |= _head_licenses(card.licenses)
    if card.description.languages:
        header["language"] = list(card.description.languages)
    if card.description.task:
        header["task_categories"] = [card.description.task]
    if filled := card.configs:
        rows = sum(filled[0].rows.values())
        header["size_categories"] = [next((name for limit, name in _SIZES if rows < limit), "n>10M")]
    header["tags"] = ["fabula", "dialogue"]
    header["configs"] = [
        {
            "config_name": table.name,
            **({"default": True} if table is filled[0] else {}),
            "data_files": [
                {"split": split, "path": f"data/{table.name}/{split}-*.parquet"} for split, count in table.rows.items() if count
            ],
        }
        for table in filled
    ]
    return header


def _head_licenses(licenses: Sequence[str]) -> dict[str, object]:
    """Return licences as the header has them: names that the Hub knows, or `other` with a name."""
    names = list(dict.fromkeys("unknown" if each == UNSPECIFIED else name_license(each) or "other" for each in licenses))
    head: dict[str, object] = {"license": names[0] if len(names) == 1 else names}
    if "other" in names:
        others = [each for each in licenses if each != UNSPECIFIED and name_license(each) is None]
        slugs = (re.sub(r"[^a-z0-9.]+", "-", each.lower()).strip("-") or "other" for each in others)
        head["license_name"] = "-and-".join(dict.fromkeys(slugs))
    return head


def _warn_of_license(card: Card) -> str:
    if UNSPECIFIED not in card.licenses:
        return ""
    which = "this text" if len(card.licenses) == 1 else "some of the rows"
    return (
        f"> **No licence is stated for {which}.** Whoever made this release did not set `provenance.license`. Find out under "
        "which terms the sources may be used before you publish the data, or a model that was trained on it."
    )


def _list_tables(card: Card) -> str:
    splits = list(dict.fromkeys(split for table in card.tables if table.config for split in table.rows))
    shown = [table for place, table in enumerate(card.tables) if not place or any(table.rows.values())]
    rows = []
    for table in shown:
        counts = [f"{table.rows[split]:,}" if split in table.rows else "" for split in splits]
        rows.append((f"`{table.name}`", "yes" if table.config else "no", *counts, f"{sum(table.rows.values()):,}"))
    told = "\n".join(f"- `{table.name}`: {table.description}." for table in shown if table.description)
    return "\n\n".join(filter(None, [_tabulate(("table", "config", *splits, "rows"), rows), told]))


def _tell_loading(card: Card) -> str:
    if not (filled := card.configs):
        return "This release has no rows."
    config, split = filled[0].name, next(split for split, count in filled[0].rows.items() if count)
    files = f"data/{config}/{split}-*.parquet"
    code = f"""from datasets import load_dataset
rows = load_dataset("FOLDER", "{config}", split="{split}")

# from a bucket, without this file
rows = load_dataset("parquet", data_files={{"{split}": "s3://BUCKET/datasets/{card.name}/{card.version}/{files}"}})

import duckdb, pandas, polars
pandas.read_parquet("FOLDER/data/{config}")
polars.read_parquet("FOLDER/{files}")
duckdb.sql("SELECT * FROM 'FOLDER/{files}'")"""
    return (
        "FOLDER is the folder of this file.\n\n"
        + _fence(code, "python")
        + "\n\n`manifest.json` names every file with its checksum; `sha256sum -c SHA256SUMS` and `fabula verify` compare them."
    )


def _describe_columns(card: Card) -> str:
    columns: dict[str, Column] = {}
    places: defaultdict[str, list[str]] = defaultdict(list)
    for table in card.tables:
        for column in table.columns:
            columns.setdefault(column.name, column)
            places[column.name].append(f"`{table.name}`")
    rows = ((f"`{name}`", column.meaning, f"`{column.describe()}`", _name_some(places[name])) for name, column in columns.items())
    shared = ", ".join(f"`{name}`" for name in SHARED)
    told = [f"The columns {shared} mean the same in every dataset that fabula makes."] if columns else []
    lacking: defaultdict[str, list[str]] = defaultdict(list)
    for name, why in card.description.lacks.items():
        lacking[why].append(f"`{name}`")
    told += [f"This one has no {' and no '.join(names)}: {why}." for why, names in lacking.items()]
    return "\n\n".join(filter(None, [" ".join(told), _tabulate(("column", "meaning", "type", "tables"), rows)]))


def _name_some(tables: Sequence[str]) -> str:
    more = f" and {len(tables) - 2} more" if len(tables) > 2 else ""
    return ", ".join(tables[:2]) + more


def _show_example(card: Card) -> str:
    if card.example is None:
        return ""
    shown = json.dumps(_shorten(card.example), indent=1, ensure_ascii=False)
    return f"The first row of the default config; long texts and lists are cut off.\n\n{_fence(shown, 'json')}"


def _shorten(value: object) -> object:
    match value:
        case str() if len(value) > _LONGEST_TEXT:
            return value[:_LONGEST_TEXT] + "…"
        case Mapping():
            return {key: _shorten(part) for key, part in value.items()}
        case list() if len(value) > _LONGEST_LIST:
            return [*map(_shorten, value[:_LONGEST_LIST]), f"… {len(value) - _LONGEST_LIST:,} more"]
        case list():
            return list(map(_shorten, value))
        case None | bool() | int() | float() | str():
            return value
    return str(value)


def _describe_rejects(card: Card) -> str:
    rows = [(each.reason, f"{each.count:,}", each.setting, each.note) for each in card.rejects]
    told = [_tabulate(("reason", "rows", "setting that decides", "what else to do"), rows)] if rows else []
    if card.withheld:
        told.append(_tabulate(("kept out on request, by reason", "units"), ((why, str(n)) for why, n in card.withheld.items())))
    return "\n\n".join(told)


def _describe_splits(card: Card) -> str:
    if not card.units:
        return ""
    counted = "units, a shard of them counted as one" if card.sharded else "units"
    table = _tabulate(("split", counted), ((split, f"{count:,}") for split, count in card.units.items()))
    kept = "All rows of a unit are in one split, and a unit stays in the split of its first release."
    return f"{table}\n\n{kept} {_describe_leaks(card)}"


def _describe_quality(card: Card) -> str:
    rows = [
        (figure.name, f"{figure.value:.3f}", _NOT_KNOWN if figure.low is None else f"{figure.low:.3f} to {figure.high:.3f}")
        for each in card.quality
        for figure in each.figures
    ]
    told = [
        f"Compared with {_inline(each.gold)}: {_inline(each.counted)}. Judged {each.judged or 'at a date that nobody has stated'}"
        + (f", compared {each.measured}" if each.measured else "")
        + "."
        for each in card.quality
    ]
    return "\n\n".join([*told, _tabulate(("figure", "value", "95 % interval"), rows)]) if rows else ""


def _describe_leaks(card: Card) -> str:
    """Say how leakage between splits was checked, and what was found."""
    if card.leaks is None:
        return card.description.leakage or "Texts were not compared between splits."
    exact, near = card.leaks["exact_copies"], card.leaks["near_copies"]
    told = (
        f"Leakage was checked: the summaries of {card.leaks['compared']:,} rows were compared with those of the other splits. "
        f"{exact['all']:,} are exact copies of one there, {near['all']:,} near copies (at least {card.leaks['near']:.0%} of the "
        "word trigrams in common, as MinHash estimates it)"
    )
    kinds = [f"{kind} {count:,}" for kind, count in near.items() if kind != "all" and count]
    return f"{told}{': ' + ', '.join(kinds) if kinds else ''}."


def _list_settings(card: Card) -> str:
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in flatten_settings(card.settings)]
    return "Every setting with its value.\n\n" + _fence("\n".join(lines), "text") if lines else ""


def _describe_license(card: Card) -> str:
    stated = ", ".join(_inline(each) for each in card.licenses if each != UNSPECIFIED)
    told = f"The licence that is stated: {stated}" if stated else "No licence is stated"
    credit = f", with credit to {_inline(card.attribution)}" if card.attribution else ""
    return f"{told}{credit}. Every row has the columns `license` and `attribution`; `ATTRIBUTION.md` lists all of them."


def _tabulate(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *body]) if body else ""


def _cell(text: str) -> str:
    code = text.startswith("`") and text.endswith("`") and text.count("`") == 2  # nothing in code is HTML
    return (" ".join(text.split()) if code else _inline(text)).replace("|", "\\|")


def _inline(text: str) -> str:
    """Return a text on one line, without tags of HTML."""
    return " ".join(text.split()).replace("<", "&lt;")


def _fence(text: str, language: str) -> str:
    """Return a block of code; its fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
