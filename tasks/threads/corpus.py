"""Posts read straight from sources, for training and evaluation."""

import secrets
from collections.abc import Iterator, Sequence

from core.errors import SourceError
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.formats import VERSION, name_post, read_post, unpack_page
from core.threads.posts import Post
from core.threads.preparing import prepare_post
from core.threads.reply_pairs import hash_post
from core.threads.segments import CleanPost
from infra.sources.listing import OpenedSources
from tasks.frame.records import RecordFiles, list_records
from tasks.threads.plan import is_post_file

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
