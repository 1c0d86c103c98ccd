"""Evaluates aligners of `transcripts` on four benchmarks, and prints a Markdown row for each setting.

    FABULA_CORPORA=DIR python -m lab.quality.alignment [--cache FOLDER] [--ablation] [--row 'alignment.window=28 …']

`lab/README.md` says what the benchmarks (gold, read, break, synthetic) and the columns are. The rows are `crd3` (the paper's
method as published), idf-weighted β in its place, and the default.

- `--row` adds a row with changes to the default settings: `NAME=JSON`, separated by spaces.
- `--ablation` prints instead the settings that section 4.1 tried.
- `--cache` keeps prepared episodes.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from core.transcripts.config import AlignmentConfig, CleaningConfig, SplitterName, TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.discovery import EpisodeFiles, find_units
from core.transcripts.evaluation import GoldSentence, GradedEpisode, describe_quality, grade_episode, read_gold
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap
from infra.named_files import read_profile_table
from infra.settings import load_config
from infra.sources.opening import list_sources
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from lab.corpora import find_corpora
from lab.quality.episode_breaks import Break, BreakJudgement, find_break, judge_break
from lab.quality.synthetic_episodes import make_episode
from lab.readings.episodes import find_sentences, read_spans
from tasks.transcripts.build import align_recap

BENCHMARKS = ("gold", "read", "break", "synthetic")
SYNTHETIC_EPISODES = 10
_AS_CRD3 = CleaningConfig(labels="pattern")  # the gold counts CRD3's turns
COLUMNS = (
    "gold P", "gold R", "pooled F1", "macro F1", "kept", "kept P", "kept R", "ends", "ECE", "Brier",
    "read P", "read R", "read pooled F1", "read macro F1", "read kept", "read kept P", "read ends", "read ECE",
    "break error %", "median %", "section accuracy", "synthetic pooled F1", "synthetic macro F1", "synthetic ECE", "s",
)  # fmt: skip
Row = dict[str, float | int | None]


@dataclass(frozen=True)
class Episode:
    """An episode with its gold alignment and break, if known; `benchmark` is the benchmark of its gold."""

    name: str
    turns: tuple[Turn, ...]
    recap: Recap
    gold: tuple[GoldSentence, ...] = ()
    break_: Break | None = None
    benchmark: str = "gold"


def read_episodes(crd3: Path, folder: Path | None) -> Iterator[Episode]:
    """Yield the episodes that have gold or a break. Prepared episodes are read from `folder` and kept there."""
    table = parse_alias_table("speakers.tsv", read_profile_table("crd3", "speakers.tsv") or "")
    read = read_spans()
    for unit in find_units(list_sources([str(crd3)])).units:
        aliases = select_aliases(unit.id, [table], {})
        turns = prepare(folder, f"{unit.id}.parquet", DIALOGUE, partial(read_turns, crd3, unit, aliases))
        recap = prepare(folder, f"{unit.id}-prose.json", RECAP, partial(read_recap_file, crd3, unit))
        gold = crd3 / "gold" / f"{unit.id}.json"
        answers = read_gold(gold.name, gold.read_text("utf-8")) if gold.is_file() else ()
        benchmark = "gold" if answers else "read"
        if not answers and unit.id in read:
            annotated = prepare(folder, f"{unit.id}.json", RECAP, partial(read_recap_file, crd3, unit, "spacy", True))
            answers = find_sentences(unit.id, annotated.sentences, len(turns), read[unit.id])
        known = find_break(turns, recap)
        if answers or known:
            yield Episode(unit.id, turns, recap, answers, known, benchmark)


def read_turns(crd3: Path, unit: EpisodeFiles, aliases: Mapping[str, tuple[str, ...]]) -> tuple[Turn, ...]:
    return join_parts([read_dialogue(file.path, (crd3 / file.path).read_bytes(), _AS_CRD3, aliases) for file in unit.transcripts])


def read_recap_file(crd3: Path, unit: EpisodeFiles, splitter: SplitterName = "prose", chunk_lists: bool = False) -> Recap:
    """Read a recap as the default does, or as it was read when its sentences were annotated ("spacy", with the lists)."""
    name = unit.recaps[0].path
    return read_recap(name, decode_text(name, (crd3 / name).read_bytes()), make_splitter(splitter), chunk_lists)


def prepare(folder: Path | None, name: str, codec: Any, compute: Callable[[], Any]) -> Any:
    """Return the value that the folder has under that name, or compute it and keep it there."""
    path = folder / "episodes" / name if folder else None
    if path and path.is_file():
        return codec.decode(path.read_bytes())
    value = compute()
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(codec.encode(value))
    return value


def make_episodes() -> list[Episode]:
    made = (make_episode(seed) for seed in range(SYNTHETIC_EPISODES))
    return [
        Episode(f"synthetic-{seed}", episode.turns, episode.recap, episode.gold, benchmark="synthetic")
        for seed, episode in enumerate(made)
    ]


def align(episode: Episode, config: AlignmentConfig) -> Sequence[tuple[Chunk, Span]]:
    wordnet = find_corpora() / "wordnet"
    return align_recap(episode.turns, episode.recap, config, str(wordnet) if wordnet.is_dir() else None).pairs


def measure(episodes: Iterable[Episode], config: TranscriptsConfig, wanted: Iterable[str]) -> Row:
    """Return the figures of one setting by column, None for benchmarks that are not in `wanted`."""
    row: Row = dict.fromkeys(COLUMNS)
    graded: dict[str, list[GradedEpisode]] = {name: [] for name in BENCHMARKS}
    judged: list[BreakJudgement] = []
    started = process_time()
    for episode in episodes:
        use_gold = bool(episode.gold) and episode.benchmark in wanted
        use_break = episode.break_ is not None and "break" in wanted
        if not (use_gold or use_break):
            continue
        pairs = align(episode, config.alignment)
        if use_gold:
            graded[episode.benchmark].append(grade_episode(episode.name, episode.gold, pairs, config.filter))
        if use_break and episode.break_:
            judged.append(judge_break(episode.break_, pairs))
    row["s"] = process_time() - started
    for benchmark in ("gold", "read", "synthetic"):
        row |= {name: value for name, value in describe_gold(graded[benchmark], benchmark).items() if name in COLUMNS}
    return row | describe_breaks(judged)


def describe_gold(graded: Sequence[GradedEpisode], benchmark: str = "gold") -> Row:
    if not graded:
        return {}
    prefix = "" if benchmark == "gold" else f"{benchmark} "
    found = describe_quality(graded, resamples=2)
    right = [max(map(abs, chunk.errors)) <= 2 for each in graded for chunk in each.chunks if chunk.kept and chunk.errors]
    pooled, macro, kept, table = found["all"]["pooled"], found["all"]["macro"], found["kept"], found["reliability"]
    return {
        f"{benchmark} P": pooled["precision"]["value"],
        f"{benchmark} R": pooled["recall"]["value"],
        f"{prefix}pooled F1": pooled["f1"]["value"],
        f"{prefix}macro F1": macro["f1"]["value"],
        f"{prefix}kept": found["kept_share"],
        f"{prefix}kept P": kept and kept["pooled"]["precision"]["value"],
        f"{prefix}kept R": kept and kept["pooled"]["recall"]["value"],
        f"{prefix}ECE": table and table["calibration_error"],
        f"{prefix}Brier": table and table["brier"],
        f"{prefix}ends": sum(right) / len(right) if right else None,
    }


def describe_breaks(judged: Sequence[BreakJudgement]) -> Row:
    errors = sorted(entry.error for entry in judged if entry.error is not None)
    if not errors:
        return {}
    counted = sum(entry.judged for entry in judged)
    return {
        "break error %": 100 * sum(errors) / len(errors),
        "median %": 100 * errors[len(errors) // 2],
        "section accuracy": sum(entry.right for entry in judged) / counted,
    }


def override(config: TranscriptsConfig, settings: str) -> TranscriptsConfig:
    """Return `config` with changed settings, for example `alignment.window=28 filter.min_turns=1`."""
    for setting in settings.split():
        name, _, value = setting.partition("=")
        nested: Any = json.loads(value)
        for part in reversed(name.split(".")):
            nested = {part: nested}
        config = merge(config, nested)
    return config


def merge(config: Any, values: dict[str, Any]) -> Any:
    changes = {
        name: merge(getattr(config, name), value)
        if isinstance(value, dict)
        else tuple(value)
        if isinstance(value, list)
        else value
        for name, value in values.items()
    }
    return replace(config, **changes)


def paper_settings(crd3: TranscriptsConfig) -> Iterator[tuple[str, TranscriptsConfig, Sequence[str]]]:
    """Yield the settings that section 4.1 tried, each with its benchmarks (not all are fast enough for `break`).

    All but the first are without lemmas.
    """
    yield "as published: β, unigrams and bigrams, noun lemmas", crd3, BENCHMARKS
    plain = override(crd3, 'alignment.tokenizer="tweet"')
    for title, settings in (
        ("without lemmas, as the text has it", "alignment.window=14"),
        ("without stop words", 'alignment.tokenizer="tweet-content"'),
        ("unigrams", "alignment.ngram_orders=[1]"),
        ("bigrams", "alignment.ngram_orders=[2]"),
        ("unigrams to trigrams", "alignment.ngram_orders=[1,2,3]"),
        ("ROUGE-1 F1", 'alignment.similarity="rouge" alignment.ngram_orders=[1]'),
        ("ROUGE-2 F1", 'alignment.similarity="rouge" alignment.ngram_orders=[2]'),
        ("ROUGE-L F1", 'alignment.similarity="rouge-l"'),
        ("TF-IDF cosine of unigrams", 'alignment.similarity="tf-idf" alignment.ngram_orders=[1]'),
        ("TF-IDF cosine of unigrams and bigrams", 'alignment.similarity="tf-idf"'),
        ("normalised columns", "alignment.normalise_columns=true"),
        ("idf-weighted β (not in the paper)", 'alignment.similarity="idf-overlap"'),
        ("greedy, w = 0", 'alignment.aligner="greedy" alignment.window=0'),
        ("greedy, w ≤ 14", 'alignment.aligner="greedy"'),
        ("greedy, w ≤ 28", 'alignment.aligner="greedy" alignment.window=28'),
        ("greedy, w ≤ 14, contiguous", 'alignment.aligner="greedy-contiguous"'),
    ):
        yield title, override(plain, settings), BENCHMARKS
    yield "greedy, w ≤ T", override(plain, 'alignment.aligner="greedy" alignment.window=1000000'), ("gold", "read", "synthetic")


def show(title: str, row: Row) -> None:
    cells = (
        "–" if (value := row.get(name)) is None else f"{value:.{1 if '%' in name or name == 's' else 3}f}" for name in COLUMNS
    )
    print(f"| {title} | {' | '.join(cells)} |", flush=True)


def is_read(episode: Episode) -> bool:
    return bool(episode.gold) and episode.benchmark in ("gold", "read")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="folder for prepared episodes")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="run only these benchmarks")
    parser.add_argument("--row", action="append", default=[], help="add a row: [TITLE: ]changes to the default settings")
    parser.add_argument("--ablation", action="store_true", help="print the settings that section 4.1 of the paper tried")
    options = parser.parse_args()
    episodes = [*read_episodes(find_corpora() / "crd3", options.cache), *make_episodes()]
    wanted = options.only or BENCHMARKS
    crd3, default = (load_config(TranscriptsConfig, "transcripts", profile) for profile in ("crd3", "default"))
    settings: list[tuple[str, TranscriptsConfig, Sequence[str]]] = [
        ("crd3", crd3, BENCHMARKS),
        ("idf-weighted β", override(crd3, 'alignment.tokenizer="tweet" alignment.similarity="idf-overlap"'), BENCHMARKS),
        ("default", default, BENCHMARKS),
    ]
    for row in options.row:
        title, _, over = row.rpartition(": ")
        settings.append((title or over, override(default, over), BENCHMARKS))
    print(f"| | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for title, config, benchmarks in paper_settings(crd3) if options.ablation else settings:
        show(title, measure(episodes, config, [name for name in benchmarks if name in wanted]))


if __name__ == "__main__":
    main()
