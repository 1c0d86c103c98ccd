"""The forums thesis's profiles fit the 30 dialogues that its authors published, and find more of their replies than chance."""

import json
from pathlib import Path
from random import Random

import pytest

from core.text.sentences import split_by_rules
from core.threads.config import ThreadsConfig
from core.threads.dialogues import CleanPost, join_pieces
from core.threads.formats import name_post, read_post
from core.threads.methods import find_dialogues
from core.threads.preparing import prepare_post
from core.threads.scoring import KnownScores, WordsScorer
from infra.settings import load_config


@pytest.fixture(scope="module")
def published(corpora: Path) -> dict[str, list[str]]:
    lines = (corpora / "forum" / "reference_dialogues_30.jsonl").read_text(encoding="utf-8").splitlines()
    return {f"t3_{row['sid']}": row["dialogue"] for row in map(json.loads, lines)}


@pytest.fixture(scope="module")
def final() -> ThreadsConfig:
    return load_config(ThreadsConfig, "threads", profile="final")


@pytest.fixture(scope="module")
def posts(corpora: Path, final: ThreadsConfig) -> dict[str, CleanPost]:
    lines = (corpora / "forum" / "reference_threads_30.jsonl").read_text(encoding="utf-8").splitlines()
    read = (read_post(name_post(line), [line], b"key") for line in lines)
    prepared = (prepare_post(post, final.prefilter, final.post, split_by_rules) for post in read)
    return {each.post.id: each.post for each in prepared if each.post is not None}


def squeeze(text: str) -> str:
    """Return the letters and digits of a text: the published ones have other spaces and signs."""
    return "".join(filter(str.isalnum, text.lower()))


def test_the_filters_keep_what_they_published_but_for_a_post_with_addresses(
    published: dict[str, list[str]], posts: dict[str, CleanPost]
) -> None:
    assert len(set(published) - set(posts)) == 1


def test_their_lengths_and_segments_are_within_the_settings(
    published: dict[str, list[str]], final: ThreadsConfig, posts: dict[str, CleanPost]
) -> None:
    assert min(map(len, published.values())) == final.search.min_turns
    replies = [reply for turns in published.values() for reply in turns[1::2]]
    assert {len(split_by_rules(reply)) for reply in replies} == set(range(1, final.search.max_segment + 1))
    titles = {name: squeeze(post.sentences[0])[:25] for name, post in posts.items()}
    assert all(squeeze(published[name][0]).startswith(title) for name, title in titles.items())


def test_it_says_more_of_their_turns_and_replies_than_chance(
    published: dict[str, list[str]], final: ThreadsConfig, posts: dict[str, CleanPost]
) -> None:
    """Turns are compared whole, replies by their sentences. The scorer is `words`, which knows little of what follows what."""
    scores, draw = KnownScores(WordsScorer()), Random(0)
    turns = found = drawn = 0
    for name, post in posts.items():
        theirs = {squeeze(part) for reply in published[name][1::2] for part in split_by_rules(reply)}
        dialogues = find_dialogues(post, scores, final.search, 50)
        whole = {squeeze(" ".join(said)) for dialogue in dialogues for said in join_pieces(dialogue.turns)}
        turns += len(whole & set(map(squeeze, published[name])))
        pieces = [piece for dialogue in dialogues for turn in dialogue.turns for piece in turn]
        ours = [sentence for piece in pieces if piece.kind == "comment" for sentence in piece.sentences]
        pool = [sentence for comment in post.replies for sentence in comment.sentences]
        chance = draw.sample(pool, min(len(ours), len(pool)))
        found += len(theirs & set(map(squeeze, ours)))
        drawn += len(theirs & set(map(squeeze, chance)))
    assert found > 1.3 * drawn > 0
    assert turns >= 50, "of the 272 turns that they published"
