from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.people.pseudonyms import UNKNOWN_AUTHOR
from core.threads.config import SearchConfig
from core.threads.conversations import list_exchanges, tell_post
from core.threads.dialogues import CleanComment, CleanPost, Dialogue
from core.threads.methods import find_dialogues, list_reachable
from core.threads.scoring import EmbeddingScorer, KnownScores, ScoreRequest, SentenceVectors, WordsScorer

CONFIG = SearchConfig()
ASK = "Is it dry where you keep the lantern?"
TELL = "It hangs over the stove in the hall."
GO_ON = "Then the oil is too old for it."
LATER = "Shall I buy new oil for it on Monday?"


def comment(name: str, parent: str, author: str, *sentences: str) -> CleanComment:
    return CleanComment(name, parent, author, sentences)


def post_of(*comments: CleanComment, said: Sequence[str] = ("My lantern flickers.",), unsaid: Sequence[str] = ()) -> CleanPost:
    replies, threads = (tuple(one for one in comments if (one.parent == "") is top) for top in (True, False))
    return CleanPost("t3_x", "odd", "", "wick", tuple(said), 0, replies, threads, tuple(unsaid))


EXCHANGE = (comment("a", "", "cat", ASK), comment("b", "a", "wick", TELL), comment("c", "b", "cat", GO_ON))


def change(name: str, *sentences: str, author: str = "") -> list[CleanComment]:
    """Return the exchange with other sentences, or another author, in one of its comments."""
    changes: dict[str, Any] = {"author": author} if author else {"sentences": sentences}
    return [replace(one, **changes) if one.id == name else one for one in EXCHANGE]


def find(post: CleanPost, config: SearchConfig = CONFIG) -> Dialogue | None:
    return next(iter(find_dialogues(post, KnownScores(WordsScorer()), config, 50)), None)


def say(post: CleanPost, config: SearchConfig = CONFIG) -> list[str]:
    found = find(post, config)
    return [" ".join(said) for said in found.utterances] if found else []


def tell(*sentences: str, first: int = 0) -> list[str]:
    return [sentence for piece in tell_post(replace(post_of(said=sentences), first=first)) for sentence in piece.sentences]


def test_the_longest_exchange_of_the_author_and_one_commenter_is_told_with_its_sources() -> None:
    others = (comment("d", "", "dog", "Buy another one."), comment("e", "d", "wick", "I have no money for another one."))
    third = (comment("f", "e", "cow", "Nobody has money for it now."), comment("g", "c", "cow", "The oil is never too old."))
    found = find(post_of(*EXCHANGE, *others, *third, comment("h", "c", "wick", LATER)))
    assert [" ".join(said) for said in found.utterances] == ["My lantern flickers.", ASK, TELL, GO_ON, LATER]
    pieces = [(piece.kind, piece.source, piece.author) for turn in found.turns for piece in turn]
    threads = [("comment", "a", "cat"), ("thread", "b", "wick"), ("comment", "c", "cat"), ("thread", "h", "wick")]
    assert pieces == [("post", "t3_x", "wick"), *threads]
    assert {(piece.start, piece.stop) for turn in found.turns for piece in turn} == {(0, 1)}
    assert len(found.scores) == 4


def test_a_post_without_an_exchange_of_named_authors_has_no_conversation() -> None:
    first, answer, _ = EXCHANGE
    assert say(post_of()) == say(post_of(first)) == say(post_of(first, answer)) == []
    assert say(post_of(first, answer), replace(CONFIG, min_turns=3)) == ["My lantern flickers.", ASK, TELL]
    assert say(post_of(*change("b", author="cow"))) == say(post_of(*change("c", author="cow"))) == []
    nameless = [replace(one, author=UNKNOWN_AUTHOR) if one.author == "cat" else one for one in EXCHANGE]
    assert say(post_of(*nameless)) == []
    own = [replace(one, author=UNKNOWN_AUTHOR) if one.author == "wick" else one for one in EXCHANGE]
    assert say(replace(post_of(*own), author=UNKNOWN_AUTHOR)) == []


def test_of_equally_long_conversations_that_is_taken_whose_shortest_comment_is_the_longest() -> None:
    other = (
        comment("d", "", "dog", "I bought a kettle in the town last week, and it has not boiled once since then."),
        comment("e", "d", "wick", "How much did the kettle cost you there, if I may ask?"),
        comment("f", "e", "dog", "The kettle in the town cost me nine, without its lid and without a word of thanks."),
    )
    assert say(post_of(*EXCHANGE, *other)) == say(post_of(*other, *EXCHANGE)) == say(post_of(*other)) != say(post_of(*EXCHANGE))
    short = (*other[:2], replace(other[2], sentences=("It cost me nine without its lid.",)))
    assert say(post_of(*EXCHANGE, *short)) == say(post_of(*EXCHANGE))


def test_the_shortest_conversation_says_something_in_each_turn() -> None:
    short = change("b", "In the hall.")
    assert say(post_of(*short)) == []
    assert len(say(post_of(*short, comment("d", "c", "wick", LATER)))) == 5


@pytest.mark.parametrize(
    "sentence",
    [
        "OP has said it.", "I found it on Reddit.", "As I wrote in my other comment, it is the oil.", "I'll pm you the shop.",
        "author-0123456789abcdef knows more of lanterns.", "Many people here have old lanterns.", "I am a bot.",
        "Lots of people have suggested a new wick, but I am slow.", "All the advice already here is sound.",
        "I only want to add another voice for the oil.", "Another vote for new oil.",
        "As I said above, it is the oil.", "I second that idea of the new wick.",
        "You are the second person to bring the oil up.", "There are many on this board.",
        "It has been days, so sorry to resurrect this.",
        "The way you put it has some people confused.", "I saw it in some posts on here.",
    ],
)  # fmt: skip
def test_an_exchange_ends_before_what_speaks_of_the_forum(sentence: str) -> None:
    last = comment("d", "c", "wick", LATER, sentence)
    assert [len(found) for found in list_exchanges(post_of(*EXCHANGE, last), CONFIG)] == [3]
    asked = change("a", ASK, sentence)
    assert say(post_of(*asked)) == []
    assert say(post_of(*EXCHANGE, said=("Why does this sub hate lanterns?", "I like them."))) == []


def test_a_comment_is_told_without_greeted_names_and_additions_and_not_at_all_where_it_is_too_long() -> None:
    greeted = change("c", f"Hi OldLantern, {GO_ON[0].lower()}{GO_ON[1:]}")
    assert say(post_of(*greeted)) == say(post_of(*EXCHANGE))
    added = change("c", GO_ON, "Edit: I was wrong.", "Sorry.")
    assert say(post_of(*added)) == say(post_of(*EXCHANGE))
    assert say(post_of(*added), replace(CONFIG, max_comment_sentences=1)) == say(post_of(*EXCHANGE))
    longer = change("c", GO_ON, "It is.")
    assert say(post_of(*longer), replace(CONFIG, max_comment_sentences=1)) == []


def test_the_name_of_him_who_is_spoken_to_goes_where_it_only_calls_him() -> None:
    wick = "author-0123456789abcdef"

    def say_to(*said: str) -> list[str]:
        found = [replace(one, author=wick) if one.author == "wick" else one for one in change("a", *said)]
        return say(replace(post_of(*found), author=wick))[1:2]

    for call in (f"@{wick} is it dry?", f"{wick}: is it dry?", f"Hi {wick}, is it dry?", f"Is it dry, @{wick}?"):
        assert say_to(call, ASK) == [f"Is it dry? {ASK}"]
    assert say_to(f"Hello {wick}!", ASK, wick) == [ASK]
    assert say_to(f"{wick} is right.") == say_to(f"I saw {wick} there.") == say_to(f"Hi {wick}!") == []
    assert say_to(f"@{wick.replace('f', 'e')} is it dry?") == []  # somebody else is called


def test_a_commenter_who_knows_what_was_cut_off_and_an_address_are_not_heard() -> None:
    unsaid = ("The chimney of the boathouse is blocked.",)
    knows = change("a", "Clean the chimney of that boathouse first.")
    assert say(post_of(*knows, unsaid=unsaid)) == []
    assert len(say(post_of(*knows))) == len(say(post_of(*EXCHANGE, unsaid=unsaid))) == 4
    linked = [replace(one, linked=one.id == "c") for one in (*EXCHANGE, comment("d", "c", "wick", LATER))]
    assert say(post_of(*linked)) == []
    assert len(say(post_of(*EXCHANGE))) == 4
    assert say(replace(post_of(*EXCHANGE), linked=True)) == []


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Hi everyone!", []),
        ("Hello fellow bakers, the crust is pale.", ["The crust is pale."]),
        ("hey guys so the crust is pale.", ["So the crust is pale."]),
        ("High crusts are pale.", ["High crusts are pale."]),
        ("Hi, I bake.", ["I bake."]),
        ("Thanks in advance!", []),
        ("(author-0123456789abcdef, [user] any thoughts?)", []),
        ("Thanks to my oven it is dark.", ["Thanks to my oven it is dark."]),
        ("Sorry for the long text.", []),
        ("As the title says, it is pale.", []),
        ("I posted about it last week.", []),
        ("Does anybody on this sub know?", []),
        ("What would you guys do?", []),
        ("I ask you as a community.", []),
        ("I hope it is okay to ask here.", []),
        ("I will tell you all of it.", ["I will tell you all of it."]),
        ("I post letters every day.", ["I post letters every day."]),
    ],
)
def test_what_is_said_to_readers_is_left_out_of_a_post(sentence: str, told: list[str]) -> None:
    assert tell("My bread is flat.", sentence, "It smells.") == ["My bread is flat.", *told, "It smells."]
    assert tell("My bread is flat.", "It smells.", "TL;DR: bad bread.", "Help.") == ["My bread is flat.", "It smells."]
    assert tell("My bread is flat.", "Update: it rose.") == ["My bread is flat."]


def test_a_title_gets_its_full_stop_and_its_number_and_has_to_ask_where_it_stands_alone() -> None:
    assert tell("My bread is flat", "It smells.", first=-1) == ["My bread is flat.", "It smells."]
    assert tell("I wish that bread", "would rise.", first=-1) == ["I wish that bread", "would rise."]
    assert tell("Why is it flat?", "It smells.", first=-1) == ["Why is it flat?", "It smells."]
    assert tell("Hello!", "It smells.", first=-1) == ["It smells."]
    for title in ("Hi-fi speakers for a dorm?", "Hey just failed calc.", "Good morning routine", "Hi UNC or Duke?"):
        assert tell(title) == [title]  # it only begins like a greeting
    post = replace(post_of(said=("Flat", "Hi all!", "It smells.")), first=-1)
    assert [(piece.start, piece.stop) for piece in tell_post(post)] == [(-1, 0), (1, 2)]
    assert tell("Lanterns of the old harbour", first=-1) == []
    assert tell("Who lights the lanterns of the harbour?", first=-1) == ["Who lights the lanterns of the harbour?"]
    assert tell("Lanterns of the old harbour", "They are dark.", first=-1) == ["Lanterns of the old harbour.", "They are dark."]


def test_items_of_a_list_get_their_full_stops_and_signatures_go() -> None:
    assert tell("It needs", "Flour", "Salt :)", "Time", "or luck") == ["It needs.", "Flour.", "Salt :)", "Time", "or luck"]
    listed = say(post_of(*change("a", "Look at these", "The oil", "The wick")))
    assert listed[1] == "Look at these. The oil. The wick"
    signed = [replace(one, sentences=(*one.sentences, "Old Tom")) if one.author == "cat" else one for one in EXCHANGE]
    assert say(post_of(*signed)) == say(post_of(*EXCHANGE))
    once = change("a", ASK, "Old Tom")
    assert say(post_of(*once))[1] == f"{ASK} Old Tom"


def test_all_sentences_of_a_conversation_are_foreseen() -> None:
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        return np.ones((len(texts), 2), np.float32)

    scorer = EmbeddingScorer(SentenceVectors(embed))
    post = replace(post_of(*EXCHANGE, said=("A lantern", "Hi all, it flickers.")), first=-1)
    scorer.vectors.learn(list_reachable(post, CONFIG))
    foreseen = len(seen)
    assert len(find_dialogues(post, KnownScores(scorer), CONFIG, 50)) == 1
    assert len(seen) == foreseen > 0
    scorer([ScoreRequest((("Another.",),), ("One.",))])
    assert len(seen) == foreseen + 2


@pytest.mark.parametrize(
    "said",
    [
        "Please post what you found in the end.", "I posted the same one last year.", "That is a very helpful comment.",
        "You can link it in the comments.", "See the list provided above for more lanterns.",
        "I put the link there for everybody.", "Your last paragraph makes me glad.",
        "There was a thread of it last week, or so says reddit.", "Thank you all for your help.",
        "How many posts on lanterns are there?", "I made a post about it.", "Do not comment on a post.", "I misread the title.",
        "It took you time to comment.",
    ],
)  # fmt: skip
def test_what_speaks_of_posts_and_links_ends_a_conversation(said: str) -> None:
    assert say(post_of(*change("b", TELL, said))) == []
    assert tell("My lantern flickers.", said) == ["My lantern flickers."]
    for such in ("Many people have suggestions of their own.", "A gatepost holds it in the storm.", "I hope you read at night."):
        assert len(say(post_of(*change("b", TELL, such)))) == 4  # it only has such words
