"""Posts in shards: what is released, joined and refused; what a second run computes; posts and authors taken down."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zstandard

from core.dataset.units import name_shard
from core.errors import ConfigError
from core.threads.config import ScorerConfig, ThreadsConfig
from infra.store.objects import Store
from tasks.frame.records import RecordFiles
from tasks.frame.release_spec import RELEASE
from tasks.pipelines import THREADS
from tasks.threads.release import REASON_SETTINGS
from tasks.threads.scorers import check_scorer
from tests.record_files import write_lines
from tests.tasks import in_process
from tests.tasks.conftest import Example

WORDS = {"scorer": {"kind": "words"}, "search": {"method": "insert"}}


def submission(name: str, word: str = "lantern") -> dict[str, object]:
    said = f"The {word} hung in the boathouse for forty years. Now the {word} flickers whenever it rains. Is the {word} damp?"
    return {"id": name, "subreddit": "odd", "title": f"A {word}", "selftext": said, "author": "wick", "is_self": True}


def reply(name: str, post: str, text: str, parent: str = "", author: str = "cat") -> dict[str, object]:
    return {"id": name, "link_id": f"t3_{post}", "parent_id": parent or f"t3_{post}", "author": author, "body": text}


def replies(post: str, word: str = "lantern") -> list[dict[str, object]]:
    said = [f"Dry the {word} with a cloth.", f"My {word} flickers in rain too.", f"Leave the {word} in the boathouse."]
    return [reply(f"{post}c{place}", post, text) for place, text in enumerate(said)]


def read(store: Store, table: str) -> list[dict[str, Any]]:
    return in_process.read_rows(store, THREADS.name, table)


def test_the_example_lands_and_every_drop_has_its_reason(threads: Example) -> None:
    rows = threads.rows("dialogues")
    assert {row["post"] for row in rows} <= {"t3_lamp01", "t3_tea02", "t3_clock04", "t3_goat05", "t3_snow06"}
    assert len(rows) == 4
    drops = {(row["id"], row["reason"]) for row in threads.rows("rejects")}
    assert {
        ("t3_week03", "discussion starter"),
        ("t3_pic07", "no text post"),
        ("t3_lamp01_a5", "deleted"),
        ("t3_lamp01_a6", "url"),
        ("t3_lamp01_a7", "by the post's author"),
        ("t3_goat05_more", "4 comments that the page does not list"),
        ("t3_snow06_f5", "a comment above it is missing"),
    } <= drops
    assert [reason for name, reason in drops if name.endswith("_0")] == ["least coherent"]


def test_rows_hold_both_views_and_where_each_sentence_is_from(threads: Example) -> None:
    for row in threads.rows("dialogues"):
        texts = [turn["text"] for turn in row["turns"]]
        assert len(texts) >= 4
        assert [turn["speakers"] for turn in row["turns"]] == [[f"Speaker {1 + place % 2}"] for place in range(len(texts))]
        assert [message["content"] for message in row["messages"]] == texts
        roles = [message["role"] for message in row["messages"]]
        assert roles == [("user", "assistant")[place % 2] for place in range(len(texts))]
        assert row["dialogue"].split("\n")[1] == f"Speaker 2: {texts[1]}"
        assert len(row["scores"]) == len(texts) - 1
        for place, text in enumerate(texts):
            assert " ".join(s for piece in row["pieces"] if piece["turn"] == place for s in piece["sentences"]) == text
        assert set(row["authors"]) == {piece["author"] for piece in row["pieces"]}
        assert not {"wick_and_glass", "harbour_cat"} & set(row["authors"])


def test_posts_and_comments_of_several_files_are_joined_and_orphans_are_named(source: Path, store: Store) -> None:
    write_lines(source / "RS.ndjson", submission("one"), submission("two", "kettle"))
    write_lines(source / "RC_1.jsonl", *replies("two", "kettle")[:2], replies("one")[0], reply("x", "lost", "No post."))
    write_lines(source / "RC_2.jsonl", *replies("one")[1:], replies("one")[0], replies("two", "kettle")[2])
    summary = in_process.run(THREADS, source, store, **WORDS)
    assert {row["post"] for row in read(store, "dialogues")} == {"t3_one", "t3_two"}
    sources = {piece["source"] for row in read(store, "dialogues") for piece in row["pieces"]}
    assert {"onec0", "onec1"} <= sources
    assert [failure.unit for failure in summary.quarantined] == ["t3_lost"]
    again = in_process.run(THREADS, source, store, **WORDS)
    assert (again.computed, again.release) == ((), summary.release)
    write_lines(source / "RC_3.jsonl", *replies("new", "bell"))
    write_lines(source / "RS_3.jsonl", submission("new", "bell"))
    third = in_process.run(THREADS, source, store, **WORDS)
    neighbours = {name for name in ("t3_one", "t3_two", "t3_new") if name_shard(name, 64) == name_shard("t3_new", 64)}
    assert set(third.computed) == neighbours


def test_a_text_that_was_posted_several_times_is_released_once(source: Path, store: Store) -> None:
    copies = ["abc1", "abb9", "xz"]
    assert len({name_shard(f"t3_{name}", 64) for name in copies}) == 3
    posts = [submission("other", "kettle"), *(submission(name) for name in copies)]
    write_lines(source / "RS.ndjson", *posts, submission("alike", "lanterns"))
    answers = [each for place, name in enumerate(copies) for each in (*replies(name)[place:], *replies(name)[:place])]
    write_lines(source / "RC.ndjson", *replies("other", "kettle"), *replies("alike", "lanterns"), *answers)
    in_process.run(THREADS, source, store, **WORDS)
    assert {row["post"] for row in read(store, "dialogues")} == {"t3_xz", "t3_other", "t3_alike"}
    assert {row["post"] for row in read(store, "rejects") if row["reason"] == "repost"} == {"t3_abc1", "t3_abb9"}


def test_dumps_have_their_own_names_and_what_is_no_record_file_is_told(source: Path, store: Store) -> None:
    write_lines(source / "RS_2020-01", submission("one"))
    write_lines(source / "odd_comments", *replies("one"))
    for name, record in (("RS_2020-02.zst", [submission("two", "kettle")]), ("RC_2020-02.zst", replies("two", "kettle"))):
        lines = "".join(json.dumps(line) + "\n" for line in record).encode()
        (source / name).write_bytes(zstandard.ZstdCompressor().compress(lines))
    for name in ("RC_2020-03.bz2", "posts.parquet", "posts.json.gz", "corpus/conversations.json", "corpus/corpus.json"):
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text("{}")
    write_lines(source / "empty.jsonl")
    (source / "notes.txt").write_text("No posts.")
    summary = in_process.run(THREADS, source, store, **WORDS)
    assert {row["post"] for row in read(store, "dialogues")} == {"t3_one", "t3_two"}
    reasons = {failure.unit: failure.reason for failure in summary.quarantined}
    assert {name for name, reason in reasons.items() if "no record file by its name" in reason} == {
        "RC_2020-03.bz2", "posts.parquet", "posts.json.gz",
    }  # fmt: skip
    assert "without utterances.jsonl" in reasons["corpus/conversations.json"]
    assert "empty" in reasons["empty.jsonl"]
    assert len(reasons) == 5


def test_a_corpus_has_its_titles_in_a_file_of_their_own(source: Path, store: Store) -> None:
    said = submission("one")
    post = {"id": "one", "conversation_id": "one", "reply_to": None, "speaker": "wick", "text": said["selftext"]}
    below = [
        {"id": each["id"], "reply_to": "one", "conversation_id": "one", "speaker": "cat", "text": each["body"]}
        for each in replies("one")
    ]
    write_lines(source / "corpus" / "utterances.jsonl", post, *below)
    write_lines(source / "corpus" / "conversations.json", {"one": {"meta": {"title": "A lantern in the rain"}}})
    assert not in_process.run(THREADS, source, store, **WORDS).quarantined
    assert [(row["post"], row["title"]) for row in read(store, "dialogues")] == [("t3_one", "A lantern in the rain")]


def test_damaged_files_and_long_lines_lose_nothing_but_themselves(
    source: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(source / "good.jsonl", submission("one"), *replies("one"))
    whole = zstandard.ZstdCompressor().compress((json.dumps(submission("two")) + "\n").encode() * 2000)
    (source / "cut.ndjson.zst").write_bytes(whole[: len(whole) // 2])
    (source / "page.json").write_text("{")
    with (source / "good.jsonl").open("a") as stream:
        stream.write('{"id": "three", "title": "' + "x" * 40_000 + '"}\n')
    limit = RecordFiles.__dataclass_fields__["limit"].default
    monkeypatch.setattr(
        "tasks.threads.ingestion.RecordFiles", lambda **rules: RecordFiles(limit=replace(limit, bytes=30_000), **rules)
    )
    summary = in_process.run(THREADS, source, store, **WORDS)
    assert [row["post"] for row in read(store, "dialogues")] == ["t3_one"]
    reasons = " ".join(failure.reason for failure in summary.quarantined)
    assert "compression is damaged" in reasons
    assert "longer than a record may be" in reasons
    assert "page.json" in reasons
    assert "no JSON" in reasons


def test_ten_thousand_levels_go_through_the_pipeline(source: Path, store: Store) -> None:
    tree = "{}"
    for level in range(10_000):
        tree = f'{{"d{level}": {{"text": "yes", "author": "a", "replies": {tree}}}}}'
    top, *others = (json.dumps({"text": record["body"], "author": "cat"})[:-1] for record in replies("deep"))
    comments = ", ".join([f'"c": {top}, "replies": {tree}}}', *(f'"e{at}": {each}}}' for at, each in enumerate(others))])
    text = json.dumps(submission("deep")["selftext"])
    source.mkdir()
    (source / "deep.jsonl").write_text(
        f'{{"sid": "deep", "title:": "A lantern", "text": {text}, "author": "wick", "comments": {{{comments}}}}}\n'
    )
    summary = in_process.run(THREADS, source, store, **WORDS)
    assert summary.quarantined == ()
    assert [row["post"] for row in read(store, "dialogues")] == ["t3_deep"]


def test_the_scorer_reply_needs_a_file() -> None:
    with pytest.raises(ConfigError, match=r"set scorer\.model"):
        check_scorer(ScorerConfig(kind="reply"))


def test_the_reasons_of_a_release_name_the_settings_that_decide() -> None:
    rejects = [{"reason": reason} for reason in (*REASON_SETTINGS, "deleted")]
    told = {each.reason: each.setting for each in THREADS.load(RELEASE).explain_rejects(ThreadsConfig(), rejects)}
    assert told["too short"] == "prefilter.min_post_words = 12, prefilter.min_comment_words = 3"
    assert [reason for reason, setting in told.items() if not setting] == ["deleted"]
