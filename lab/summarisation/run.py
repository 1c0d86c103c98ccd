"""Runs one system over one split: prepare, summarise, measure, store. What is stored already is not computed again."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import islice
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.dataset.splits import Split
from core.errors import ConfigError
from core.metrics.bert_score import TokenVectors, count_holders, weigh_tokens
from core.metrics.dataset_measures import BertScorer
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder, StoredEmbedder
from infra.models.token_embeddings import WordPieceEmbedder
from infra.store.objects import Store
from lab.summarisation.board.bootstrap import RESAMPLES, SEED, Resampling, resample
from lab.summarisation.dialogue import Candidate, SummarisedDialogue, list_spoken
from lab.summarisation.measures import MEASURES, OF_REFERENCE, Measurer, describe_measures, list_name_parts
from lab.summarisation.measures import VERSION as MEASURES_VERSION
from lab.summarisation.meteor import checksum_synonyms, find_synonym_files, read_synonyms
from lab.summarisation.plan import SystemRun
from lab.summarisation.results import (
    Scores,
    encode_scores,
    encode_summaries,
    folder_key,
    read_result,
    scores_key,
    summaries_key,
    write_result,
)
from lab.summarisation.rows import OtherUnits, SplitRows
from lab.summarisation.system import PretrainedSystem, ReportingSystem, System, Workbench
from lab.summarisation.systems import find_system, make_settings
from lab.training.checkpoints import StoredFiles

BATCH = 64
"""Dialogues that a system is given at once."""
FORMAT = 1
_VECTORS = "benchmark"  # artifacts/benchmark/vectors/<unit>: a cache, which `fabula prune` may remove
_UNITS_HELD = 4
_REFERENCES: dict[str, TokenVectors] = {}
"""Vectors of the references for BERTScore: the systems of a benchmark have the same ones. There is one model a process."""
_LEARNED: tuple[Split, Split] = ("train", "validation")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReference:
    """What a worker answers: the run, and whether it was there already."""

    run: str
    label: str
    reused: bool


def is_stored(run: SystemRun) -> bool:
    """Tell whether the result of a run is in the store."""
    return read_result(Store(run.release.store), run.release.dataset, run.release.version, run.run) is not None


def list_units(run: SystemRun) -> list[str]:
    """Return the units of the rows that a run summarises."""
    rows = SplitRows(run.release, run.split, run.limit, run.seed)
    return list(dict.fromkeys(dialogue.unit for dialogue in rows))


def embed_unit(request: tuple[SystemRun, str]) -> int:
    """Embed what is said in one unit of a run's rows, so that it is in the store; return how many texts were new."""
    run, wanted = request
    rows = (row for row in SplitRows(run.release, run.split, run.limit, run.seed) if row.unit == wanted)
    texts = dict.fromkeys(unit.text for row in rows for unit in list_spoken(row, run.budget.unit))
    embedder = StoredEmbedder(Store(run.release.store), _VECTORS, wanted, _open_model())
    embedder(list(texts))
    return embedder.computed


def find_shared(runs: Sequence[SystemRun]) -> dict[str, SystemRun]:
    """Return a run for each training that several of these runs share, by the label of the run."""
    of_training: dict[str, list[SystemRun]] = {}
    for run in runs:
        if find_system(run.system).role == "trained":
            of_training.setdefault(run.training, []).append(run)
    return {same[0].label: same[0] for same in of_training.values() if len(same) > 1}


def train_system(run: SystemRun) -> str:
    """Let the system of a run learn, so that what it learns is in the store; return the fingerprint of the training."""
    store = Store(run.release.store)
    _prepare(_make_system(run, store, []), run)
    return run.training


def run_system(run: SystemRun) -> RunReference:
    """Run a system unless its result is stored."""
    store, release = Store(run.release.store), run.release
    if is_stored(run):
        return RunReference(run=run.run, label=run.label, reused=True)
    files = find_synonym_files(run.wordnet)
    if (here := checksum_synonyms(files)) != run.synonyms:
        raise ConfigError(
            f"this worker has another WordNet than the call: found {here[:12] or 'none'} ({', '.join(map(str, files))}), "
            f"expected {run.synonyms[:12] or 'none'}; install the same one on every machine, or name its folder with --wordnet"
        )
    curves: list[dict[str, float]] = []
    system = _make_system(run, store, curves)
    started = monotonic()
    facts = _prepare(system, run)
    prepared = monotonic()
    rows = SplitRows(release, run.split, run.limit, run.seed)
    candidates = [pair for batch in _batches(rows) for pair in zip(batch, system.summarise(batch), strict=True)]
    summarised = monotonic()
    if isinstance(system, ReportingSystem):
        facts |= system.report()
    measurer = make_measurer(run, [row for row, _ in candidates])
    measured = [measurer.measure(row, candidate) for row, candidate in candidates]
    of_references = [measurer.measure_support(row, row.sentences) for row, _ in candidates]
    ids, units = [row.id for row, _ in candidates], [row.unit for row, _ in candidates]
    scores = Scores(ids, units, collect_columns(measured, MEASURES))
    store.write(scores_key(release.dataset, release.version, run.run), encode_scores(scores))
    store.write(summaries_key(release.dataset, release.version, run.run), encode_summaries(list(map(_as_row, candidates))))
    draws = resample(units)
    figures = {
        **_describe(run, draws, len(ids), len(set(units))),
        "prepared": facts,
        "curves": curves,
        "measures": estimate(draws, scores.columns),
        "reference": estimate(draws, collect_columns(of_references, OF_REFERENCE)),
        "seconds": {
            "prepare": prepared - started,
            "summarise": summarised - prepared,
            "measure": monotonic() - summarised,
        },
    }
    write_result(store, release.dataset, release.version, run.run, figures)
    return RunReference(run=run.run, label=run.label, reused=False)


def _prepare(system: System, run: SystemRun) -> dict[str, Any]:
    """Let a system learn what it is to learn, from other units than those that it summarises; return facts for the result."""
    told: dict[str, Any] = {}
    units: frozenset[str] = frozenset()
    works: frozenset[str] = frozenset()
    if run.pretrain is not None or run.train != run.release:
        summarised = [(row.unit, row.work) for row in SplitRows(run.release, run.split)]
        units, works = (frozenset(names) for names in zip(*summarised, strict=True))
    if run.pretrain is not None and isinstance(system, PretrainedSystem):
        train, validation = (OtherUnits(SplitRows(run.pretrain, split), units, works) for split in _LEARNED)
        told["pretrained"] = {"on": f"{run.pretrain.dataset}@{run.pretrain.version}", **system.pretrain(train, validation)}
    if run.train == run.release:
        return {**told, **system.prepare(*(SplitRows(run.release, split) for split in _LEARNED))}
    train, validation = (OtherUnits(SplitRows(run.train, split), units, works) for split in _LEARNED)
    return {**told, "trained_on": f"{run.train.dataset}@{run.train.version}", **system.prepare(train, validation)}


def make_measurer(run: SystemRun, rows: Sequence[SummarisedDialogue]) -> Measurer:
    """Return what measures summaries of these rows, whose speakers and references it knows (BERTScore's idf)."""
    files = find_synonym_files(run.wordnet)
    bert = None
    if run.bert_model is not None:
        embed = _open_token_model(run.bert_model)
        bert = BertScorer(embed, weigh_tokens(count_holders(embed.tokens([row.summary for row in rows]))))
    speakers = {speaker for row in rows for speaker in row.speakers}
    return Measurer(list_name_parts(speakers), read_synonyms(files), bert, _REFERENCES)


def collect_columns(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Return the measures of rows as columns (n_rows; NaN: not defined)."""
    return {name: np.array([row.get(name, np.nan) for row in rows], np.float64) for name in names}


def estimate(draws: Resampling, columns: Mapping[str, NDArray[np.float64]]) -> dict[str, dict[str, float] | None]:
    """Return the mean of each column with its interval, as JSON values; None where no row defines it."""
    found = {name: draws.estimate(column) for name, column in columns.items()}
    return {name: None if interval is None else asdict(interval) for name, interval in found.items()}


def _make_system(run: SystemRun, store: Store, curves: list[dict[str, float]]) -> System:
    entry = find_system(run.system)

    @lru_cache(maxsize=_UNITS_HELD)
    def open_unit(unit: str) -> StoredEmbedder:
        return StoredEmbedder(store, _VECTORS, unit, _open_model())

    def embed(unit: str, texts: Sequence[str]) -> NDArray[np.float32]:
        return open_unit(unit)(texts)

    def tell(step: int, told: Mapping[str, float]) -> None:
        curves.append({"step": step, **told})

    bench = Workbench(
        budget=run.budget,
        embed=embed,
        checkpoints=StoredFiles(store, f"{folder_key(run.release.dataset, run.release.version)}/checkpoints/{run.training[:16]}"),
        tell=tell,
        seed=run.seed,
    )
    return entry.load().make(make_settings(entry, run.settings), bench)


def _describe(run: SystemRun, draws: Resampling, rows: int, units: int) -> dict[str, Any]:
    entry = find_system(run.system)
    names = [path.name for path in find_synonym_files(run.wordnet)]
    return {
        "format": FORMAT,
        "run": run.run,
        "label": run.label,
        "system": run.system,
        "system_version": entry.version,
        "measures_version": MEASURES_VERSION,
        "role": entry.role,
        "summary": entry.summary,
        "settings": dict(run.settings),
        "dataset": run.release.dataset,
        "version": run.release.version,
        "train": f"{run.train.dataset}@{run.train.version}",
        "pretrain": None if run.pretrain is None else f"{run.pretrain.dataset}@{run.pretrain.version}",
        "config": run.release.config,
        "unit_columns": sorted(run.release.unit_columns),
        "split": run.split,
        "limit": run.limit,
        "seed": run.seed,
        "rows": rows,
        "units": units,
        "budget": asdict(run.budget),
        "variants": dict(describe_measures(names, run.bert_model)),
        "synonyms": run.synonyms,
        "bootstrap": {"resamples": RESAMPLES, "seed": SEED, "drawn": draws.drawn, "level": 0.95},
    }


def _as_row(pair: tuple[SummarisedDialogue, Candidate]) -> dict[str, object]:
    row, candidate = pair
    return {
        "id": row.id,
        "unit": row.unit,
        "reference": row.summary,
        "summary": candidate.text,
        "sentences": list(candidate.sentences),
        "turns": list(candidate.turns),
    }


def _batches(rows: Iterable[SummarisedDialogue]) -> Iterator[list[SummarisedDialogue]]:
    pending = iter(rows)
    while batch := list(islice(pending, BATCH)):
        yield batch


@lru_cache(maxsize=1)
def _open_model() -> SentenceEmbedder:
    return SentenceEmbedder(PACKAGED_MODEL)


@lru_cache(maxsize=1)
def _open_token_model(name: str) -> WordPieceEmbedder:
    return WordPieceEmbedder(name)
