"""How the pipeline `threads` makes units of its sources: shards of posts, the lines of one post together."""

import logging
import re
from functools import partial
from pathlib import PurePosixPath

from core.dataset.units import RefusedFile, SourceFile
from core.threads.config import ThreadsConfig
from core.threads.formats import VERSION, name_post, unpack_page
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
_STRAYS = frozenset(
    [".csv", ".tsv", ".xml", ".html", ".parquet", ".db", ".zip", ".gz", ".zst", ".bz2", ".xz", ".7z", ".tar", ".tgz"]
)
_CORPUS_FILES = frozenset(["index.json", "speakers.json", "users.json", "corpus.json"])
logger = logging.getLogger(__name__)


def plan_threads(request: PlanRequest[ThreadsConfig]) -> Discovery:
    """List the sources and divide their records into shards, by post."""
    config = request.config
    listing = request.sources.list_files()
    stray = _refuse_strays(listing)
    names = {refused.path for refused in stray}
    files = [file for file in listing if is_post_file(file) and file.path not in names]
    secret = read_pseudonym_key(request.store)
    records = RecordFiles(
        files=files,
        name=name_post,
        version=VERSION,
        shards=config.shards,
        joined=True,
        unpack=unpack_page,
        cipher=Cipher(secret),
        withhold=partial(withhold_people, key=secret),
    )
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
    if is_record_file(file.path) or _DUMP.fullmatch(path.name):
        return True
    return path.suffix.lower() == ".json" and path.name.lower() not in _CORPUS_FILES


def _refuse_strays(listing: list[SourceFile]) -> list[RefusedFile]:
    """Refuse files that look like records but have a name that says otherwise, and what is no whole; notes and settings pass."""
    strays = [
        RefusedFile(file.path, "no record file by its name; give posts as .jsonl or .ndjson, plain, .gz or .zst, or as .json")
        for file in listing
        if PurePosixPath(file.path).suffix.lower() in _STRAYS and not is_post_file(file)
    ]
    empty = [RefusedFile(file.path, "empty; upload the file again") for file in listing if is_post_file(file) and file.size == 0]
    whole = {PurePosixPath(file.path).parent for file in listing if _is_utterance_file(file)}
    halves = [
        RefusedFile(file.path, "a ConvoKit corpus without utterances.jsonl beside it; add that file")
        for file in listing
        if PurePosixPath(file.path).name.lower() == "conversations.json" and PurePosixPath(file.path).parent not in whole
    ]
    return [*strays, *empty, *halves]


def _is_utterance_file(file: SourceFile) -> bool:
    return PurePosixPath(file.path).name.lower().startswith("utterances.") and is_post_file(file)


STAGE_VERSIONS = {"dialogues": 11, "drops": 11, "reading": 1, **SHARD_STAGES}
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
