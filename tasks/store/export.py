"""Writes a release in another form: JSON Lines, a form that its pipeline has of its own, or its index.

An index has ids, offsets, settings and checksums, and no text of the source. Whoever has a copy of the source fills it from that
(`tasks.store.rehydrate`).
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

import pyarrow.parquet as pq
from pydantic import TypeAdapter

from core.dataset.report import Quality
from core.dataset.splits import Split
from core.dataset.units import SourceFile
from core.errors import ConfigError, DamagedObjectError, SourceError
from core.review.decisions import DECIDING
from core.review.judgements import MEASURED, is_model, write_judgements
from infra.settings import validate_config
from infra.sources.opening import OpenedSources, open_source
from infra.sources.records import INSIDE, find_owner
from infra.store.catalog import find_pipeline_of, read_catalog
from infra.store.manifests import MANIFEST, SUMS, Manifest, release_key
from infra.store.objects import Store, open_seal
from infra.store.releases import choose_release, find_latest
from infra.store.reviews import read_evaluations, read_reviews
from infra.store.takedown import read_takedown
from infra.tables.parquet import COMPRESSION_LEVEL, read_rows
from infra.tables.textless import read_without_text
from tasks.frame.model import INGESTION, PlanRequest
from tasks.frame.pipeline import Pipeline
from tasks.frame.plan import RunPlan, plan_run
from tasks.frame.publish import plan_landed
from tasks.frame.release import RELEASE_VERSION
from tasks.frame.release_spec import EXPORTS, Released
from tasks.pipelines import describe_versions, find_pipeline
from tasks.store.compare import find_run_of

JSONL = "jsonl"
INDEX_ONLY = "index"
INDEX = "index.json"
FORMAT = 1
_README = """# {dataset} {version}: an index without text

Ids, offsets, settings and checksums of a release that fabula made, without any text of its source. With a copy of the source,
fabula fills it, byte for byte:

    fabula rehydrate THIS-FOLDER --source COPY --store STORE

- `index.json`: the files of the source with their SHA-256, every setting, the split of every unit, the versions that made it.
- `tables/`: the release's tables without their text: ids, numbers of turns and sentences, scores, splits, reasons.
- `manifest.json`, `SHA256SUMS`: the files of the release, to which the filled one must be equal.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A release that was exported: its version, where the files are, and how many there are."""

    version: str
    url: str
    files: int


def find_writers(store: Store, dataset: str) -> dict[str, Callable[[Released], Iterator[tuple[str, bytes]]]]:
    """Return what writes a dataset's release in each form but the index."""
    name = find_pipeline_of(store, dataset)
    exports = find_pipeline(name).find(EXPORTS) if name else None
    return {JSONL: _write_jsonl, **(exports or {})}


def export_release(
    store: Store,
    dataset: str,
    form: str,
    target: Store,
    version: str | None = None,
    sources: Sequence[str] = (),
    resources: Mapping[str, str] | None = None,
) -> Export:
    """Write a release in another form into an empty folder.

    `form` is `jsonl`, `index`, or one of its pipeline's. An index is of the latest release only; it needs the `sources` of the
    release (none: those that the record of its run names) and the `resources` of its settings.
    """
    manifest = choose_release(store, dataset, version)
    writers = find_writers(store, dataset)
    if form not in (forms := (*writers, INDEX_ONLY)):
        raise ConfigError(f"dataset {dataset} has no form {form!r}; it can be exported as {', '.join(forms)}")
    if target.list_keys(""):
        raise ConfigError(f"{target.url} is not empty; name a new folder, so that no file of another export stays among these")
    released = Released(store=store, folder=release_key(dataset, manifest.version), manifest=manifest)
    files = 0
    if form == INDEX_ONLY:
        files = _write_index(released, dataset, target, tuple(sources), dict(resources or {}))
    else:
        for key, content in writers[form](released):
            target.write(key, content)
            files += 1
    return Export(version=manifest.version, url=target.url, files=files)


def _write_jsonl(released: Released) -> Iterator[tuple[str, bytes]]:
    """Yield a file of JSON Lines for each Parquet file of a release: its path and its bytes, a row a line."""
    for file in released.manifest.tables:
        rows = read_rows(released.store, f"{released.folder}/{file.path}")
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        yield file.path.removesuffix(".parquet") + ".jsonl", text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file of the source: its path, size and SHA-256, the units that it is of, and which of the sources has it (0: the first).

    `name` is its name there, where that is another than the path. A file that nobody can read has no SHA-256.
    """

    path: str
    size: int
    sha256: str
    units: tuple[str, ...] = ()
    source: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """What makes a release anew from a copy of its source.

    `settings` are all of them, `profile` names the tables that go with them. `takedown` are the ids that were kept out, with
    the reasons: the release counts them. `reviews` are the decisions that the release honours, without their names and
    notes, as lines of judgements; `evaluations` are the comparisons with gold that its card tells. `versions` are those of the
    packages and stages that made it.
    """

    dataset: str
    version: str
    pipeline: str
    profile: str
    settings: dict[str, Any]
    files: list[IndexedFile]
    splits: dict[str, Split]
    versions: dict[str, str]
    takedown: dict[str, str] = field(default_factory=dict)
    reviews: list[str] = field(default_factory=list)
    evaluations: dict[str, Quality] = field(default_factory=dict)
    sources: int = 1
    format: int = FORMAT


_INDEX = TypeAdapter(Index)


def _write_index(released: Released, dataset: str, target: Store, sources: tuple[str, ...], resources: dict[str, str]) -> int:
    """Write the index of a dataset's latest release; return the number of files."""
    store, manifest = released.store, released.manifest
    latest, name = find_latest(store, dataset), find_pipeline_of(store, dataset)
    if latest is not None and latest.version != manifest.version:
        raise ConfigError(
            f"an index is made of the latest release, {latest.version}, since the source stands for that one; run the pipeline "
            "on its source again first"
        )
    if name is None:
        raise ConfigError(f"store {store.url} does not say which pipeline makes {dataset}; make the index where it was made")
    pipeline = find_pipeline(name)
    call = _read_call(store, dataset, manifest.version)
    sources = sources or call["source"]
    if not sources:
        raise ConfigError(f"the run that made {dataset} {manifest.version} is not recorded; name its source with --source")
    profile = (call["profile"] or ("default",))[0]
    known = {each.name: call[each.name][0] for each in pipeline.resources if call.get(each.name)} | resources
    plan = _plan(store, dataset, pipeline, sources, profile, manifest, known)
    index = Index(
        dataset=dataset,
        version=manifest.version,
        pipeline=name,
        profile=profile,
        settings=dict(manifest.says["configuration"]),
        files=list(_list_files(plan, sources)),
        splits=manifest.splits,
        versions=describe_index_versions(),
        takedown={name: plan.withheld.takedown.reasons[name] for name in sorted(plan.withheld.used)},
        reviews=list(_list_reviews(store, dataset)),
        evaluations=read_evaluations(store, dataset),
        sources=len(sources),
    )
    for file in manifest.tables:
        with target.writing(f"tables/{file.path}") as stream:
            table = read_without_text(store, f"{released.folder}/{file.path}")
            pq.write_table(table, stream, compression="zstd", compression_level=COMPRESSION_LEVEL)
    for document in (MANIFEST, SUMS):
        target.write(document, store.read(f"{released.folder}/{document}"))
    target.write("README.md", _README.format(dataset=dataset, version=manifest.version).encode())
    target.write_json(INDEX, asdict(index))  # last: without it the folder is no index
    return len(manifest.tables) + 4


def read_index(store: Store) -> Index:
    """Return the index in a folder."""
    found = store.read_if_there(INDEX)
    if found is None:
        raise ConfigError(f"{store.url} has no {INDEX}; name a folder that `fabula export index` wrote")
    try:
        index = _INDEX.validate_json(open_seal(found[0]))
    except ValueError as error:
        raise DamagedObjectError(f"{store.url}/{INDEX} is not what was written; get the index again") from error
    if index.format != FORMAT:
        raise ConfigError(f"{store.url}/{INDEX} has format {index.format}, and this fabula reads {FORMAT}; install the other one")
    return index


def describe_index_versions() -> dict[str, str]:
    """Return the versions on which the bytes of a release depend."""
    return {**describe_versions(), "release": str(RELEASE_VERSION)}


def _plan(
    store: Store,
    dataset: str,
    pipeline: Pipeline,
    sources: Sequence[str],
    profile: str,
    manifest: Manifest,
    resources: Mapping[str, str],
) -> RunPlan:
    """Look at the sources as a run would, and plan its release; ConfigError where it would be another one."""
    ingestion = pipeline.load(INGESTION)
    config = validate_config(ingestion.config, manifest.says["configuration"], f"release {manifest.version}")
    catalog = read_catalog(store, dataset, pipeline.name)
    request = PlanRequest(
        sources=OpenedSources(tuple(sources)),
        store=store,
        config=config,
        profile=profile,
        resources=ingestion.find_resources(config, resources),
        takedown=read_takedown(store, pipeline.name),
    )
    plan = plan_run(pipeline, request, catalog)
    if plan.to_build or {*plan.reused, *plan.earlier} != {*manifest.splits}:
        new = sorted({*plan.to_build, *({*plan.reused} ^ {*manifest.splits})})
        raise ConfigError(
            f"{', '.join(sources)} is not what {dataset} {manifest.version} was made from: {', '.join(new[:20])} differ. Run the "
            "pipeline on it, and make the index of the new release"
        )
    ready = plan_landed(store, dataset, pipeline, config, plan, plan.earlier | plan.reused)
    if ready.release.version != manifest.version:
        raise ConfigError(
            f"{dataset} would come out as {ready.release.version} by now, not as {manifest.version}: reviews, the takedown "
            "list, comparisons with gold or fabula itself have changed since. Run the pipeline on its source again, and make the "
            "index of the new release"
        )
    return plan


def _list_files(plan: RunPlan, sources: Sequence[str]) -> Iterator[IndexedFile]:
    """Yield every file of the sources with its checksum; those of several sources under one path one after the other."""
    units: dict[str, list[str]] = {}
    for unit in plan.requests:
        for path in plan.list_paths(unit):
            units.setdefault(path, []).append(unit)
    places = {find_owner(open_source(url).url): number for number, url in enumerate(sources)}
    for listed in plan.found.listing:
        for file in (listed, *listed.copies):
            named = tuple(units.get(listed.path, ()))
            owner = find_owner(file.source)
            number = places[owner if owner in places else owner.partition(INSIDE)[0]]
            yield IndexedFile(listed.path, file.size, _checksum(file), named, number, file.name)


def _checksum(file: SourceFile) -> str:
    try:
        return open_source(file.source).checksum(file)
    except SourceError:
        return ""  # what cannot be read takes no part


def _list_reviews(store: Store, dataset: str) -> Iterator[str]:
    """Yield the judgements that decide what becomes of rows, and how far models are believed; annotators are only counted."""
    names: dict[str, str] = {}
    for judgement in read_reviews(store, dataset).judgements:
        if judgement.question in (*DECIDING, MEASURED):
            name = judgement.annotator if is_model(judgement.annotator) else f"reader-{len(names) + 1}"
            annotator = names.setdefault(judgement.annotator, name)
            yield write_judgements([replace(judgement, annotator=annotator, note="")]).decode()


def _read_call(store: Store, dataset: str, version: str) -> dict[str, tuple[str, ...]]:
    """Return the options of the run that made a release, by name; those that its record does not have are empty."""
    options: dict[str, tuple[str, ...]] = {"source": (), "profile": ()}
    _, record = find_run_of(store, dataset, version) or ("", {})
    for option, value in pairwise(shlex.split(str(record.get("resume") or ""))):
        if option.startswith("--"):
            name = option.removeprefix("--")
            options[name] = (*options.get(name, ()), value)
    return options
