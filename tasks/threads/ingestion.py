"""How the pipeline `threads` makes units of its sources: shards of posts, the lines of one post together."""

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from core.dataset.units import RefusedFile, SourceFile
from core.threads.config import ThreadsConfig
from core.threads.exports import open_converter
from core.threads.formats import VERSION, name_post
from core.threads.spoken import is_spoken_file
from core.threads.stack_exchange import BEFORE
from core.threads.withholding import withhold_people
from infra.pseudonym_key import find_weakness, identify_key, read_pseudonym_key
from infra.store.cipher import Cipher
from tasks.frame.asking import await_answers
from tasks.frame.model import Discovery, Ingestion, PlanRequest, Resources
from tasks.frame.records import RecordFiles, is_record_file, shard_records
from tasks.frame.shards import SHARD_STAGES
from tasks.threads.scorers import identify_scorer, identify_starter_rater

_DUMP = re.compile(r"(?:R[CS]_\d{4}-\d{2}(?:-\d{2})?|.+_(?:comments|submissions))(?:\.zst|\.gz)?", re.IGNORECASE)
"""Names of Pushshift's dumps: `RS_2020-01.zst` and `RC_2020-01.zst` of a month, `books_submissions.zst` of a forum."""
_MAIL = re.compile(r"(?:.+\.mbox|\d{4}-[A-Z][a-z]{2,8}\.txt)(?:\.gz|\.zst)?")
"""Names of files of mail; archives of lists have a file for a month (`2024-March.txt.gz`)."""
_ARCHIVES = frozenset([".zip", ".gz", ".zst", ".bz2", ".xz", ".7z", ".tar", ".tgz"])
_STRAYS = _ARCHIVES | frozenset([".csv", ".tsv", ".xml", ".html", ".parquet", ".db", ".eml", ".pst"])
_CORPUS_FILES = frozenset(
    [
        *("index.json", "speakers.json", "users.json", "corpus.json"),
        *("schema.json", "ontology.json", "dialog_acts.json", "slot_descriptions.json"),
    ]
)
"""Files beside the dialogues of ConvoKit's corpora and of MultiWOZ."""
_DUMP_TABLES = frozenset(f"{name}.xml" for name in ("users", "tags", "votes", "badges", "posthistory", "postlinks"))
"""Files of a Stack Exchange dump that hold no posts."""
logger = logging.getLogger(__name__)


def plan_threads(request: PlanRequest[ThreadsConfig]) -> Discovery:
    """List the sources and divide their records into shards, by post."""
    config = request.config
    listing = request.sources.list_files(records="threads")
    stray = _refuse_strays(listing)
    names = {refused.path for refused in stray}
    secret = read_pseudonym_key(request.store)
    files = describe_records([file for file in listing if file.path not in names], config.shards)
    records = replace(files, cipher=Cipher(secret), withhold=partial(withhold_people, key=secret))
    divided = shard_records(request, "threads", records)
    if weakness := find_weakness():
        logger.warning(weakness)
    key = identify_key(secret)
    return Discovery(
        listing=listing,
        units=await_answers(divided.units, request),
        refused=[*divided.refused, *stray],
        taken_down=divided.taken_down,
        listed=divided.listed,
        made_from=[key, identify_scorer(config.scorer), identify_starter_rater(config)],
        shared=key,
    )


def is_post_file(file: SourceFile) -> bool:
    """Tell by its name whether a file holds posts or comments: a file of records, a dump, or a page of Reddit's API."""
    path = PurePosixPath(file.path)
    if (
        is_record_file(file.path)
        or is_spoken_file(file.path)
        or _DUMP.fullmatch(path.name)
        or _MAIL.fullmatch(path.name)
        or path.name.lower() in BEFORE
    ):
        return True
    return path.suffix.lower() == ".json" and path.name.lower() not in _CORPUS_FILES


def describe_records(listing: Sequence[SourceFile], shards: int) -> RecordFiles:
    """Return the files of a source that hold posts or comments, and how they are read and divided."""
    tables = {(str(path.parent), path.name.lower()): file for file in listing for path in [PurePosixPath(file.path)]}
    before = {
        file.path: [tables[folder, other] for other in BEFORE[name] if (folder, other) in tables]
        for (folder, name), file in tables.items()
        if name in BEFORE
    }
    return RecordFiles(
        files=[file for file in listing if is_post_file(file)],
        name=name_post,
        version=VERSION,
        shards=shards,
        joined=True,
        open_converter=open_converter,
        before=before,
    )


def _refuse_strays(listing: list[SourceFile]) -> list[RefusedFile]:
    """Refuse files that look like records but have a name that says otherwise, and what is no whole; notes and settings pass."""
    strays = [
        RefusedFile(
            file.path,
            "no record file by its name; give posts as .jsonl or .ndjson, plain, .gz or .zst, as .json, or mail as .mbox",
        )
        for file in listing
        if (path := PurePosixPath(file.path)).suffix.lower() in _STRAYS
        and path.name.lower() not in _DUMP_TABLES
        and not is_post_file(file)
    ]
    posts = [(PurePosixPath(file.path), file) for file in listing if is_post_file(file)]
    empty = [RefusedFile(file.path, "empty; upload the file again") for _, file in posts if file.size == 0]
    whole = {path.parent for path, _ in posts if path.name.lower().startswith("utterances.")}
    halves = [
        RefusedFile(file.path, "a ConvoKit corpus without utterances.jsonl beside it; add that file")
        for path, file in posts
        if path.name.lower() == "conversations.json" and path.parent not in whole
    ]
    return [*strays, *empty, *halves]


STAGE_VERSIONS = {"dialogues": 17, "drops": 16, "reading": 2, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def find_resources(config: ThreadsConfig, resources: Resources) -> Resources:
    """Check that what the scorer needs is there; ConfigError where it is missing."""
    from tasks.threads.scorers import check_scorer, make_starter_rater

    check_scorer(config.scorer)
    make_starter_rater(config)
    return resources


INGESTION = Ingestion(
    config=ThreadsConfig,
    find_resources=find_resources,
    plan=plan_threads,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: config.result_settings,
)
