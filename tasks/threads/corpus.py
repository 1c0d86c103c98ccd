"""Posts and dialogues read straight from sources, for training and evaluation."""

import secrets
from collections.abc import Iterator, Sequence
from itertools import islice

from core.errors import SourceError
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.corpora import CorpusDialogue, is_corpus_file, read_corpus
from core.threads.formats import VERSION, name_post, read_post, unpack_page
from core.threads.posts import Post
from core.threads.preparing import prepare_post
from core.threads.reply_pairs import ReplyPair, hash_post, is_held_out, list_pairs
from core.threads.segments import CleanPost
from infra.sources.opening import OpenedSources, list_sources, read_file
from tasks.frame.records import RecordFiles, list_records
from tasks.threads.plan import is_post_file

CANDIDATES = 9
"""Replies of other posts that the true one is told from, in training and when it is measured."""
MAX_CORPUS = 2**30
"""Largest file of a corpus, in bytes."""
_MASK = "[user]"
"""Stands in texts for the people of a post: a model that is trained on them knows nobody."""


def read_clean_posts(sources: Sequence[str], config: ThreadsConfig) -> Iterator[CleanPost]:
    """Yield the posts of sources that pass the filters, as `read_posts` does.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be read.
    """
    split = make_splitter(config.splitter)
    for post in read_posts(sources, config):
        prepared = prepare_post(post, config.prefilter, config.post, split)
        if prepared.post is not None:
            yield prepared.post


def read_posts(sources: Sequence[str], config: ThreadsConfig) -> Iterator[Post]:
    """Yield the posts of sources in order of their ids' hashes; what is no post is passed over.

    So the first posts are a sample of all, the same everywhere. Pseudonyms hold for one call, since
    training keeps no authors. The records of all posts are in memory at once.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be read.
    """
    key = secrets.token_bytes()
    opened = OpenedSources(tuple(sources))
    files = [file for file in opened.list_files() if is_post_file(file)]
    rules = RecordFiles(files=files, name=name_post, version=VERSION, shards=config.shards, joined=True, unpack=unpack_page)
    lines: dict[str, dict[bytes, None]] = {}
    for file in files:
        for _, line in list_records(opened, file, rules):
            if isinstance(line, bytes):
                try:
                    lines.setdefault(name_post(line), {})[line] = None
                except SourceError:
                    continue  # `fabula run threads` names it
    for name in sorted(lines, key=hash_post):
        try:
            yield read_post(name, list(lines.pop(name)), key, _MASK)
        except SourceError:
            continue


def draw_pairs(sources: Sequence[str], config: ThreadsConfig, limit: int, held_out: bool = False) -> list[ReplyPair]:
    """Return at most `limit` pairs of the sources' posts, `held_out`: of those only that no scorer is trained on.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be read.
    """
    posts = (post for post in read_clean_posts(sources, config) if not held_out or is_held_out(post.id))
    return list(islice((pair for post in posts for pair in list_pairs(post)), limit))


def read_corpora(sources: Sequence[str]) -> tuple[list[CorpusDialogue], dict[str, str]]:
    """Return the dialogues of the four datasets in sources, and why other files were refused.

    Raises:
        ConfigError: no source is given, or one does not exist.
        StoreError: a source could not be read.
    """
    found: list[CorpusDialogue] = []
    refused: dict[str, str] = {}
    for file in list_sources(sources):
        if is_corpus_file(file.path):
            try:
                found += read_corpus(file.path, read_file(file, MAX_CORPUS))
            except SourceError as error:
                refused[file.path] = str(error)
    return found, refused
