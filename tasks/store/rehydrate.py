"""Fills the index of a release from one's own copy of the source: looks for its files, and compares what a run made of them."""

import logging
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pyarrow.parquet as pq

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError
from core.review.judgements import read_judgements
from infra.sources.opening import list_sources, open_source
from infra.store.history import History, write_history
from infra.store.manifests import list_manifests, read_release, read_sums, release_key
from infra.store.objects import Store
from infra.store.reviews import add_judgements, write_evaluation
from infra.store.takedown import add_takedown, read_takedown
from infra.tables.textless import find_differing_units, read_without_text
from tasks.store.export import Index, IndexedFile, describe_index_versions

logger = logging.getLogger(__name__)

_BLOCK = 2**20
_MOST_NAMED = 50
_BINDING = ("stages", "release", "pyarrow")
"""Versions on which the bytes of a release depend for certain; another Python or numpy may well give the same ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A release that was filled from its index: where it is, its version, and how many files were compared."""

    url: str
    version: str
    files: int


def check_versions(index: Index) -> list[str]:
    """Return what differs here from the machine that made the index, and may matter."""
    here = describe_index_versions()
    own = f"{index.pipeline}."

    def tell(versions: Mapping[str, str], name: str) -> str:
        told = versions.get(name, "none")
        return " ".join(each for each in told.split() if each.startswith(own)) if name == "stages" else told

    told = {name: (tell(index.versions, name), tell(here, name)) for name in index.versions}
    differing = {name: f"{name}: {old} there, {new} here" for name, (old, new) in told.items() if old != new}
    if binding := [told for name, told in differing.items() if name in _BINDING]:
        raise ConfigError(
            f"the index of {index.dataset} {index.version} was made by other versions, so its bytes cannot come out the same: "
            f"{'; '.join(binding)}. Install the ones of the index"
        )
    return [*differing.values()]


def stage_copy(index: Index, sources: Sequence[str], folder: Store) -> list[str]:
    """Copy the files that an index names from one's own sources into a folder; return the folders to run on, a source each.

    Files that the index does not name are left where they are: units that came later are no part of the release. Where something
    is taken down, a source may lack its text by now: an empty file stands for a file that is of no unit of the release.

    Raises:
        SourceError: files are missing or differ; the message names each with its units, and nothing else is done.
    """
    found: dict[str, list[SourceFile]] = {}
    for url in sources:
        for file in [*open_source(url).list_files(), *list_sources([url], records=index.pipeline)]:
            found.setdefault(file.name or file.path, []).append(file)
    faults = []
    for wanted in index.files:
        fault = _stage(wanted, [*found.get(wanted.path, []), *found.get(wanted.name, [])], folder)
        if fault and index.takedown and not wanted.units:
            logger.warning("%s: %s; it is taken for a file of what is taken down, and left empty", wanted.path, fault)
            folder.write(_place(wanted), b"")
        elif fault:
            whose = f"{', '.join(wanted.units)}: " if wanted.units else ""
            faults.append(f"{whose}{wanted.path}: {fault}")
    if faults:
        more = f"\nand {len(faults) - _MOST_NAMED} more" if len(faults) > _MOST_NAMED else ""
        shown = "\n".join(faults[:_MOST_NAMED])
        raise SourceError(
            f"{len(faults)} of {len(index.files)} files of {', '.join(sources)} are not those that {index.dataset} "
            f"{index.version} was made from; get the same edition of the source:\n{shown}{more}"
        )
    return [folder.locate(f"source-{number}") for number in range(index.sources)]


def _stage(wanted: IndexedFile, candidates: Sequence[SourceFile], folder: Store) -> str:
    """Copy the candidate that has the right checksum; return what is wrong where none has, "" where one was copied."""
    if not wanted.sha256:
        return ""
    seen = ""
    for file in candidates:
        seen = open_source(file.source).checksum(file)
        if seen == wanted.sha256:
            with open_source(file.source).open(file) as stream, folder.writing(_place(wanted)) as copy:
                shutil.copyfileobj(stream, copy, _BLOCK)
            return ""
    if not candidates:
        return "missing"
    return f"SHA-256 is {seen[:16] or 'unknown, it cannot be read'}, expected {wanted.sha256[:16]} ({wanted.size:,} bytes)"


def _place(wanted: IndexedFile) -> str:
    return f"source-{wanted.source}/{wanted.path}"


def hold_facts(index: Index, store: Store) -> None:
    """Write into a store what the run must find there: the units' splits, the ids that stay out, what readers have decided."""
    others = read_takedown(store, index.pipeline).reasons.items() - index.takedown.items()
    if list_manifests(store, index.dataset) or others:
        raise ConfigError(
            f"store {store.url} has the dataset {index.dataset} or a takedown list of {index.pipeline} of its own; name a new "
            "store for the filled release (and `fabula publish` it from there)"
        )
    write_history(store, index.dataset, History(splits=dict(index.splits), releases={}))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    for name, reason in index.takedown.items():
        add_takedown(store, index.pipeline, [name], reason, now)
    for kind, quality in index.evaluations.items():
        write_evaluation(store, index.dataset, kind, quality)
    add_judgements(store, read_judgements(line.encode() for line in index.reviews).judgements)


def compare_filled(index: Index, folder: Store, store: Store, version: str) -> Filled:
    """Compare a release that was made from a copy with its index, every file by its SHA-256.

    Raises:
        SourceError: it is another one; the message names the files, and the units whose rows differ.
    """
    made = read_release(store, index.dataset, version)
    expected = read_sums(folder, "")
    found = {file.path: file.sha256 for file in made.files} if made is not None else {}
    wanted = {path: sha256 for path, sha256 in expected.items() if path != "manifest.json"}
    if version == index.version and found == wanted:
        for file in made.files if made is not None else ():
            if store.hash(f"{release_key(index.dataset, version)}/{file.path}")[0] != file.sha256:
                raise SourceError(f"{file.path} was damaged while it was written; try again")
        return Filled(url=store.locate(release_key(index.dataset, version)), version=version, files=len(wanted))
    differing = sorted(path for path in {*found, *wanted} if found.get(path) != wanted.get(path))
    units = _find_units(index, folder, store, version, differing)
    told = f"; the rows of these units differ: {', '.join(units[:_MOST_NAMED])}" if units else ""
    raise SourceError(
        f"the copy has the files of every unit, and the release made of it is {version}, expected {index.version}. "
        f"{len(differing)} of {len(wanted)} files differ ({', '.join(differing[:5])}){told}. Another processor may round "
        "scores in another way; a setting's resource or model may be another one. What was made stays in "
        f"{store.locate(release_key(index.dataset, version))}"
    )


def _find_units(index: Index, folder: Store, store: Store, version: str, paths: Sequence[str]) -> list[str]:
    units: dict[str, None] = {}
    for path in paths:
        key, mine = f"tables/{path}", f"{release_key(index.dataset, version)}/{path}"
        if path.endswith(".parquet") and folder.exists(key) and store.exists(mine):
            with folder.reading(key) as stream:
                table = pq.read_table(stream)
            units |= dict.fromkeys(find_differing_units(table, read_without_text(store, mine)))
    return list(units)
