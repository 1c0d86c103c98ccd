"""Real posts: the outcome of all 35 difficult ones, written down by reading them; and the thesis's own 30 threads."""

import json
from pathlib import Path

import pytest

from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.dialogues import Dialogue
from core.threads.formats import name_post, read_post
from core.threads.preparing import Prepared, cut_sentences, prepare_post
from core.threads.scoring import KnownScores, WordsScorer
from core.threads.search import find_dialogues

CONFIG = ThreadsConfig()
SPLIT = make_splitter("regex")
OUTCOMES = {
    "q4scg3": "deleted",
    "qunzqe": "deleted",
    "qejbhy": "url",
    "qptnht": "url",
    "ovlzo2": "url",
    "pxwlmj": "url",
    "qrr1ug": "url",
    "qlh9zc": "no replies",
    "pwxyt2": "no replies",
    "pkm157": "no replies",
    "rgeq4u": "no replies",
    "qhthrw": "url",
    "g0qehz": "no dialogue long enough",  # one comment of three sentences
    "rgod0w": "lands",
    "q17ywb": "lands",
    "rd6l54": "no replies",
    "jislmw": "too short",
    "q9f31n": "title only",
    "qe56rf": "title only",
    "q40r5r": "too short",
    "q9cgbz": "lands",
    "br12nt": "vulgar",
    "qd98k2": "vulgar",
    "q7jo1n": "lands",
    "r0obfl": "no replies",
    "rag2fm": "url",
    "q2km1m": "lands",
    "r3thkz": "lands",
    "qlbqi6": "title only",
    "l5gs0v": "lands",
    "a4ax1r": "vulgar",
    "jw8x16": "lands",
    "rb9akq": "no replies",
    "jywyrm": "lands",
    "rep3ft": "lands",
}


def read_lines(path: Path) -> dict[str, bytes]:
    return {name_post(line).removeprefix("t3_"): line for line in path.read_bytes().splitlines()}


def prepare(line: bytes) -> Prepared:
    return prepare_post(read_post(name_post(line), [line], b"key"), CONFIG.prefilter, CONFIG.post, SPLIT)


def search(prepared: Prepared) -> list[Dialogue]:
    assert prepared.post is not None
    return find_dialogues(prepared.post, KnownScores(WordsScorer()), CONFIG.search, CONFIG.scorer.max_context)


@pytest.fixture(scope="module")
def difficult(corpora: Path) -> dict[str, bytes]:
    return read_lines(corpora / "forum" / "threads_edge.jsonl")


def test_the_outcomes_are_of_all_posts(difficult: dict[str, bytes]) -> None:
    assert set(difficult) == set(OUTCOMES)


@pytest.mark.parametrize("name", OUTCOMES)
def test_each_difficult_post_lands_or_is_dropped_for_its_reason(name: str, difficult: dict[str, bytes]) -> None:
    prepared = prepare(difficult[name])
    reasons = [drop.reason for drop in prepared.drops if drop.kind == "post"]
    if OUTCOMES[name] == "no dialogue long enough":
        assert reasons == search(prepared) == []
        return
    if OUTCOMES[name] != "lands":
        assert reasons == [OUTCOMES[name]]
        assert prepared.post is None
        return
    assert reasons == []
    (dialogue,) = search(prepared)
    assert len(dialogue.turns) >= 4


def test_the_thesis_threads_give_dialogues_like_theirs_and_every_sentence_is_traced(corpora: Path) -> None:
    threads = read_lines(corpora / "forum" / "reference_threads_30.jsonl")
    theirs = {
        row["sid"]: row["dialogue"]
        for row in map(json.loads, (corpora / "forum" / "reference_dialogues_30.jsonl").read_text(encoding="utf-8").splitlines())
    }
    assert set(threads) == set(theirs)
    found = {}
    for name, line in threads.items():
        prepared = prepare(line)
        if prepared.post is None:
            continue
        post = read_post(name_post(line), [line], b"key")
        sources = {comment.id: cut_sentences(comment.text, SPLIT, CONFIG.post.lines) for comment in post.comments}
        said = cut_sentences(post.text, SPLIT, CONFIG.post.lines)
        for dialogue in search(prepared):
            found[name] = dialogue
            for piece in (piece for turn in dialogue.turns for piece in turn):
                if piece.source != post.id:
                    assert piece.sentences == sources[piece.source][piece.start : piece.stop]
                elif piece.start >= 0:
                    assert piece.sentences == said[piece.start : piece.stop]
                else:
                    assert piece.sentences == (" ".join(cut_sentences(post.title, SPLIT)),)
    assert len(found) >= 15
    lengths = [len(dialogue.turns) for dialogue in found.values()]
    assert 4 <= sorted(lengths)[len(lengths) // 2] <= 22
