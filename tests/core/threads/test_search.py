from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.threads.config import SearchConfig
from core.threads.dialogues import CleanComment, CleanPost, Dialogue, Sentences, agrees, cut_segments, is_apt
from core.threads.methods import find_dialogues, list_reachable
from core.threads.scoring import EmbeddingScorer, KnownScores, ScoreRequest, SentenceVectors, WordsScorer
from core.threads.search import DialogueSearch
from lab.speed.literal_threads import search_literally


def score_by_hash(requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
    """Score by a hash of context and reply: any order of candidates may win, and every detail of a request counts."""
    return np.array([int(sha256(repr(request).encode()).hexdigest()[:6], 16) / 2**23 - 1 for request in requests])


def make_post(seed: int) -> CleanPost:
    draw = Random(seed)
    said = ["I agree.", "It rains.", "However, why?", "OP, no.", "The lamp is out.", "You are right.", "Cats.", "We go home."]
    replies, threads = [], []
    for number in range(draw.randint(1, 5)):
        sentences = tuple(f"{draw.choice(said)} {number}{place}" for place in range(draw.randint(1, 5)))
        replies.append(CleanComment(f"c{number}", "", f"author-{number}", sentences))
        below = range(draw.randint(0, 2))
        threads += [
            CleanComment(f"c{number}t{place}", f"c{number}", "author-t", (f"Oh {number}{place}{draw.choice('.?')}",))
            for place in below
        ]
    post = tuple(f"Post sentence {place}." for place in range(draw.randint(1, 6)))
    return CleanPost("t3_x", "forum", "Title", "author-p", post, 0, tuple(replies), tuple(threads))


FREE: dict[str, Any] = {"threshold": 0, "reply_threshold": 0, "bridge_threshold": 0, "agreement_penalty": 0, "min_turns": 2}
OFF: dict[str, Any] = dict.fromkeys(("choose_segments", "better_nsp", "post_runs", "threading"), False)
BASE = SearchConfig("insert", beam=1, max_segment=0, **FREE, **OFF)
CONFIGS = {
    "algorithm 1": BASE,
    "better NSP": replace(BASE, max_segment=2, better_nsp=True),
    "threshold": replace(BASE, threshold=0.55),
    "threshold of the reply alone": replace(BASE, max_segment=2, better_nsp=True, post_runs=True, reply_threshold=0.6),
    "bridges": replace(BASE, threading=True, bridge_threshold=0.45),
    "everything, beam 4": SearchConfig("insert", beam=4, threshold=0.4, reply_threshold=0.3, agreement_penalty=0.7, min_turns=2),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_equal_to_the_algorithms_taken_literally(name: str) -> None:
    config = CONFIGS[name]
    found = 0
    for seed in range(25):
        post = make_post(seed)
        dialogues = find_dialogues(post, KnownScores(score_by_hash), config, 1000)
        literal = search_literally(post, score_by_hash, config)
        assert [[list(turn) for turn in dialogue.utterances] for dialogue in dialogues] == ([literal] if literal else [])
        found += len(dialogues)
    assert found >= 5


class Table:
    """Scores by what the reply says."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        return np.array([sum(self.scores.get(part, 0) for part in request.reply) for request in requests], np.float64)


def post_of(sentences: Sentences, *comments: str, threads: Sequence[CleanComment] = ()) -> CleanPost:
    replies = tuple(CleanComment(f"c{place}", "", f"author-{place}", (text,)) for place, text in enumerate(comments))
    return CleanPost("t3_x", "forum", "Title", "author-p", sentences, 0, replies, tuple(threads))


def say(dialogue: Dialogue) -> list[str]:
    return [" ".join(turn) for turn in dialogue.utterances]


def test_apt_segments_begin_with_thoughts_and_speak_to_the_author() -> None:
    said = ("But why?", "Talk to her.", "However, do it now.", "She will also help.", "In your case, wait.", "Androids work.")
    segments = cut_segments([CleanComment("c", "", "x", said)], 3)
    apt = [segment for segment in segments if is_apt(segment, ("My lamp is wet.",))]
    assert {segment.start for segment in segments} == set(range(6))
    assert {segment.start for segment in apt} == {0, 1, 5}
    assert ("Talk to her.", "However, do it now.") in [segment.sentences for segment in apt]
    talk = ("Dry the lamp.", "As OP says, it is wet.", "The top may open.", "This sub knows lamps.", "My lamp is wet.", "Buy:")
    singles = cut_segments([CleanComment("c", "", "x", talk)], 1)
    assert [segment.start for segment in singles if is_apt(segment, ("My lamp is wet.",))] == [0, 2]


@pytest.mark.parametrize(
    "torn",
    [
        "So yes, dry it.", "It was the best lamp.", "The reason is rust.", "As others have said, dry it.",
        "Another poster knows lamps.", "I agree with the other reply.", "-dry lamps, all of them.",
        "What everyone is saying here helps.", "I read your comments.", 'He said "dry it.', "“Dry it.",
        'My lamp was in the rain all night."',
    ],
)  # fmt: skip
def test_a_segment_is_not_torn_from_its_thought_or_quotation_and_repeats_nothing(torn: str) -> None:
    comment = CleanComment("c", "", "x", ("Dry the lamp.", torn, "The top may open."))
    post = ("My lamp was in the rain, all night!", "Dry it.")
    assert [segment.start for segment in cut_segments([comment], 1) if is_apt(segment, post)] == [0, 2]


def test_a_second_agreement_loses_its_penalty() -> None:
    post = post_of(("one", "two"), "I agree", "You are right", "No")
    scores = {"I agree": 3.0, "You are right": 2.0, "No": 1.0}
    (twice,) = find_dialogues(post, KnownScores(Table(**scores)), BASE, 9)
    (once,) = find_dialogues(post, KnownScores(Table(**scores)), replace(BASE, agreement_penalty=1.5), 9)
    assert (say(twice)[3], say(once)[3]) == ("You are right", "No")
    said = ("Actually, I second this.", "I disagree.", "You’re absolutely right!", "Right now")
    assert [agrees((text,)) for text in said] == [True, False, True, False]


def test_generated_replies_compete_and_bridge_rough_transitions_on_either_side() -> None:
    post = post_of(("one", "two"), "reply", "second")
    scores = {"reply": 5.0, "gen": 2.0, "second": 4.0}
    config = replace(BASE, rough=1.0)
    (dialogue,) = find_dialogues(post, KnownScores(Table(**scores)), config, 9, lambda contexts: [("gen",)] * len(contexts))
    assert say(dialogue) == ["one", "reply", "gen two", "second"]
    assert [piece.kind for piece in dialogue.turns[2]] == ["generated", "post"]
    scores["gen"] = 9.0
    (dialogue,) = find_dialogues(post, KnownScores(Table(**scores)), config, 9, lambda contexts: [("gen",)] * len(contexts))
    assert say(dialogue)[1] == "gen"


def test_the_other_methods() -> None:
    post = post_of(("one", "two"), "a", "b", "c")
    scores = KnownScores(Table(b=2.0, a=1.0))
    (answered,) = find_dialogues(post, scores, SearchConfig(method="post-comment", threshold=0), 9)
    assert say(answered) == ["one two", "b"]
    assert find_dialogues(post, scores, SearchConfig(method="post-comment", threshold=0.95), 9) == []
    (pair,) = find_dialogues(post, scores, SearchConfig(method="random-pairs"), 9)
    assert say(pair)[1] == "b"
    assert [say(pair)] == [say(found) for found in find_dialogues(post, scores, SearchConfig(method="random-pairs"), 9)]
    assert find_dialogues(post_of(("one",), "a"), scores, SearchConfig(method="random-pairs"), 9) == []


def test_what_is_reachable_is_embedded_in_one_call_and_the_cosine_is_that_of_mean_vectors() -> None:
    calls: list[list[str]] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        calls.append(list(texts))
        found = np.array([np.frombuffer(sha256(text.encode()).digest(), np.uint8)[:8] for text in texts], np.float32) - 128
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    for seed in range(12):
        post = make_post(seed)
        for config in (SearchConfig("insert", beam=4, min_turns=2, max_comment_sentences=2), SearchConfig(method="post-comment")):
            calls.clear()
            scorer = EmbeddingScorer(SentenceVectors(embed))
            scorer.vectors.learn(list_reachable(post, config))
            find_dialogues(post, KnownScores(scorer), config, 50)
            assert len(calls) == 1
            find_dialogues(post, KnownScores(asked := EmbeddingScorer(SentenceVectors(embed))), config, 50)
            assert set(calls[0]) >= {text for call in calls[1:] for text in call}
        one, other, third = embed(["a", "b", "c"]).astype(np.float64)
        mean = (other + third) / np.linalg.norm(other + third)
        assert asked([ScoreRequest((("c",), ("a",)), ("b", "c"))]) == pytest.approx([8.6 * one @ mean - 2.9])


def test_a_reply_about_the_goat_waits_for_the_goat() -> None:
    said = ("The lantern near the goat flickers.", "Now the lantern of the goat is dry.")
    replies = tuple(CleanComment(f"c{place}", "", "cat", (text,)) for place, text in enumerate(said))
    post = CleanPost("t3_x", "odd", "", "wick", ("My lantern flickers.", "The goat stands near the lantern."), 0, replies, ())
    open_search = replace(SearchConfig(), min_turns=2, threshold=0.0, reply_threshold=0.0, post_runs=True, better_nsp=True)
    first = {
        penalty: DialogueSearch(post, KnownScores(WordsScorer()), replace(open_search, later_penalty=penalty), 50).find()
        for penalty in (0.0, 50.0)
    }
    known, unknown = first[0.0], first[50.0]
    assert "goat" in " ".join(known.utterances[1])
    assert known.utterances[0] == ("My lantern flickers.",)
    assert unknown.utterances[0] == ("My lantern flickers.", "The goat stands near the lantern.")
