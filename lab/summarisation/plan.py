"""What a benchmark runs: a config and split of a release, a length, systems with their settings; each run has a fingerprint."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from core.dataset.splits import SPLITS, Split
from core.dataset.units import UNIT_ID
from core.errors import ConfigError
from core.fingerprints import fingerprint
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder
from lab.summarisation.dialogue import Budget, fit_budget, list_spoken
from lab.summarisation.measures import VERSION as MEASURES_VERSION
from lab.summarisation.meteor import checksum_synonyms, find_synonym_files
from lab.summarisation.rows import ReleaseConfig, SplitRows, open_release
from lab.summarisation.systems import SYSTEMS, SystemEntry, find_system, make_settings

_ROLES = ("train", "pretrain")
_OTHER_UNITS = "by id, title and year"  # how units that are summarised are found in another dataset (`OtherUnits`)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemChoice:
    """A system that was asked for.

    Attributes:
        label: names it in the tables.
        system: the system.
        settings: what is over its defaults.
        train: what it learns from: DATASET or DATASET@VERSION, in the same store; None: the dataset that is benchmarked.
        pretrain: what it learns from before, likewise; None: nothing.
    """

    label: str
    system: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    train: str | None = None
    pretrain: str | None = None


def choose_systems(named: Mapping[str, Mapping[str, Any]]) -> list[SystemChoice]:
    """Return systems as they were asked for: settings by label.

    Three are no settings of the system: `system` names it where the label does not, `train` and `pretrain` name other datasets.
    """
    for label in named:
        if UNIT_ID.fullmatch(label) is None:
            raise ConfigError(f"label {label!r} of a system: expected letters, digits, dots, hyphens or underscores")
    return [
        SystemChoice(
            label=label,
            system=str(settings.get("system", label)),
            settings={name: value for name, value in settings.items() if name not in ("system", *_ROLES)},
            **{role: str(settings[role]) for role in _ROLES if settings.get(role)},
        )
        for label, settings in named.items()
    ]


def merge_systems(
    chosen: Sequence[str] | None, given: Mapping[str, Mapping[str, Any]], over: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the settings of each system by label.

    Args:
        chosen: labels; None: those of `given`, or those that run by default where nothing is given.
        given: settings of a file by label.
        over: settings over both.
    """
    for origin, tables in (("systems", given), ("--set", over)):
        for label, table in check_table(tables, origin).items():
            check_table(table, f"{origin} {label}")
    if chosen is not None and not chosen:
        raise ConfigError(f"--systems names no system; the systems are {', '.join(entry.name for entry in SYSTEMS)}")
    labels = list(given) or [entry.name for entry in SYSTEMS if entry.default] if chosen is None else list(chosen)
    if unknown := sorted(set(over) - set(labels)):
        raise ConfigError(f"--set {unknown[0]}: no system that runs has this label; they are {', '.join(labels)} (and budget)")
    return {label: {**given.get(label, {}), **over.get(label, {})} for label in labels}


def check_table(value: Any, origin: str) -> Mapping[str, Any]:
    """Return settings by name."""
    if not isinstance(value, Mapping):
        raise ConfigError(
            f"{origin}: found {value!r}; expected a table of settings (in TOML [systems.LABEL], with --set LABEL.NAME=VALUE)"
        )
    return value


def check_split(name: str) -> Split:
    """Return the split of a name."""
    for split in SPLITS:
        if split == name:
            return split
    raise ConfigError(f"split {name!r} is not known; the splits are {', '.join(SPLITS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkOptions:
    """Parameters of a benchmark; `lab.summarisation.flow.benchmark_datasets` says what each is."""

    store: str
    systems: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    split: Split = "test"
    version: str | None = None
    config: str | None = None
    limit: int | None = None
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    wordnet: str | None = None
    bert: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkCall(BenchmarkOptions):
    """A benchmark as it was asked for."""

    dataset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRun:
    """One system on one split, ready to run on any machine. `run` names its result, `training` what it learns.

    Runs that differ only in how a trained system summarises have one training.
    `train` is the release that it learns from, `pretrain` the one before. `synonyms` is the checksum of METEOR's WordNet.
    """

    release: ReleaseConfig
    train: ReleaseConfig
    pretrain: ReleaseConfig | None
    split: Split
    limit: int | None
    seed: int
    budget: Budget
    label: str
    system: str
    settings: Mapping[str, Any]
    wordnet: str | None
    synonyms: str
    bert_model: str | None
    run: str
    training: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkPlan:
    """The runs of a benchmark, and systems that cannot run here, or not on this split, with the reason."""

    release: ReleaseConfig
    runs: tuple[SystemRun, ...]
    left_out: Mapping[str, str]


def plan_benchmark(call: BenchmarkCall) -> BenchmarkPlan:
    """Return what a benchmark runs. Nothing is computed but the length of the summaries of the train split."""
    if call.seed < 0:
        raise ConfigError(f"seed {call.seed}: expected 0 or more")
    if call.limit is not None and call.limit < 1:
        raise ConfigError(f"limit {call.limit}: expected 1 or more")
    release = open_release(call.store, call.dataset, call.version, call.config)
    if not release.count_rows(call.split):
        others = ", ".join(f"{split} ({release.count_rows(split)})" for split in SPLITS if release.count_rows(split)) or "none"
        raise ConfigError(
            f"dataset {call.dataset}, config {release.config}: split {call.split} has no rows; splits with rows: {others}. "
            "Name one with --split"
        )
    without = ""  # or why no sentence vectors can be computed here
    try:
        SentenceEmbedder().check()
    except ConfigError as error:
        without = str(error)
    budget = fit_budget(call.budget, SplitRows(release, "train").read_summaries())
    runs, left_out = [], {}
    for choice in choose_systems(call.systems or {each.name: {} for each in SYSTEMS if each.default}):
        entry = find_system(choice.system)
        if entry.vectors and without:
            left_out[choice.label] = without
            continue
        run = _plan_run(call, release, budget, choice, entry, None if without or not call.bert else PACKAGED_MODEL)
        if entry.role == "trained" and call.split == "train" and run.train == release:
            left_out[choice.label] = (
                f"{entry.name} learns the rows of split train, so it is not measured on them; "
                "summarise another split, or name another dataset to learn from with its setting `train`"
            )
            continue
        runs.append(run)
    return BenchmarkPlan(release=release, runs=tuple(runs), left_out=left_out)


_WORDS_A_SECOND, _SENTENCES_A_SECOND, _LOOKED_AT = 2_600, 200, 100
"""What a processor measures for BERTScore and embeds (docs/benchmark.md), and the rows by whose length a cost is foreseen."""


def foresee_cost(plan: BenchmarkPlan, missing: Sequence[SystemRun]) -> str:
    """Return a line that says what a benchmark will do and about how long it will take of a processor; it reads a few rows."""
    if not plan.runs:
        return "no system can run here"
    release, first = plan.release, plan.runs[0]
    split, limit = first.split, first.limit
    rows = min(release.count_rows(split), limit or release.count_rows(split))
    known = f", {len(plan.runs) - len(missing)} of them from the store" if len(missing) < len(plan.runs) else ""
    told = f"{len(plan.runs)} systems over {rows:,} rows of {release.dataset} ({release.config}, {split}){known}"
    if not missing:
        return told
    looked = list(islice(SplitRows(release, split, limit, first.seed), _LOOKED_AT))
    sentences = sum(len(list_spoken(row, first.budget.unit)) for row in looked) / max(len(looked), 1)
    words = sum(len(row.summary.split()) for row in looked) / max(len(looked), 1)
    measured = sum(run.bert_model is not None for run in missing)
    vectors = sentences * rows / _SENTENCES_A_SECOND if any(find_system(run.system).vectors for run in missing) else 0.0
    bert = 2 * words * rows * measured / _WORDS_A_SECOND
    trained = "; trainings come on top" if any(find_system(run.system).role == "trained" for run in missing) else ""
    return (
        f"{told}: about {(vectors + bert) / 60:.0f} minutes of a processor, {vectors / 60:.0f} of them for sentence vectors that "
        f"the store lacks, {bert / 60:.0f} for BERTScore{trained}. --limit N draws rows, --no-bert leaves BERTScore out"
    )


def check_against(plan: BenchmarkPlan, against: str | None) -> None:
    """Refuse a label to compare with that no run of a plan has."""
    labels = [run.label for run in plan.runs]
    if against is not None and labels and against not in labels:
        why = (
            f"{against} is left out: {plan.left_out[against]}"
            if against in plan.left_out
            else "no system that runs has this label"
        )
        raise ConfigError(f"--against {against}: {why}; they are {', '.join(labels)}")


def _plan_run(
    call: BenchmarkCall,
    release: ReleaseConfig,
    budget: Budget,
    choice: SystemChoice,
    entry: SystemEntry,
    bert_model: str | None,
) -> SystemRun:
    settings = make_settings(entry, choice.settings)
    if choice.train is not None and entry.role != "trained":
        raise ConfigError(f"{choice.label}: the system {entry.name} learns nothing; leave out its setting `train`")
    implementation = entry.load()
    train, pretrain = _open_role(call, choice.train) or release, _open_role(call, choice.pretrain)
    if pretrain is not None and not entry.pretrains:
        raise ConfigError(f"{choice.label}: the system {entry.name} cannot be pre-trained; leave out its setting `pretrain`")
    learned = implementation.select_learned(settings, budget)
    of_training = {"system": entry.name, "learned": learned, "seed": call.seed, "config": train.config}
    versions = [
        train.version,
        implementation.identify(settings),
        *([pretrain.version, pretrain.config] if pretrain is not None else []),
    ]
    if train != release:  # units that are summarised are left out of what is learned
        versions += [release.version, release.config, call.split]
    if train != release or pretrain is not None:
        versions.append(_OTHER_UNITS)
    training = fingerprint("benchmark-training", entry.version, versions, of_training)
    synonyms = checksum_synonyms(find_synonym_files(call.wordnet))
    measured = [
        str(MEASURES_VERSION),
        synonyms,
        SentenceEmbedder(bert_model).checksum if bert_model else "",
    ]
    of_run = {"label": choice.label, "settings": settings, "budget": budget, "split": call.split, "limit": call.limit}
    run = fingerprint("benchmark", entry.version, [training, *measured], of_run)
    return SystemRun(
        release=release,
        train=train,
        pretrain=pretrain,
        split=call.split,
        limit=call.limit,
        seed=call.seed,
        budget=budget,
        label=choice.label,
        system=entry.name,
        settings=asdict(settings),
        wordnet=None if call.wordnet is None else str(call.wordnet),
        synonyms=synonyms,
        bert_model=bert_model,
        run=f"{choice.label}-{run[:16]}",
        training=training,
    )


def _open_role(call: BenchmarkCall, named: str | None) -> ReleaseConfig | None:
    """Return the release of DATASET or DATASET@VERSION."""
    if named is None:
        return None
    dataset, _, version = named.partition("@")
    return open_release(call.store, dataset, version or None)
