"""Makes the tables and figures of a paper of what a store and the paper's own data hold, by the program's own measures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from core.scripts.config import TUNED_ON
from flows.cli.reproduce import recompute_alignments
from flows.frame.measures import Compute, measure_dataset
from flows.frame.observer import current_observer
from infra.settings import load_config, validate_config
from infra.store.catalog import find_pipeline_of, list_cataloged, read_catalog
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import choose_release, find_latest
from infra.tables.codecs import decode_table
from lab.papers import forums
from lab.papers.figures import draw_matrix
from lab.papers.tables import (
    NONE,
    PaperTable,
    list_published,
    make_table,
    show,
    tabulate_crd3,
    tabulate_rooms,
    tabulate_sumtitles,
)
from lab.readings.published import read_published
from lab.summarisation.board.compare import compare_runs
from lab.summarisation.board.tables import tabulate_briefly, tabulate_others
from lab.summarisation.results import folder_key, summaries_key
from tasks.frame.model import INGESTION
from tasks.frame.release_spec import DRAW, EXPLORE
from tasks.frame.taken_down import refuse_taken_down
from tasks.pipelines import find_pipeline
from tasks.review.quality import describe_reviews
from tasks.store.inspect import read_last_runs
from tasks.store.measures import list_pair_configs


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCall:
    """What a paper's tables are made of: a store, or one dataset of it, and a folder with the paper's own data (None: none)."""

    store: Store
    dataset: str | None
    corpus: Path | None
    wordnet: str | None
    bert_model: str | None
    limit: int | None
    compute: Compute
    with_taken_down: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """The tables, the figures as files by name, and what could not be made of what was given.

    `sources` are the releases that they are made of, `shown` the parts of the paper that the figures show.
    """

    tables: list[PaperTable] = field(default_factory=list)
    figures: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)

    def add(self, make: Callable[[], Sequence[PaperTable]]) -> None:
        """Add tables; where something that they need is not there, what that is."""
        try:
            self.tables.extend(make())
        except ConfigError as error:
            self.missing.append(str(error))


def make_paper(paper: str, call: PaperCall) -> Made:
    """Return the tables and figures of `crd3`, `sumtitles`, `forums` or `rooms`."""
    current_observer().start("tables", 0)
    made = Made()
    _MAKERS[paper](call, made)
    return made


def _make_crd3(call: PaperCall, made: Made) -> None:
    if names := _choose(call, made, ("transcripts",), "crd3"):
        dataset = names[0]
        made.tables.extend(tabulate_crd3(*_read_statistics(call.store, dataset)))
        made.figures.update(_draw_episode(call.store, dataset, made))
        made.tables.append(_tabulate_study(call.store, dataset))
        made.add(lambda: _tabulate_boards(call.store, dataset))
        made.add(lambda: [_show_generated(call.store, dataset)])
        if gold := _find(call, made, "gold", "gold/EPISODE.json, spans that people read, for appendix A.1"):
            made.add(lambda: [_tabulate_gold(call, dataset, gold)])
    if root := _find(call, made, "aligned data", "`cleaned data` and `aligned data` of CRD3's repository, for section 4.1"):
        made.add(lambda: [_tabulate_reproduction(recompute_alignments(root.parent, call.wordnet, call.compute))])


def _read_statistics(store: Store, dataset: str) -> tuple[dict[str, Any], list[str]]:
    """Return what `stats.json` of a dataset's latest release says, and its units."""
    manifest = choose_release(store, dataset)
    statistics: dict[str, Any] = store.read_json(f"{release_key(dataset, manifest.version)}/stats.json")
    return statistics, list(manifest.splits)


def _make_sumtitles(call: PaperCall, made: Made) -> None:
    datasets = _choose(call, made, ("scripts", "subtitles"), "sumtitles", several=True)
    measured = {
        f"{dataset}: {config}": measure_dataset(call.store, dataset, config, call.bert_model, call.limit, call.compute)
        for dataset in datasets
        for config in list_pair_configs(call.store, dataset)
    }
    if measured:
        differs = "" if call.limit is None else f"At most {call.limit} pairs of each config."
        made.tables.extend(tabulate_sumtitles(measured, differs))
    scripts = [each for each in datasets if find_pipeline_of(call.store, each) == "scripts"]
    if scripts:
        made.add(lambda: _tabulate_boards(call.store, scripts[0]))
        if gold := _find(call, made, "", "*.jsonl, gold links of sentences and scenes, for section 4.1"):
            made.add(lambda: [_tabulate_links(call, scripts[0], str(gold))])


def _make_forums(call: PaperCall, made: Made) -> None:
    names = _choose(call, made, ("threads",), "final", several=True)
    profiles = read_last_runs(call.store, names)
    datasets = []
    for name in names:
        scorer = choose_release(call.store, name).says["configuration"].get("scorer", {})
        told = scorer.get("model") or scorer.get("kind") or NONE
        datasets.append(forums.ForumDataset(name, str(profiles.get(name, {}).get("profile") or NONE), told))
    sizes = {name: _read_statistics(call.store, name)[0]["figures"]["utterances"] for name in names}
    own = [(f"{name} (this store)", f"{size:,}") for name, size in sizes.items()]
    made.tables.append(make_table("forums-2.2", [*own, *list_published("forums-2.2")]))
    made.tables.extend(forums.tabulate_scores(call.store, datasets))
    groups, answers = forums.group_comparisons(call.store, datasets)
    made.tables.extend(forums.tabulate_comparisons(groups, answers))
    made.figures.update(forums.draw_comparisons(groups))
    if answers:
        made.shown.add("figures 4.1 to 4.6, bars")
    else:
        made.missing.append("figures 4.1 to 4.6: nobody has compared dialogues yet (`fabula review DATASET --task compare`)")


def _make_rooms(call: PaperCall, made: Made) -> None:
    for dataset in _choose(call, made, ("rooms",), "grow2022"):
        made.tables.append(tabulate_rooms(_read_statistics(call.store, dataset)[0]))
    if labels := _find(call, made, "", "*.jsonl, sentences with labels, for the quality of the score"):
        made.add(lambda: [_tabulate_ranking(str(labels))])


_MAKERS: Mapping[str, Callable[[PaperCall, Made], None]] = {
    "crd3": _make_crd3,
    "sumtitles": _make_sumtitles,
    "forums": _make_forums,
    "rooms": _make_rooms,
}


def _choose(call: PaperCall, made: Made, pipelines: Sequence[str], profile: str, several: bool = False) -> list[str]:
    """Return the released dataset of some pipelines that has the paper's profile, or is the first; `several`: all of them.

    The call may name one.
    """
    store = call.store
    names = [call.dataset] if call.dataset else list_cataloged(store)
    found = [name for name in names if find_pipeline_of(store, name) in pipelines and find_latest(store, name) is not None]
    if call.dataset and not found:
        raise ConfigError(f"store {store.url} has no release of {call.dataset} by {' or '.join(pipelines)}")
    if not found:
        run = f"`fabula run {pipelines[0]} --profile {profile} --source SOURCE --store {store.url}`"
        made.missing.append(f"a dataset of {' or '.join(pipelines)} in store {store.url}: {run}")
    for name in found:
        refuse_taken_down(store, name, None, call.with_taken_down)
    profiles = {name: run["profile"] for name, run in read_last_runs(store, found).items()}
    found.sort(key=lambda name: (profiles.get(name) != profile, name))
    chosen = found if several else found[:1]
    versions = {name: choose_release(store, name).version for name in chosen}
    made.sources.extend(f"{name} {version} (profile {profiles.get(name, NONE)})" for name, version in versions.items())
    return chosen


def _find(call: PaperCall, made: Made, folder: str, what: str) -> Path | None:
    """Return a folder of the paper's own data; where it is not there, say what it would hold."""
    if call.corpus is not None and (found := call.corpus / folder).is_dir():
        return found
    made.missing.append(f"--corpus DIR with {what}")
    return None


def _draw_episode(store: Store, dataset: str, made: Made) -> dict[str, str]:
    """Return figures 3 and 4 of CRD3 for the first episode of a dataset, as its report draws them."""
    pipeline, manifest = find_pipeline("transcripts"), choose_release(store, dataset)
    unit = min(manifest.splits)
    reference = read_catalog(store, dataset)[unit].reference
    if reference is None:
        return {}
    drawn = {f"figure-3-{unit}.svg": each.svg for each in pipeline.load(DRAW)(store, reference) if each.name == "alignment"}
    kind = pipeline.load(INGESTION).config
    config = validate_config(kind, manifest.says["configuration"], f"release {manifest.version}")
    made.shown.update(["figure 3, midpoints by chunk"] if drawn else ())
    try:
        for heat in pipeline.load(EXPLORE)(store, reference, unit, config):
            drawn[f"figure-4-{unit}.svg"] = draw_matrix(f"{unit}: {heat['title'].lower()} with the spans", heat)
            made.shown.add("figure 4, matrix with the path")
    except ConfigError as error:
        made.missing.append(f"figure 4: {error}")
    return drawn


def _tabulate_study(store: Store, dataset: str) -> PaperTable:
    """Return table 4 of CRD3: how often people answered questions about summaries rightly."""
    found = {row["kind"]: row for row in describe_reviews(store, dataset)["study"]}
    nothing = {"correct": 0, "wrong": 0, "precision": None}
    ours = {kind: found.get(kind, nothing) for kind in read_published("crd3-4")}
    rows = [
        (kind, str(row["correct"]), str(row["wrong"]), show(row["precision"], ".0%"), *read_published("crd3-4")[kind])
        for kind, row in ours.items()
    ]
    return make_table("crd3-4", rows)


def _tabulate_boards(store: Store, dataset: str) -> list[PaperTable]:
    """Return what `fabula benchmark` has measured of a dataset beside the published rows: CRD3's table 5, SumTitles' 3 and 4."""
    tables = [table for board in compare_runs(store, dataset) for table in (tabulate_briefly(board), tabulate_others(board))]
    note = "docs/summarisers.md has the settings files of the neural rows."
    return [PaperTable(title=table.caption, heads=table.headings, rows=table.rows, note=note) for table in tables]


def _show_generated(store: Store, dataset: str) -> PaperTable:
    """Return figure 6 of CRD3: the first summary that the combined system has generated, beside what people wrote."""
    version = choose_release(store, dataset).version
    stem, ending = summaries_key(dataset, version, "crd3-combined-*").split("*")
    keys = [key for key in store.list_keys(folder_key(dataset, version)) if key.startswith(stem) and key.endswith(ending)]
    if not keys:
        raise ConfigError(f"figure 6: `fabula benchmark {dataset} --systems crd3-combined` writes such summaries")
    row = decode_table(store.read(keys[-1])).slice(0, 1).to_pylist()[0]
    return make_table("crd3-6", [("reference", row["reference"]), ("generated", row["summary"])], f"The pair {row['id']}.")


def _tabulate_gold(call: PaperCall, dataset: str, gold: Path) -> PaperTable:
    """Return precision and recall in turns of the pairs that the filter keeps, of the dataset and of the profile crd3."""
    from core.transcripts.config import TranscriptsConfig
    from tasks.transcripts.evaluation import evaluate_transcripts

    kept = load_config(TranscriptsConfig, "transcripts", "crd3").filter
    figures = evaluate_transcripts(call.store, str(gold), kept, call.wordnet, dataset).figures
    rows = []
    for name, published in read_published("crd3-A.1").items():
        for who, found in (("this release", figures["store"]), ("profile crd3", figures["crd3"])):
            if found and found["kept"]:
                rate = found["kept"]["pooled"][name]
                interval = f"{rate['low']:.2f} to {rate['high']:.2f}"
                rows.append((f"{name}, {who}", f"{rate['value']:.2f}", interval, str(found["kept_chunks"]), *published))
    return make_table("crd3-A.1", rows, f"{len(figures['episodes'])} episodes.")


def _tabulate_reproduction(found: Mapping[str, Any]) -> PaperTable:
    """Return how far the published alignments come out again, with the pairs of table 3 and the players of table 2."""
    n, pairs, players = f"{found['pairs']:,}", read_published("crd3-3"), read_published("crd3-2")
    rows: list[tuple[str, ...]] = [
        ("identical spans", f"{found['identical']:.2%}", n, NONE),
        ("identical scores", f"{found['identical_scores']:.2%}", n, NONE),
        ("mean intersection over union", f"{found['mean_iou']:.4f}", n, NONE),
    ]
    for size, each in found["by_chunk_size"].items():
        both = f"{each['pairs']:,}, {each['kept']:,}"
        rows.append((f"pairs of {size}, without and with the filter", both, NONE, ", ".join(pairs[size])))
    for name, each in found["contributions"].items():
        rows.append((f"contribution of {name}", f"{each['mean']:.4f}", f"{each['turns']:,}", *players.get(name, (NONE,))))
    return make_table("crd3-4.1", rows, f"{found['episodes']} episodes.")


def _tabulate_links(call: PaperCall, dataset: str, gold: str) -> PaperTable:
    """Return the measures of section 4.1 of SumTitles, of the dataset and of the profile sumtitles."""
    from tasks.scripts.evaluation import evaluate_scripts

    figures = evaluate_scripts(call.store, gold, TUNED_ON, dataset).figures
    rows = [
        (f"{name}, {who}", show(found["all"][key], ".3f"), str(found["all"]["stories"]), *published)
        for key, (name, published) in zip(("accuracy", "iou", "recall"), read_published("sumtitles-4.1").items(), strict=True)
        for who, found in (("this release", figures["store"]), ("profile sumtitles", figures["sumtitles"]))
        if found
    ]
    return make_table("sumtitles-4.1", rows)


def _tabulate_ranking(labels: str) -> PaperTable:
    """Return how well the score of the profile grow2022 and a trained ranker order labelled sentences."""
    from core.rooms.config import RoomsConfig
    from tasks.rooms.evaluation import evaluate_rooms

    found = evaluate_rooms(labels, load_config(RoomsConfig, "rooms", "grow2022"))
    rows = []
    for name in ("score", "vectors", "ranker"):
        each = found[name]
        figures = (f"{each['average_precision']:.3f}", f"{each['low']:.3f} to {each['high']:.3f}", f"{found['sentences']:,}")
        rows.append((f"average precision, {name}", *figures))
    return make_table("rooms-ranking", rows)
