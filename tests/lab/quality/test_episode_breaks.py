"""Finding the break in transcripts and recaps, and judging alignments at it."""

from pathlib import Path

import pytest

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.discovery import find_units
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap, RecapSection
from infra.sources.opening import list_sources
from lab.quality.episode_breaks import Break, BreakJudgement, find_break, find_resumption, judge_break


def turns(*texts: str) -> list[Turn]:
    return [Turn(number, ("ANN",), (text,), "ANN", text) for number, text in enumerate(texts)]


def recap(*sections: tuple[str, str, int]) -> Recap:
    made = (RecapSection(kind, heading, "", (), ("A sentence.",) * n) for kind, heading, n in sections)  # type: ignore[arg-type]
    return Recap("", "", tuple(made))


@pytest.mark.parametrize(
    ("texts", "turn"),
    [
        (["Hi.", "We'll be back.\n\n[break]", "Welcome back."], 2),
        (["Hi.", "Soon. [The show resumes at 2:22:43]", "Welcome back."], 2),
        (["Hi.", "Soon.\n[ Break ]\nAnd we are back.", "Good."], 1),
        (["Hi.", "Soon.\n[break]\n(music)", "Good."], 2),
        (["Soon. [break]", "One thing. [break]", "Welcome back."], 2),
        (["Hi.", "Let's take a break.", "(breaking glass)", "[break it]"], None),
        (["Hi.", "That's it. [break]"], None),
    ],
)
def test_where_the_show_resumes(texts: list[str], turn: int | None) -> None:
    assert find_resumption(turns(*texts)) == turn


PAGE = [
    ("recap", "Previously", 3),
    ("plot", "Part I", 4),
    ("break", "Break", 2),
    ("plot", "Part II", 5),
    ("post-show", "After", 1),
]


def test_a_break_needs_a_mark_in_the_transcript_and_a_heading_in_the_recap() -> None:
    talk = turns("Hi.", "Bye. [break]", "Back.", "On.")
    assert find_break(talk, recap(*PAGE)) == Break(2, 4, 3, 7, 9, 14)
    assert find_break(turns("Hi.", "Bye."), recap(*PAGE)) is None
    assert find_break(talk, recap(*PAGE[:2])) is None
    subsections = [*PAGE[:3], ("plot", "Part II", 2), ("plot", "Part II", 3)]
    assert find_break(talk, recap(*subsections)) == Break(2, 4, 3, 7, 9, 14)
    without_text = find_break(talk, recap(("plot", "Part I", 4), ("plot", "Part 2", 0)))
    assert without_text == Break(2, 4, 0, 4, 4, 4)


def pair(first: int, last: int, start: int | None, end: int | None, offset: int = 0) -> tuple[Chunk, Span]:
    return Chunk(2, offset, 0, first, last, ""), Span(start, end, 1.0)


KNOWN = Break(turn=50, n_turns=100, first_part=2, before=6, second_part=6, after=10)


def test_a_right_alignment_has_no_error() -> None:
    aligned = [pair(0, 1, 0, 90), pair(2, 3, 0, 20), pair(4, 5, 21, 49), pair(6, 7, 50, 60), pair(8, 9, 61, 99)]
    assert judge_break(KNOWN, aligned) == BreakJudgement(0.0, 4, 4)


def test_the_error_is_the_mean_distance_over_chunkings() -> None:
    three = (Chunk(3, 0, 2, 6, 8, ""), Span(45, 60, 1.0))
    aligned = [pair(4, 5, 40, 70), pair(6, 7, 70, 80), pair(5, 6, 20, 90, 1), pair(7, 8, 99, 99, 1), three]
    found = judge_break(KNOWN, aligned)
    assert found.error == pytest.approx((0.20 + 0.05) / 2)  # at offset 1, no chunk begins with the second part
    assert (found.right, found.judged) == (3, 4)  # sentences 4–5: wrong side; 5–6: in both parts


def test_unaligned_chunks_are_not_judged() -> None:
    found = judge_break(KNOWN, [pair(6, 7, None, None), pair(8, 9, 52, 60), pair(2, 3, None, None)])
    assert (found.error, found.right, found.judged) == (pytest.approx(0.02), 1, 1)
    assert judge_break(KNOWN, [pair(6, 7, None, None)]) == BreakJudgement(None, 0, 0)


@pytest.mark.integration
def test_93_episodes_of_the_corpus_have_a_break_in_transcript_and_recap(corpora: Path) -> None:
    splitter, found = make_splitter("regex"), []
    for unit in find_units(list_sources([str(corpora / "crd3")])).units:
        talk = join_parts([read_dialogue(f.path, (corpora / "crd3" / f.path).read_bytes()) for f in unit.transcripts])
        page = unit.recaps[0].path
        text = decode_text(page, (corpora / "crd3" / page).read_bytes())
        if known := find_break(talk, read_recap(page, text, splitter)):
            found.append(known)
    assert len(found) == 93
    assert sum(known.second_part < known.after for known in found) == 66
    assert all(0.2 < known.turn / known.n_turns < 0.9 for known in found)
