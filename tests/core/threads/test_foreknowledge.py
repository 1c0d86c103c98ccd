"""Words that a post tells only later are counted, and replies that have them are taken later or not at all."""

from dataclasses import replace

from core.threads.config import SearchConfig
from core.threads.dialogues import CleanComment, CleanPost
from core.threads.scoring import KnownScores, WordsScorer
from core.threads.search import MOST_WORDS, DialogueSearch, count_foreknown, list_untold, list_word_stems

SAID = ("My lantern flickers.", "It hangs in the boathouse, the lantern.", "A goat lives there too.")


def test_words_are_untold_until_their_sentence_is_said() -> None:
    untold = list_untold(SAID, ("The kettle was cut off.",))
    assert untold[0] == {"hangs", "boatho", "goat", "lives", "kettle", "cut"}
    assert untold[1] == {"goat", "lives", "kettle", "cut"}
    assert untold[2] == {"kettle", "cut"}


def test_a_reply_is_judged_by_few_words_and_usual_ones_say_nothing() -> None:
    untold = list_untold(SAID, ())[0]
    assert count_foreknown(list_word_stems(["Is the goat in the boathouse?"]), untold) == 2
    assert (
        count_foreknown(list_word_stems(["I think people should know that."]), list_word_stems(["People know and think."])) == 0
    )
    assert count_foreknown(list_word_stems(["hangs boathouse goat lives"]), untold) == MOST_WORDS


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
    assert known is not None
    assert unknown is not None
    assert "goat" in " ".join(known.utterances[1])
    assert known.utterances[0] == ("My lantern flickers.",)
    assert unknown.utterances[0] == ("My lantern flickers.", "The goat stands near the lantern.")
