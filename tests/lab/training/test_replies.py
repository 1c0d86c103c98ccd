"""A reply scorer trained on posts of the test, and the evaluation of scorers and datasets."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from core.errors import ConfigError
from core.threads.config import ScorerConfig, ThreadsConfig
from core.threads.dialogues import CleanComment, CleanPost
from core.threads.scoring import WordsScorer
from infra.models.sealed import ReplyModel, read_model
from infra.settings import load_config
from infra.store.objects import Store
from lab.quality import dialogues
from lab.quality.dialogues import judge_readings, measure_scorer
from lab.training.replies import train_reply_scorer
from lab.training.reply_pairs import draw_others, draw_pairs, estimate_rates, is_held_out, list_pairs, measure_recall
from tasks.pipelines import THREADS
from tasks.threads.evaluation import evaluate_threads
from tasks.threads.scorers import check_scorer
from tests.tasks import in_process
from tests.tiny_transformer import save_tiny_transformer

Trained = tuple[Path, dict[str, Any]]
THINGS = ("lamp", "boat", "goat", "tea", "clock", "snow", "kettle", "roof", "bread", "violin", "garden", "letter")


def write_posts(path: Path, count: int) -> str:
    """Write posts in each of which three comments have a reply; a reply names the thing of its post. Return the folder."""
    draw = Random(1)
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            one, other = draw.sample(THINGS, 2)
            comments = {}
            for place in range(3):
                reply = {"author": "dog", "text": f"The {one}? It was {number} years old and it had {place} owners."}
                said = f"The {one}, the {other}: it was here in the year {place}."
                comments[f"p{number}c{place}"] = {"author": "cat", "text": said, "replies": {f"p{number}r{place}": reply}}
            text = f"There was a {one} in my house for many years. Now it has gone and I do not know where the {other} is."
            record = {"sid": f"p{number}", "title:": f"The {one}", "text": text, "author": "wick", "sub": "odd"}
            record["comments"] = comments
            stream.write(json.dumps(record) + "\n")
    return str(path.parent)


@pytest.fixture(scope="module")
def posts(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_posts(tmp_path_factory.mktemp("posts") / "posts.jsonl", 60)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Posts for runs, which need no others to draw replies from."""
    return Path(write_posts(tmp_path_factory.mktemp("few") / "posts.jsonl", 20))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_transformer(tmp_path_factory.mktemp("model"), *THINGS)


@pytest.fixture(scope="module")
def trained(posts: str, model: str, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A scorer's file, and what its training reported."""
    out = tmp_path_factory.mktemp("trained") / "scorer.json"
    return out, train_reply_scorer([posts], str(out), with_model(model), 1000)


def with_model(embedding_model: str, **scorer: str) -> ThreadsConfig:
    return load_config(ThreadsConfig, "threads", overrides={"scorer": {"embedding_model": embedding_model, **scorer}})


def test_a_trained_scorer_beats_the_cosine_of_a_model_that_knows_nothing(trained: Trained) -> None:
    out, found = trained
    read = read_model(ReplyModel, str(out))
    recall = found["recall_at_1_of_10"]
    assert set(recall) == {"replies to posts", "replies to comments"}
    for kind, most in (("replies to posts", 3), ("replies to comments", 2)):
        assert recall[kind]["difference"]["low"] > 0, found
        assert recall[kind]["reply"]["value"] - recall[kind]["cosine"]["value"] == pytest.approx(
            recall[kind]["difference"]["value"]
        )
        assert recall[kind]["pairs"] == most * recall[kind]["posts"]
    assert read.metrics["recall_at_1_of_10"] == recall
    held_out = {recall[kind]["posts"] for kind in recall}
    assert held_out == {60 - found["trained_on"]["posts"]}
    assert found["trained_on"]["posts"] * 5 == found["trained_on"]["pairs"]


def test_vectors_are_kept_in_the_store_and_progress_is_told(trained: Trained, posts: str, model: str, tmp_path: Path) -> None:
    url, told = str(tmp_path / "store"), list[str]()
    train_reply_scorer([posts], str(tmp_path / "one.json"), with_model(model), 1000, url, told.append)
    kept = {path.name for path in (tmp_path / "store").rglob("*.parquet")}
    assert kept
    train_reply_scorer([posts], str(tmp_path / "two.json"), with_model(model), 1000, url)  # the same again
    assert {path.name for path in (tmp_path / "store").rglob("*.parquet")} == kept  # a new batch would be a new object
    assert (tmp_path / "two.json").read_text() == trained[0].read_text()
    train_reply_scorer([posts], str(tmp_path / "less.json"), with_model(model), 150, url)
    assert read_model(ReplyModel, str(tmp_path / "less.json")).data != read_model(ReplyModel, str(trained[0])).data
    assert told[0] == "reading the posts"
    assert any(line.startswith("vectors of ") and line.endswith("about 0 s left") for line in told)
    assert any(line.startswith("measured 0 of ") for line in told)


def test_evaluation_takes_held_out_posts_and_the_store(
    trained: Trained, posts: str, few: Path, model: str, tmp_path: Path
) -> None:
    config = with_model(model, kind="reply", model=str(trained[0]))
    store = Store(str(tmp_path / "store"))
    in_process.run(THREADS, few, store, scorer={"kind": "words"}, search={"method": "insert"})
    judgement = {
        "item": "t3_p1_0", "dataset": "threads", "version": "1", "question": "interactions", "answer": [True, False, True, True],
        "reader": "anna", "at": "2026-11-22T18:40:00+00:00",
    }  # fmt: skip
    store.write("reviews/threads/anna.jsonl", f"{json.dumps(judgement)}\nno judgement\n".encode())
    found = evaluate_threads(store, ["threads"], config, 1000)
    assert measure_scorer([posts], config, 1000) == trained[1]["recall_at_1_of_10"]
    figures = found["datasets"]["threads"]
    rows = in_process.read_rows(store, "threads", "dialogues")
    reposts = [row for row in in_process.read_rows(store, "threads", "rejects") if row["reason"] == "repost"]
    assert figures["dialogues"] == len(rows) + len(reposts)
    assert figures["turns"] > sum(len(row["turns"]) for row in rows)
    assert figures["turns_computed"] == figures["turns"]
    assert figures["turns_per_second"] > 0
    in_process.run(THREADS, few, store, "again", scorer={"kind": "words"}, search={"method": "insert"})
    again = evaluate_threads(store, ["again"], config, 1000)["datasets"]["again"]
    assert (again["turns"], again["turns_computed"]) == (figures["turns"], 0), "all of it was found in the store"
    assert again["turns_per_second"] is None
    assert figures["judgements"]["interactions"]["score"]["value"] == pytest.approx(1 + 4 * 0.75)
    assert figures["judgements"]["refused_lines"] == 1
    with pytest.raises(ConfigError, match="no units of 'other'"):
        evaluate_threads(store, ["other"], config, 1000)


def test_a_trained_scorer_makes_dialogues_as_it_would_for_one_post_alone(
    trained: Trained, few: Path, model: str, tmp_path: Path
) -> None:
    scorer = {"kind": "reply", "model": str(trained[0]), "embedding_model": model}
    search = {"method": "insert", "min_turns": 2, "threshold": 0.0, "reply_threshold": 0.0}
    settings = {"scorer": scorer, "search": search}
    rows = {}
    for shards in (1, 7):  # the sentences of a shard are embedded together
        store = Store(str(tmp_path / f"store-{shards}"))
        in_process.run(THREADS, few, store, shards=shards, **settings)
        rows[shards] = {row["id"]: row for row in in_process.read_rows(store, "threads", "dialogues")}
    assert len(rows[1]) > 10
    assert {name: row["dialogue"] for name, row in rows[1].items()} == {name: row["dialogue"] for name, row in rows[7].items()}
    assert all(row["scores"] == pytest.approx(rows[7][name]["scores"], abs=1e-4) for name, row in rows[1].items())
    assert len({round(score, 3) for row in rows[1].values() for score in row["scores"]}) > 10


def test_too_few_posts_and_a_scorer_on_other_vectors_are_refused(
    trained: Trained, posts: str, model: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"set scorer\.embedding_model"):
        check_scorer(ScorerConfig(kind="reply", model=str(trained[0])))
    with pytest.raises(ConfigError, match="give more posts"):
        train_reply_scorer([posts], str(tmp_path / "scorer.json"), with_model(model), 3)
    assert not (tmp_path / "scorer.json").exists()
    assert {is_held_out(pair.post) for pair in draw_pairs([posts], with_model(model), 1000, held_out=True)} == {True}


def clean(name: str, thing: str, forum: str = "odd") -> CleanPost:
    replies = (CleanComment("a", "", "x", (f"The {thing} is old and broken.",)), CleanComment("s", "", "x", ("No.",)))
    threads = (
        CleanComment("b", "a", "y", (f"Then mend the {thing} with glue.",)),
        CleanComment("d", "b", "x", (f"That {thing} cannot be mended.",)),
        CleanComment("e", "s", "y", ("A reply to one that is too short.",)),
        CleanComment("f", "gone", "y", ("A reply to one that was dropped.",)),
    )
    return CleanPost(name, forum, "Title", "z", (f"My {thing}.",), 0, replies, threads)


def test_pairs_are_replies_to_posts_and_to_comments_with_the_conversation_above_them() -> None:
    pairs = list_pairs(clean("t3_x", "lamp"))
    said = {pair.reply: pair.context for pair in pairs}
    above = (("My lamp.",), ("The lamp is old and broken.",))
    assert said == {
        ("The lamp is old and broken.",): above[:1],
        ("Then mend the lamp with glue.",): above,
        ("That lamp cannot be mended.",): (*above, ("Then mend the lamp with glue.",)),
    }
    assert [pair.kind for pair in pairs] == ["post", "comment", "comment"]
    many = tuple(CleanComment(f"m{place}", "", "x", (f"This is the lamp number {place}.",)) for place in range(9))
    deep = tuple(CleanComment(f"n{place}", "m1", "x", (f"That is no lamp, {place}, is it?",)) for place in range(9))
    kinds = [pair.kind for pair in list_pairs(replace(clean("t3_x", "lamp"), replies=many, threads=deep))]
    assert kinds == ["post"] * 6 + ["comment"] * 2


def test_others_are_of_other_posts_of_the_forum_and_recall_counts_first_places() -> None:
    near = [pair for number in range(11) for pair in list_pairs(clean(f"t3_{number}", THINGS[number]))]
    far = [pair for number in range(11) for pair in list_pairs(clean(f"t3_f{number}", THINGS[-number], "far"))]
    others = draw_others([*near, *far], 9)
    for pair, drawn in zip(near, others, strict=False):
        same = {one.reply for one in near if one.kind == pair.kind and one.post != pair.post}
        assert len(set(drawn)) == 9
        assert set(drawn) <= same - {pair.reply}
    said_again = near[0].reply
    assert all(said_again not in drawn for drawn in draw_others([near[0], replace(near[0], post="t3_again"), *near[2:]], 9)[:2])
    recall = measure_recall(near, others[: len(near)], {"words": WordsScorer()})
    assert recall["replies to posts"] == {"pairs": 11, "posts": 11, "words": {"value": 1, "low": 1, "high": 1}}
    (rate,) = estimate_rates(
        [replace(near[0], post=f"t3_{place % 4}") for place in range(400)], [np.array([1.0, 1.0, 0.0, 0.0] * 100)]
    )
    # Four posts, each all hits or none: four hundred replies say no more.
    assert (rate.value, rate.low, rate.high) == (0.5, 0.0, 1.0)
    worst = measure_recall(near, [[pair.reply] * 9 for pair in near], {"words": WordsScorer()})
    assert worst["replies to comments"]["words"]["value"] == 0


def test_conversations_that_were_read_are_found_by_the_hashes_of_their_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [
        "The lamp in the hall smokes every night. Why does it smoke in the rain?",
        "Is the wick dry where you keep it?",
        "It hangs over the stove at night.",
        "Then the oil is too old for it.",
    ]
    below: dict[str, Any] = {}
    for place, text in reversed([*enumerate(said)][1:]):
        below = {f"c{place}": {"author": "wick" if place == 2 else "cat", "text": text, "replies": below}}
    lines = [{"sid": name, "title:": "", "text": said[0], "author": "wick", "comments": below} for name in ("one", "two")]
    lines[1]["text"] = "The boat in the harbour leaks every night. Why does it leak in the rain?"
    (tmp_path / "posts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    read = tmp_path / "read.tsv"
    monkeypatch.setattr(dialogues, "READ", read)
    config = ThreadsConfig(scorer=ScorerConfig(kind="words"))

    def judge(*marks: str) -> dict[str, Any]:
        turns = zip(said, marks, strict=True)
        read.write_text("".join(f"{dialogues._hash_turn([text])}\t{mark}\n" for text, mark in turns))
        return judge_readings([str(tmp_path)], config)

    assert judge("-", "-", "-", "-") == {"told": 1, "good": 1.0, "area_of_coherence": None}
    assert judge("-", "m", "-", "-") == {"told": 1, "good": 0.0, "area_of_coherence": None}
