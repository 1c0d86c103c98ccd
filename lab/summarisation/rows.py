"""The rows of a release as dialogues with summaries: any config that has `turns` and `summary`."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, cast

from core.dataset.splits import SPLITS, Split
from core.errors import ConfigError
from core.text.sentences import split_by_rules
from infra.store.manifests import Manifest, release_key
from infra.store.objects import Store
from infra.store.releases import choose_release, read_default_config
from infra.tables.columns import UNIT_COLUMNS
from infra.tables.parquet import read_columns, read_rows
from lab.summarisation.dialogue import SpokenTurn, SummarisedDialogue

TO_TRAIN_ON = "train_on"
"""The config that a benchmark takes where a release has it: its pairs tell the plot once."""
_SUMMARY = "summary"
_MORE = ("id", "sentences", "title", "year", *sorted(UNIT_COLUMNS))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseConfig:
    """A config of a release: the keys and numbers of rows of its files, by split, and the columns of its rows.

    `config` is NAME, or NAME:COLUMN where another column than `summary` has the summaries.
    """

    store: str
    dataset: str
    version: str
    config: str
    files: dict[Split, tuple[tuple[str, int], ...]]
    columns: frozenset[str]

    @property
    def unit_columns(self) -> frozenset[str]:
        """The columns that name the unit of a row; they tell what kind of data it is."""
        return self.columns & UNIT_COLUMNS

    @property
    def summary(self) -> str:
        """The column of the summaries."""
        return self.config.partition(":")[2] or _SUMMARY

    def count_rows(self, split: Split) -> int:
        """Return the number of rows of a split."""
        return sum(rows for _, rows in self.files[split])


def open_release(store_url: str, dataset: str, version: str | None = None, config: str | None = None) -> ReleaseConfig:
    """Return a config of a release: by default `train_on` where there is one, else the config that loads by default.

    `config` may be NAME:COLUMN: `scripts:anonymised_summary` has summaries without names.
    """
    store = Store(store_url)
    manifest = choose_release(store, dataset, version)
    folder = release_key(dataset, manifest.version)
    configs = _list_configs(manifest)
    name, _, column = (config or "").partition(":")
    needed = ("turns", column or _SUMMARY)
    chosen = name or (TO_TRAIN_ON if TO_TRAIN_ON in configs else read_default_config(store, folder))
    if chosen not in configs:
        wanted = f"no config {chosen!r}" if chosen else "no card that names its default config; name one with --config"
        raise ConfigError(f"dataset {dataset} has {wanted}; it has {', '.join(configs) or 'none'}")
    columns = _read_columns(store, manifest, folder, chosen)
    if missing := [name for name in needed if name not in columns]:
        able = [name for name in configs if _read_columns(store, manifest, folder, name).issuperset(needed)]
        remedy = f"Configs with both: {', '.join(able)}" if able else "No config has both: benchmark another dataset"
        raise ConfigError(
            f"dataset {dataset}, config {chosen}: its rows have no {' and no '.join(missing)}; a benchmark needs dialogues with "
            f"summaries. {remedy}"
        )
    files: dict[Split, tuple[tuple[str, int], ...]] = {
        split: tuple(
            (f"{folder}/{file.path}", file.rows)
            for file in manifest.files
            if file.path.startswith(f"data/{chosen}/{split}-") and file.rows
        )
        for split in SPLITS
    }
    full = f"{chosen}:{column}" if column else chosen
    return ReleaseConfig(store=store.url, dataset=dataset, version=manifest.version, config=full, files=files, columns=columns)


def _read_columns(store: Store, manifest: Manifest, folder: str, config: str) -> frozenset[str]:
    """Return the columns of a config's first file with rows; those of an empty file may be missing."""
    files = [file for file in manifest.files if file.path.startswith(f"data/{config}/")]
    chosen = next((file for file in files if file.rows), files[0])
    return read_columns(store, f"{folder}/{chosen.path}")


def _list_configs(manifest: Manifest) -> list[str]:
    return list(dict.fromkeys(file.path.split("/")[1] for file in manifest.files if file.path.startswith("data/")))


def draw_places(count: int, most: int | None, seed: int) -> Collection[int]:
    """Return the places of at most `most` of `count` rows (None: all), drawn with a seed."""
    return range(count) if most is None or most >= count else frozenset(Random(seed).sample(range(count), most))


@dataclass(frozen=True)
class SplitRows:
    """`lab.summarisation.system.Dialogues` of a split, or of `limit` of its rows, drawn with a seed."""

    release: ReleaseConfig
    split: Split
    limit: int | None = None
    seed: int = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        count = self.release.count_rows(self.split)
        return count if self.limit is None else min(self.limit, count)

    def __iter__(self) -> Iterator[SummarisedDialogue]:
        """Yield the rows in the release's order; a row group is held at a time."""
        store, first = Store(self.release.store), 0
        for key, rows in self.release.files[self.split]:
            found = read_rows(store, key, ("turns", self.release.summary), _MORE)
            for place, row in enumerate(found, first):
                if self.release.summary != _SUMMARY:
                    row = {**row, _SUMMARY: row[self.release.summary], "sentences": None}
                if place in self._chosen:
                    yield make_dialogue(row, self.split, f"{self.split}-{place}")
            first += rows

    @cached_property
    def _chosen(self) -> Collection[int]:
        return draw_places(self.release.count_rows(self.split), self.limit, self.seed)

    def read_summaries(self) -> Iterator[str]:
        """Yield the summaries of all rows of the split, without a limit, and without reading the dialogues."""
        store, column = Store(self.release.store), self.release.summary
        for key, _ in self.release.files[self.split]:
            yield from (cast(str, row[column]) for row in read_rows(store, key, (column,)))


@dataclass(frozen=True, slots=True)
class OtherUnits:
    """`Dialogues` without those of some units: what is summarised must not have been learned.

    `works` has the titles and years of these units: another dataset may know a film by another id.
    """

    rows: SplitRows
    units: frozenset[str]
    works: frozenset[str] = frozenset()

    def __len__(self) -> int:
        """Return the number of rows, which are read for it."""
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[SummarisedDialogue]:
        """Yield the rows of other units; errors as in `SplitRows`."""
        return (row for row in self.rows if row.unit not in self.units and not (row.work and row.work in self.works))


def make_dialogue(row: dict[str, Any], split: Split, name: str) -> SummarisedDialogue:
    """Return a row of a release as a benchmark sees it. `name` stands for the id where the release has none."""
    identity = str(row.get("id") or name)
    if fault := _find_fault(row):
        raise ConfigError(
            f"row {identity}: found {fault}; expected a text as `summary`, `turns` as a list of `speakers` (texts) and "
            "`text`, and `sentences`, where there are any, as a list of texts. Remove or correct the row, or name another config "
            "with --config"
        )
    unit = next((str(row[column]) for column in ("unit", *sorted(UNIT_COLUMNS - {"unit"})) if row.get(column)), identity)
    sentences = row.get("sentences") or split_by_rules(row["summary"])
    turns = tuple(SpokenTurn(tuple(turn["speakers"]), turn["text"]) for turn in row["turns"])
    work = _name_work(row.get("title"), row.get("year"))
    return SummarisedDialogue(id=identity, unit=unit, split=split, turns=turns, sentences=tuple(sentences), work=work)


def _find_fault(row: Mapping[str, Any]) -> str:
    """Return what of a row is not as a benchmark reads it; "" where all is."""
    if not isinstance(row["summary"], str):
        return f"a summary of type {type(row['summary']).__name__}"
    if not isinstance(row["turns"], list):
        return f"turns of type {type(row['turns']).__name__}"
    sentences = row.get("sentences")
    if sentences is not None and not (isinstance(sentences, list) and all(isinstance(sentence, str) for sentence in sentences)):
        return f"sentences {str(sentences)[:80]!r}"
    for place, turn in enumerate(row["turns"]):
        speakers, text = (turn.get("speakers"), turn.get("text")) if isinstance(turn, dict) else (None, None)
        if not isinstance(speakers, list) or not isinstance(text, str) or not all(isinstance(name, str) for name in speakers):
            return f"turn {place} {str(turn)[:80]!r}"
    return ""


def _name_work(title: object, year: object) -> str:
    """Return title and year in one writing, whatever case, punctuation and place of the article; "" where one is missing."""
    words = sorted(re.findall(r"\w+", str(title).casefold()))
    return f"{' '.join(words)} {year}" if title and year and words else ""
