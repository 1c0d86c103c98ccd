"""Each filter drops what it is for and nothing beside it; scores and decisions are apart."""

from dataclasses import replace

import pytest

from core.text.sentences import split_by_rules
from core.threads.config import PostConfig, PrefilterConfig
from core.threads.posts import Comment, Post
from core.threads.preparing import (
    cut_sentences,
    find_spelled,
    judge_text,
    limit_sentences,
    measure_text,
    prepare_post,
    score_quality,
    score_starter,
)

CONFIG = PrefilterConfig()
TEXT = "The lantern hung in the boathouse for forty years. Now it flickers whenever it rains on the roof."
POST = Post(
    "t3_x", "lanterns", "A lantern that flickers", TEXT, "wick", False, True, (Comment("c1", "", "cat", "Dry the oil first."),)
)


def drop(post: Post, config: PrefilterConfig = CONFIG) -> list[str]:
    prepared = prepare_post(post, config, PostConfig(), split_by_rules)
    assert (prepared.post is None) == any(entry.kind == "post" for entry in prepared.drops)
    return [entry.reason for entry in prepared.drops if entry.kind == "post"]


def test_a_good_post_passes() -> None:
    assert drop(replace(POST, text=TEXT + " 灯笼")) == []
    assert drop(POST) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"text": "Die Laterne hing vierzig Jahre im Bootshaus. Jetzt flackert sie immer, wenn Regen auf das Dach fällt."},
            "language",
        ),
        ({"text": "Фонарь висел в лодочном сарае. Теперь он мигает, когда идёт дождь."}, "language"),
        ({"text": "灯笼在船屋里挂了四十年。现在一下雨它就闪烁。灯笼是潮湿的吗?"}, "language"),
        ({"text": "[removed]"}, "deleted"),
        ({"text": "[deleted by user]"}, "deleted"),
        ({"text": TEXT + " \ufffd"}, "invalid characters"),
        ({"text": TEXT + " \x07"}, "invalid characters"),
        ({"text": TEXT + " See www.lanterns.example for more."}, "url"),
        ({"text": TEXT + " What a shitty roof it is."}, "vulgar"),
        ({"text": "It flickers. Why is that?"}, "too short"),
        ({"text": ""}, "title only"),
        ({"text": "The lantern hung in the boathouse for forty years and now it flickers when it rains"}, "title only"),
        ({"text": TEXT + " ##@@" * 60}, "language quality"),
        ({"title": "My fucking lantern"}, "vulgar"),
        ({"over_18": True}, "over 18"),
        ({"is_text": False}, "no text post"),
        ({"title": "Simple Questions: February 22, 2022"}, "discussion starter"),
        ({"moderated": True}, "discussion starter"),
        ({"comments": ()}, "no replies"),
        ({"comments": (Comment("c1", "", "wick", "I found it out myself."),)}, "no replies"),
        (
            {"text": "x" * 2000 + " and it is the lantern that was in the boathouse for all of the years. Yes."},
            "first sentence too long",
        ),
    ],
)
def test_each_filter_names_its_reason(changes: dict[str, object], reason: str) -> None:
    settings = {"title": ""} if reason == "first sentence too long" else {}
    assert drop(replace(POST, **{**settings, **changes})) == [reason]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("config", "reasons"),
    [
        (replace(CONFIG, forums=("Kettles",)), ["forum"]),
        (replace(CONFIG, forums=("LANTERNS",)), []),
        (replace(CONFIG, denied_forums=("Lanterns",)), ["forum"]),
        (replace(CONFIG, vulgar_words=("roof",)), ["vulgar"]),
    ],
)
def test_forums_and_words_of_the_settings(config: PrefilterConfig, reasons: list[str]) -> None:
    assert drop(POST, config) == reasons


def test_a_decision_changes_with_its_threshold_and_the_score_stays() -> None:
    post = replace(POST, title="Monthly recommendations thread")
    assert score_starter(post) == 0.5
    assert drop(post) == ["discussion starter"]
    assert drop(post, replace(CONFIG, starter_threshold=0.6)) == []
    assert score_starter(POST) == 0
    swears = replace(POST, text=TEXT + " What a shitty roof it is.")
    assert drop(swears, replace(CONFIG, vulgar="keep")) == drop(swears, replace(CONFIG, allowed_words=("shitty",))) == []


def test_words_inside_words_are_not_vulgar_and_dots_are_no_address() -> None:
    marks = measure_text("Scunthorpe classes. I.e. this one...or that.", ["Scunthorpe classes."], CONFIG)
    assert (marks.vulgar, marks.urls) == ((), 0)
    assert judge_text(marks, CONFIG, 1) is None


def test_mathematical_letters_are_read_as_the_letters_they_look_like() -> None:
    bold = "".join(chr(0x1D5EE + ord(sign) - ord("a")) if sign.isascii() and sign.islower() else sign for sign in TEXT)
    assert drop(replace(POST, text=bold)) == []


def test_vulgar_words_spelled_with_signs_are_found_and_grades_and_emphasis_are_not() -> None:
    words = {"shit", "fuck", "ass", "bitch", "cock"}
    found = {text: find_spelled(text, words) for text in ("Oh s**t.", "f@ck it", "F#CK", "a$$ hole", "b!tch!", "a c0ck")}
    assert [sorted(each) for each in found.values()] == [["shit"], ["fuck"], ["fuck"], ["ass"], ["bitch"], ["cock"]]
    plain = "A* in C# and an A1, *ass* or **bold**, no class! a@b.com, $10, 3.0, 2**3, I was"
    assert find_spelled(plain, words) == set()
    assert drop(replace(POST, text=TEXT + " What a sh!tty roof it is.")) == ["vulgar"]


def test_what_was_added_to_a_post_later_is_cut_off() -> None:
    said = ("Edited volumes are rare.", "Update your lamp.", "Is it dry?", "EDIT 2: it is.", "Thanks.")
    assert limit_sentences(said, PostConfig()) == said[:3]
    assert limit_sentences(said, PostConfig(edits="keep")) == said
    for added in ("Edit: thanks", "Update: it burns", "ETA - more", "Edit", "*Edit1:* more"):
        assert limit_sentences(("A lamp.", added), PostConfig()) == ("A lamp.",)


def test_quality_of_shouting_and_of_prose() -> None:
    assert score_quality(TEXT, TEXT.split()) > 0.9
    assert score_quality("", []) == 0
    shout = "WHY IS THE LANTERN ALWAYS OUT"
    assert score_quality(shout, shout.split()) == 0


def test_posts_are_cut_at_characters_and_at_sentences() -> None:
    cut = PostConfig(max_characters=7, max_sentences=2)
    assert limit_sentences(["abc", "defg", "h"], cut) == ("abc", "defg")
    assert limit_sentences(["abc", "defgh"], cut) == ("abc",)
    assert limit_sentences(["abcdefgh"], cut) == ()


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
