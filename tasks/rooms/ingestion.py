"""How the pipeline `rooms` makes units of its sources: files as documents, and the records of its JSON Lines files in shards."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

from core.dataset.units import UNIT_ID, RefusedFile, SourceFile
from core.errors import ConfigError, SourceError
from core.rooms.config import RoomsConfig
from core.rooms.sentences import (
    DOCUMENT_TYPES,
    RIGHTS_FILE,
    DocumentSpec,
    FileRights,
    Rights,
    RoomSources,
    find_rights,
    is_contribution,
    name_record,
    parse_rights,
)
from core.text.decoding import decode_text
from tasks.frame.asking import await_answers
from tasks.frame.model import Discovery, Ingestion, PlanRequest, Resources, Sources, Unit
from tasks.frame.records import RecordFiles, is_record_file, shard_records
from tasks.frame.shards import SHARD_STAGES

_TABLE_BYTES = 2**20
_DIALOGUES = re.compile(r"(?P<release>(?:[^/]+/)*)data/dialogues/[^/]+\.parquet")
_IGNORED = ("gold/", "judgements/")
"""Folders at the root of a source whose files are no text to search: labels, and judgements of people."""
_UNREAD = (".html", ".htm", ".pdf", ".rtf", ".doc", ".odt", ".epub")
"""Extensions of files that were probably meant as texts, in a form that is not read."""
_POINTER = "latest.json"


def plan_rooms(request: PlanRequest[RoomsConfig]) -> Discovery:
    """List the sources: a unit is a document (a file), or a shard of the records of all JSON Lines files."""
    provenance = request.config.provenance
    listing = request.sources.list_files(records="rooms")
    default = Rights(provenance.license, provenance.attribution)
    shared = RoomSources(_read_rights(request.sources, listing, default), default)
    files, released = _sort_files(request.sources, listing)
    units, refused = _make_documents(files, released, shared)
    records = [file for file in files if is_record_file(file.path) and not is_contribution(file.path)]
    divided = shard_records(
        request, "rooms", RecordFiles(files=records, name=name_record, version=1, shards=request.config.shards)
    )
    rights = json.dumps([asdict(shared)], sort_keys=True)
    return Discovery(
        listing=listing,
        units=await_answers([*units, *divided.units], request),
        refused=[*refused, *divided.refused],
        taken_down=divided.taken_down,
        made_from=[rights],
        shared=shared,
    )


def _read_rights(sources: Sources, listing: Sequence[SourceFile], default: Rights) -> tuple[FileRights, ...]:
    file = next((file for file in listing if file.path == RIGHTS_FILE), None)
    if file is None:
        return ()
    try:
        return parse_rights(decode_text(file.path, sources.read(file, _TABLE_BYTES)), default)
    except SourceError as error:
        raise ConfigError(str(error)) from error


def _sort_files(sources: Sources, listing: Sequence[SourceFile]) -> tuple[list[SourceFile], list[SourceFile]]:
    """Return the files that may hold text, and those of released dialogues; of several releases the latest."""
    found = {file.path: match["release"] for file in listing if (match := _DIALOGUES.fullmatch(file.path))}
    releases = set(found.values())
    others = [file for file in listing if not any(file.path.startswith(release) for release in releases)]
    for pointer in [file for file in listing if PurePosixPath(file.path).name == _POINTER and releases]:
        folder = pointer.path.removesuffix(_POINTER)
        version = _read_version(sources, pointer)
        if f"{folder}{version}/" not in releases and any(release.startswith(folder) for release in releases):
            raise ConfigError(f"{pointer.path}: found no dialogues of its version {version!r}; name the folder of one release")
        releases -= {release for release in releases if release.startswith(folder) and release != f"{folder}{version}/"}
    beside = ("history.json", _POINTER) if releases else ()
    kept = [  # no text to search are labels, judgements, and hidden files such as those of `.github/`
        file
        for file in others
        if not (file.path.startswith((*_IGNORED, ".")) or "/." in file.path or PurePosixPath(file.path).name in beside)
    ]
    return kept, [file for file in listing if found.get(file.path) in releases]


def _read_version(sources: Sources, pointer: SourceFile) -> str:
    try:
        found: Any = json.loads(sources.read(pointer, _TABLE_BYTES))
        return str(found["version"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(f"{pointer.path}: found no version of a release ({error!r}); name the folder of one release") from error


def _make_documents(
    files: Sequence[SourceFile], released: Sequence[SourceFile], shared: RoomSources
) -> tuple[list[Unit], list[RefusedFile]]:
    units: dict[str, Unit] = {}
    headless = "a donated text begins with a head (author, license, consent); expected a text file or a table with one"
    unread = f"texts are read as {', '.join(DOCUMENT_TYPES)} and .jsonl; save it as one of these, or move it"
    refused = [RefusedFile(file.path, f"{file.path}: {headless}") for file in [*files, *released] if _lacks_consent(file.path)]
    refused += [
        RefusedFile(file.path, f"{file.path}: found {PurePosixPath(file.path).suffix}; {unread}")
        for file in files
        if file.path.lower().endswith(_UNREAD)
    ]
    documents = [
        (file, "contribution" if is_contribution(file.path) else "text")
        for file in files
        if PurePosixPath(file.path).suffix.lower() in DOCUMENT_TYPES
    ]
    for file, kind in [*documents, *((file, "dialogues") for file in released if not is_contribution(file.path))]:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", PurePosixPath(file.path).stem).lstrip("._-")
        name = stem if kind == "text" else f"{kind}-{stem}"
        if UNIT_ID.fullmatch(name) is None:
            reason = "its name makes no id; name it with letters and digits, of at most 80 characters"
        elif name in units:
            reason = f"{units[name].files[0].path} has the same name; rename one of them"
        else:
            spec = DocumentSpec(kind, find_rights(file.path, shared.entries, shared.default))
            units[name] = Unit(id=name, files=(file,), spec=spec)
            continue
        refused.append(RefusedFile(file.path, f"{file.path}: {reason}"))
    return list(units.values()), refused


def _lacks_consent(path: str) -> bool:
    """Tell whether a file lies among donated texts, and its form has no head that could say who has consented."""
    return is_contribution(path) and (is_record_file(path) or _DIALOGUES.fullmatch(path) is not None)


STAGE_VERSIONS = {"sentences": 8, "parts": 4, "prints": 3, "reading": 2, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def find_resources(config: RoomsConfig, resources: Resources) -> Resources:
    """Look for the models that the settings name before the first unit starts."""
    analysis = config.analysis
    if analysis.similarity == "pipeline" and not analysis.pipeline:
        raise ConfigError("analysis.similarity is 'pipeline', and analysis.pipeline names none; name a trained spaCy pipeline")
    if analysis.similarity == "embeddings":
        from infra.models.sentence_embedder import SentenceEmbedder

        SentenceEmbedder(analysis.embedding_model).check()
    if analysis.pipeline:
        from tasks.rooms.build import find_text_parts

        find_text_parts(["You enter a room."], analysis)
    return resources


INGESTION = Ingestion(
    config=RoomsConfig,
    find_resources=find_resources,
    plan=plan_rooms,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: config,
)
