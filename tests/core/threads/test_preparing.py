"""Each filter drops what it is for; 35 difficult posts end as was written down by reading them."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.people.pseudonyms import pseudonymise
from core.text.sentences import make_splitter, split_by_rules
from core.threads.config import PostConfig, PrefilterConfig, SearchConfig, ThreadsConfig
from core.threads.dialogues import Dialogue
from core.threads.formats import name_post, read_post
from core.threads.methods import find_dialogues
from core.threads.posts import Comment, Post
from core.threads.preparing import (
    Prepared,
    cut_addresses,
    cut_sentences,
    find_spelled,
    limit_sentences,
    measure_text,
    prepare_post,
    score_starter,
)
from core.threads.scoring import KnownScores, WordsScorer


def test_pseudonyms_need_the_key() -> None:
    one = pseudonymise("Some_One", b"key")
    assert one == pseudonymise("some_one", b"key") == "author-" + one[7:]
    assert len(one) == 23
    assert one != pseudonymise("some_one", b"other")
    assert one != pseudonymise("some_two", b"key")
    assert pseudonymise(None, b"key") == "author-unknown"


FILTERS = PrefilterConfig()
TEXT = "The lantern hung in the boathouse for forty years. Now it flickers whenever it rains on the roof."
DRY = Comment("c1", "", "cat", "Dry the oil first.")
POST = Post("t3_x", "lanterns", "A lantern that flickers", TEXT, "wick", False, True, (DRY,))


def drop(post: Post, config: PrefilterConfig = FILTERS) -> list[str]:
    prepared = prepare_post(post, config, PostConfig(), split_by_rules)
    assert (prepared.post is None) == any(entry.kind == "post" for entry in prepared.drops)
    return [entry.reason for entry in prepared.drops if entry.kind == "post"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"text": "Die Laterne hing vierzig Jahre im Bootshaus. Jetzt flackert sie, wenn Regen auf das Dach fällt."}, "language"),
        ({"text": "Фонарь висел в лодочном сарае. Теперь он мигает, когда идёт дождь."}, "language"),
        ({"text": "灯笼在船屋里挂了四十年。现在一下雨它就闪烁。灯笼是潮湿的吗?"}, "language"),
        ({"text": "[removed]"}, "deleted"),
        ({"text": TEXT + " \ufffd"}, "invalid characters"),
        ({"text": TEXT + " See www.lanterns.example for more."}, "url"),
        ({"text": TEXT + " What a bitchy roof it is."}, "vulgar"),
        ({"text": ""}, "title only"),
        ({"text": "The lantern hung in the boathouse for forty years and now it flickers when it rains"}, "title only"),
        ({"text": TEXT + " ##@@" * 60}, "language quality"),
        ({"over_18": True}, "over 18"),
        ({"is_text": False}, "no text post"),
        ({"title": "Simple Questions: February 22, 2022"}, "discussion starter"),
        ({"moderated": True}, "discussion starter"),
        ({"comments": ()}, "no replies"),
        ({"comments": (Comment("c1", "", "wick", "I found it out myself."),)}, "no replies"),
        ({"text": "x" * 2000 + f" and it is {TEXT[0].lower()}{TEXT[1:]}"}, "first sentence too long"),
    ],
)
def test_each_filter_names_its_reason(changes: dict[str, object], reason: str) -> None:
    settings = {"title": ""} if reason == "first sentence too long" else {}
    filters = replace(FILTERS, urls="drop") if reason == "url" else FILTERS
    assert drop(replace(POST, **{**settings, **changes}), filters) == [reason]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "text", "value"),
    [
        ({"text": "It flickers. Why is that?"}, "It flickers. Why is that?", 5.0),
        ({"text": "Ask wick@lanterns.example. Why?"}, "Ask [email]. Why?", 3.0),
        ({"text": "[removed]"}, "", None),
        ({"title": "My whore lantern"}, f"My whore lantern {TEXT}", 1.0),
        ({"title": "Simple Questions: February 22, 2022"}, f"Simple Questions: February 22, 2022 {TEXT}", 0.75),
        ({"over_18": True}, f"{POST.title} {TEXT}", None),
    ],
)
def test_what_is_dropped_keeps_what_the_filter_saw_and_measured(changes: dict[str, Any], text: str, value: float | None) -> None:
    (dropped,) = prepare_post(replace(POST, **changes), FILTERS, PostConfig(), split_by_rules).drops
    assert dropped.text.endswith(text)
    assert dropped.value == value


def test_sentences_with_an_address_are_cut_out_with_what_announces_them() -> None:
    address = "https://lanterns.example/oil"
    said = replace(DRY, text=f"{DRY.text} I wrote it down: {address}. The wick is old. Read this:\n{address}")
    refused = Comment("c3", "", "owl", f"{DRY.text} Please do not use this anywhere, it is from {address}.")
    comments = (said, Comment("c2", "", "dog", f"See {address}"), refused)
    post = replace(POST, text=f"{TEXT} See {address}.", comments=comments)
    prepared = prepare_post(post, FILTERS, PostConfig(), split_by_rules)
    assert " ".join(prepared.post.sentences[1:]) == TEXT
    assert [comment.sentences for comment in prepared.post.replies] == [(DRY.text, "The wick is old.")]
    reasons = [("t3_x_c2", "url"), ("t3_x_c3", "its author forbids its use")]
    assert [(entry.id, entry.reason) for entry in prepared.drops] == reasons


def test_a_decision_changes_with_its_threshold_or_list_and_the_score_stays() -> None:
    post = replace(POST, title="Monthly recommendations thread")
    assert score_starter(post) == 0.5
    assert drop(post) == ["discussion starter"]
    assert drop(post, replace(FILTERS, starter_threshold=0.6)) == []
    assert score_starter(POST) == 0
    insults = replace(POST, text=TEXT + " What a bitchy roof it is.")
    assert drop(insults, replace(FILTERS, vulgar="keep")) == drop(insults, replace(FILTERS, allowed_words=("bitchy",))) == []
    post = replace(POST, text=TEXT + " What a f*cking crappy roof it is.")  # swearing stays, as in the thesis's own dialogues
    assert drop(post) == []
    assert drop(post, replace(FILTERS, allowed_words=())) == ["vulgar"]


def test_vulgar_words_spelled_with_signs_are_found_and_grades_emphasis_and_honours_are_not() -> None:
    words = {"shit", "fuck", "ass", "bitch", "cock"}
    found = {text: find_spelled(text, words) for text in ("Oh s**t.", "f@ck it", "F#CK", "a$$ hole", "b!tch!", "a c0ck")}
    assert [sorted(each) for each in found.values()] == [["shit"], ["fuck"], ["fuck"], ["ass"], ["bitch"], ["cock"]]
    plain = "A* in C# and an A1, *ass* or **bold**, no class! a@b.com, $10, 3.0, 2**3, I was"
    assert find_spelled(plain, words) == set()
    assert drop(replace(POST, text=TEXT + " What a b!tchy roof it is.")) == ["vulgar"]
    assert measure_text("", ["She graduated magna cum laude."], PrefilterConfig()).vulgar == ()
    assert measure_text("", ["cum"], PrefilterConfig()).vulgar == ("cum",)


def test_what_was_added_to_a_post_later_is_cut_off_and_a_long_sentence_stays_without_its_address() -> None:
    said = ("Edited volumes are rare.", "Update your lamp.", "Is it dry?", "EDIT 2: it is.", "Thanks.")
    assert limit_sentences(said, PostConfig()) == said[:3]
    assert limit_sentences(said, PostConfig(edits="keep")) == said
    for added in ("Edit: thanks", "Update: it burns", "ETA - more", "Edit", "*Edit1:* more"):
        assert limit_sentences(("A lamp.", added), PostConfig()) == ("A lamp.",)
    long = "The keeper said that a lamp which smokes wants a shorter wick, clean glass and oil that has stood in the warm " * 2
    assert cut_addresses((f"{long}(https://w.example/wicks): see",)) == (f"{long.strip()}: see",)
    assert cut_addresses((f"{long}for a day: https://w.example/wicks",)) == (f"{long}for a day.",)
    assert cut_addresses(("Look: https://w.example/",)) == ()
    assert cut_addresses((f"{long}as wicks.example says",)) == (f"{long}as wicks.example says",)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("The lamp of my \naunt is wet.  \nIt drips.", ("The lamp of my aunt is wet.", "It drips.")),
        ("The lamp, which is old,\n is wet", ("The lamp, which is old, is wet",)),
        ("It is wet.\nso I wait", ("It is wet.", "so I wait")),
        ("wet lamps\n\ndry lamps", ("wet lamps", "dry lamps")),
        ("see here\nhttps://lamps.example", ("see here", "https://lamps.example")),
        ("please help\ni'm wet", ("please help", "i'm wet")),
        ("b. lamps\nc. bulbs", ("b. lamps", "c. bulbs")),
    ],
)
def test_a_sentence_that_is_broken_over_two_lines_is_joined(text: str, sentences: tuple[str, ...]) -> None:
    assert cut_sentences(text, split_by_rules, PostConfig().lines) == sentences
    assert len(cut_sentences(text, split_by_rules, "break")) == text.count("\n") + 1 - text.count("\n\n")


INSERTING = ThreadsConfig(
    prefilter=PrefilterConfig(urls="drop", allowed_words=()),
    post=PostConfig(max_characters=1000, max_sentences=10),
    search=SearchConfig("insert", max_comment_sentences=12),
)
"""The profile `insert`."""
SPLIT = make_splitter("regex")
OUTCOMES = {
    name: outcome
    for outcome, names in {
        "deleted": "q4scg3 qunzqe",
        "url": "qejbhy qptnht ovlzo2 pxwlmj qrr1ug qhthrw rag2fm",
        "no replies": "qlh9zc pwxyt2 pkm157 rgeq4u rd6l54 r0obfl rb9akq",
        "no dialogue long enough": "g0qehz",
        "lands": "rgod0w q17ywb q9cgbz q7jo1n q2km1m r3thkz l5gs0v jw8x16 jywyrm rep3ft",
        "too short": "jislmw q40r5r",
        "title only": "q9f31n qe56rf qlbqi6",
        "vulgar": "br12nt qd98k2 a4ax1r",
    }.items()
    for name in names.split()
}


def read_lines(path: Path) -> dict[str, bytes]:
    return {name_post(line).removeprefix("t3_"): line for line in path.read_bytes().splitlines()}


def prepare(line: bytes) -> Prepared:
    return prepare_post(read_post(name_post(line), [line], b"key"), INSERTING.prefilter, INSERTING.post, SPLIT)


def search(prepared: Prepared) -> list[Dialogue]:
    return find_dialogues(prepared.post, KnownScores(WordsScorer()), INSERTING.search, INSERTING.scorer.max_context)


@pytest.fixture(scope="module")
def difficult(corpora: Path) -> dict[str, bytes]:
    return read_lines(corpora / "forum" / "threads_edge.jsonl")


@pytest.mark.parametrize("name", OUTCOMES)
def test_each_difficult_post_lands_or_is_dropped_for_its_reason(name: str, difficult: dict[str, bytes]) -> None:
    prepared = prepare(difficult[name])
    reasons = [drop.reason for drop in prepared.drops if drop.kind == "post"]
    if OUTCOMES[name] not in ("lands", "no dialogue long enough"):
        assert (reasons, prepared.post) == ([OUTCOMES[name]], None)
        return
    assert reasons == []
    assert [len(dialogue.turns) >= 4 for dialogue in search(prepared)] == [True] * (OUTCOMES[name] == "lands")


def test_the_thesis_threads_give_dialogues_whose_every_sentence_is_traced(corpora: Path) -> None:
    threads = read_lines(corpora / "forum" / "reference_threads_30.jsonl")
    theirs = (corpora / "forum" / "reference_dialogues_30.jsonl").read_text(encoding="utf-8").splitlines()
    assert set(threads) == {json.loads(line)["sid"] for line in theirs}
    found = {}
    for name, line in threads.items():
        prepared = prepare(line)
        if prepared.post is None:
            continue
        post = read_post(name_post(line), [line], b"key")
        sources = {comment.id: cut_sentences(comment.text, SPLIT, INSERTING.post.lines) for comment in post.comments}
        said = cut_sentences(post.text, SPLIT, INSERTING.post.lines)
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


FORBIDDEN = """DON'T USE THIS INFORMATION ANYWHERE | Please do not repost this story. | This post may not be reproduced.
    I do not give permission for this to be used in any video."""
ALLOWED = """Don't use this lamp. | Do not use this for reading at night. | You can't use this information to mend a lamp.
    I don't give my pupils permission to share this lamp."""


@pytest.mark.parametrize(("lines", "reasons"), [(FORBIDDEN, ["its author forbids its use"]), (ALLOWED, [])])
def test_a_post_whose_author_forbids_its_use_is_left_out(lines: str, reasons: list[str]) -> None:
    for said in re.split(r"[|\n]", lines):
        text = f"{said.strip()}\n\nMy lamp smokes whenever the wind comes from the sea. What do you think I should do?"
        assert drop(replace(POST, text=text)) == reasons, said
