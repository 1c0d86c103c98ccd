"""Looks at sources before anything is computed: what each pipeline would make of them, and why a file is not read."""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from tempfile import TemporaryDirectory

from core.dataset.takedown import Takedown
from core.dataset.units import RefusedFile, SourceFile, WaitingUnit
from core.errors import FabulaError
from core.record_files import FORMS, ROWS
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.discovery import FOLDER_NAMES, TRANSCRIPT_TYPES
from infra.settings import load_config
from infra.sources.opening import OpenedSources
from infra.store.objects import Store
from tasks.frame.model import INGESTION, PlanRequest
from tasks.frame.pipeline import Pipeline
from tasks.pipelines import PIPELINES

_MOST_TRIED = 50  # files
_LARGEST_TRIED = 2**24  # bytes
READS_ANYTHING = "rooms"
"""The pipeline that takes any text: its files count a quarter."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a pipeline finds in sources: complete units, those that lack a half, and what it cannot read, with the reasons.

    `files` are the paths that its units are made from. `fault` says why it cannot look at the sources at all.
    """

    pipeline: str
    units: Sequence[str] = ()
    waiting: Sequence[WaitingUnit] = ()
    refused: Sequence[RefusedFile] = ()
    files: frozenset[str] = frozenset()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class SourceView:
    """What lies in sources, and what each pipeline finds there.

    `loose` are dialogues that lie where none is read, and `scripts` screenplays.
    """

    files: Sequence[SourceFile]
    findings: Sequence[Finding]
    loose: Sequence[str] = ()
    scripts: Sequence[str] = ()

    @property
    def advised(self) -> Finding | None:
        """What the pipeline finds that is to run next: the one that reads most files, and most of what it looks at."""

        def rate(found: Finding) -> float:
            read = len(found.units) / (len(found.units) + len(found.refused))
            weight = 4 if found.pipeline == READS_ANYTHING else 1  # ConvoKit has four files beside its turns
            return read * len(found.files) / weight

        return max((each for each in self.findings if each.units), key=rate, default=None)

    def list_unread(self) -> Iterator[tuple[str, str]]:
        """Yield what the advised pipeline does not read, with the reason; where none is advised, what none of them reads."""
        asked = [self.advised] if self.advised else self.findings
        refused = {each.path: each.reason for finding in asked for each in finding.refused}
        read = {path for finding in asked for path in finding.files}
        yield from refused.items()
        named = read | {path.partition("#")[0] for path in refused}  # a record that is refused is FILE#NUMBER
        for file in self.files:
            if file.path not in named:
                yield file.path, file.fault or "no unit is made from it"


def look_at(urls: Sequence[str]) -> SourceView:
    """Look at sources with every pipeline's default settings; a store of its own, which is gone afterwards, has what is read.

    Raises:
        ConfigError: a source is not there.
    """
    sources = OpenedSources(tuple(urls))
    files = sources.list_files()
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)  # nothing is said of a store that is gone afterwards
    try:
        with TemporaryDirectory() as folder:
            findings = [_find(pipeline, sources, Store(folder)) for pipeline in PIPELINES]
    finally:
        logging.disable(before)
    exact = any(each.units for each in findings if each.pipeline != READS_ANYTHING)
    placed = [] if exact else sources.list_files(FOLDER_NAMES)
    outside = [*islice((file for file in placed if FORMS["transcripts"].own.match(file.path) is None), _MOST_TRIED)]
    scripts = [file.path for file in outside if _is_script(sources, file)]
    dialogues = [file.path for file in outside if file.path not in scripts and _is_dialogue(sources, file)]
    return SourceView(files, findings, dialogues, scripts)


def _is_script(sources: OpenedSources, file: SourceFile) -> bool:
    """Tell whether a file is a screenplay or a play by its form: Final Draft, Fountain, TEI."""
    if file.path.lower().endswith((".fdx", ".fountain")):
        return True
    try:
        return (
            file.path.lower().endswith(".xml") and file.size <= _LARGEST_TRIED and b"<TEI" in sources.read(file, _LARGEST_TRIED)
        )
    except FabulaError:
        return False


def _is_dialogue(sources: OpenedSources, file: SourceFile) -> bool:
    """Tell whether a file reads as a dialogue: most turns are of two or more people, one of whom speaks again."""
    if PurePosixPath(file.path).suffix.lower() not in TRANSCRIPT_TYPES or file.size > _LARGEST_TRIED:
        return False
    try:
        turns = read_dialogue(file.path, sources.read(file, _LARGEST_TRIED))
    except FabulaError:
        return False
    spoken = Counter(speaker for turn in turns for speaker in turn.speakers)
    return 2 * sum(bool(turn.speakers) for turn in turns) > len(turns) and len(spoken) > 1 and max(spoken.values()) > 1


def _find(pipeline: Pipeline, sources: OpenedSources, store: Store) -> Finding:
    ingestion = pipeline.load(INGESTION)
    config = load_config(ingestion.config, pipeline.name)
    request = PlanRequest(sources=sources, store=store, config=config, profile="default", resources={}, takedown=Takedown())
    try:
        found = ingestion.plan(request)
    except FabulaError as error:
        return Finding(pipeline.name, fault=str(error))
    members = [name for unit in found.units for name in unit.member_ids]
    used = [file for unit in found.units for each in (unit, *unit.members) for file in each.files]
    used += [file for unit in found.waiting for file in unit.files]
    origins = ((file.path, file.name, file.origin.partition("#")[0]) for file in used)  # a record's origin is FILE#ID
    paths = {path for each in origins for path in each}
    paths |= {path for unit in found.units for part in unit.records for path in (part.path, part.path.removesuffix(ROWS))}
    return Finding(pipeline.name, members, found.waiting, found.refused, frozenset(paths))
