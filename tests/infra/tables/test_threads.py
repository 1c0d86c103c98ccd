"""Dialogues of threads as rows: what is left of them where a reader stumbles."""

from core.threads.dialogues import CleanPost, Dialogue, Piece, measure_coherence
from core.threads.reading import Marks
from infra.tables.threads import ReadDialogues, mend_dialogues, tabulate_dialogues

TURNS = (
    (Piece("post", "p", "ann", -1, 0, ("A lamp.",)),),
    (Piece("comment", "c1", "bob", 2, 5, ("Nice.", "As I said.", "I have one.")),),
    (Piece("post", "p", "ann", 0, 2, ("It hums.", "Hello all.")),),
    (Piece("comment", "c2", "cat", 0, 1, ("He is right.",)),),
    (Piece("thread", "c3", "dan", 0, 1, ("Thanks.",)), Piece("post", "p", "ann", 2, 3, ("It is old.",))),
    (Piece("comment", "c4", "eve", 0, 1, ("Mine too.",)),),
)
SCORES = (1.0, 0.5, 0.2, 0.3, 2.0)
POST = CleanPost("p", "odd", "A lamp", "ann", ("A lamp.",), -1, (), ())


def mend(*stumbles: tuple[int, int], weight: float = 0.9) -> ReadDialogues:
    table = tabulate_dialogues(POST, [Dialogue(TURNS, SCORES)], {})
    return mend_dialogues(table, {"p_0": Marks(stumbles, reads_well=True)}, weight, 4)


def test_sentences_go_from_every_column_and_pieces_say_where_the_others_are_from() -> None:
    (row,) = mend((1, 1), (2, 1), (3, 0)).table.to_pylist()
    assert row["plain"].split("\n") == [
        "Speaker 1: A lamp.", "Speaker 2: Nice. I have one.", "Speaker 1: It hums. It is old.", "Speaker 2: Mine too.",
    ]  # fmt: skip
    pieces = [(piece["turn"], piece["source"], piece["start"], piece["stop"], piece["sentences"]) for piece in row["pieces"]]
    assert pieces == [
        (0, "p", -1, 0, ["A lamp."]),
        (1, "c1", 2, 3, ["Nice."]),
        (1, "c1", 4, 5, ["I have one."]),
        (2, "p", 0, 1, ["It hums."]),
        (2, "p", 2, 3, ["It is old."]),
        (3, "c4", 0, 1, ["Mine too."]),
    ]
    assert row["authors"] == ["ann", "bob", "eve"]
    assert row["scores"] == [1.0, 0.5, 2.0]
    assert row["coherence"] == measure_coherence((1.0, 0.5, 2.0))
    assert [turn["text"] for turn in row["turns"]] == [message["content"] for message in row["messages"]]
    assert [turn["number"] for turn in row["turns"]] == [0, 1, 2, 3]


def test_a_thread_goes_with_the_reply_that_it_answers_and_stays_with_it() -> None:
    said = {piece["source"] for piece in mend((3, 0)).table.to_pylist()[0]["pieces"]}
    assert said == {"p", "c1", "c4"}
    assert "c3" in {piece["source"] for piece in mend((1, 1)).table.to_pylist()[0]["pieces"]}
    (row,) = mend((2, 0), (2, 1), (1, 0), (1, 1), (1, 2)).table.to_pylist()
    assert [turn["text"] for turn in row["turns"]] == ["A lamp.", "He is right.", "Thanks. It is old.", "Mine too."]


def test_what_is_not_marked_or_not_believed_stays_as_it_was() -> None:
    for read in (mend(), mend((1, 1), weight=0.1)):
        assert read.table == read.found
        assert not read.stumbling
    few = mend((1, 0), (1, 1), (1, 2), (3, 0))
    assert few.stumbling == {"p_0"}
    assert few.table == few.found
