import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.transcripts.config import CleaningConfig
from core.transcripts.dialogues import cleaning


@pytest.mark.parametrize(
    ("lines", "cleaned"),
    [
        (['"We go', '"and stay', '"there."'], ['"We go', "and stay", 'there."']),
        (['"Hm." "Let us', '"go." She left.', '"Bye."'], ['"Hm." "Let us', 'go." She left.', '"Bye."']),
        (['He said, "We go', '"now.'], ['He said, "We go', 'now."']),
        (["No quotes", "here"], ["No quotes", "here"]),
        (['Never opened."'], ['Never opened."']),
        (['"One', '"', "two"], ['"One', 'two"']),
    ],
)
def test_repeated_quotes_are_dropped_and_open_quotes_are_closed(lines, cleaned):
    assert cleaning.drop_repeated_quotes(lines) == cleaned


def test_markup_is_stripped_and_other_angle_brackets_stay():
    assert cleaning.strip_tags("<i>Never</i> <font color='red'>again</font>") == "Never again"
    assert cleaning.strip_tags(r"{\an8}Up <00:01.500>here") == "Up here"
    assert cleaning.strip_tags("so {disfmarker} no{vocalsound}, {x} is open") == "so  no, {x} is open"
    assert cleaning.strip_tags("D&amp;D &quot;x&quot; &#39;y&#39; &unknown; D&D; a & b") == "D&D \"x\" 'y' &unknown; D&D; a & b"
    assert cleaning.strip_tags("3 < 4 and <3 and <grin>") == "3 < 4 and <3 and <grin>"


def test_stage_directions_and_onomatopoeia_stay_by_default():
    text = "(whispers) No. [a long\nnoise] Yes (maybe"
    assert cleaning.clean_turn(text, CleaningConfig()) == ("(whispers) No. [a long", "noise] Yes (maybe")
    assert cleaning.clean_turn(text, CleaningConfig(stage_directions="remove")) == ("No.   Yes (maybe",)
    assert cleaning.clean_turn("Nooooooo! 10000", CleaningConfig()) == ("Nooooooo! 10000",)
    assert cleaning.clean_turn("Nooooooo! 10000", CleaningConfig(onomatopoeia="shorten")) == ("Nooo! 10000",)
    assert cleaning.clean_turn("zzz Zzzzz", CleaningConfig(onomatopoeia="shorten")) == ("zzz Zzzz",)
    assert cleaning.unify_characters("Cafe\u0301\u00a0 “so”\u200b ’tis\ta\x7f\nb") == 'Café "so" ’tis a\nb'


@given(st.text(st.characters(codec="utf-8", exclude_characters="<{&")))
def test_by_default_no_letter_or_digit_is_lost_and_cleaning_leaves_tidy_lines(text):
    utterances = cleaning.clean_turn(text, CleaningConfig())
    assert [c for c in "".join(utterances) if c.isalnum()] == [c for c in cleaning.unify_characters(text) if c.isalnum()]
    assert all(line and line == line.strip() and "\n" not in line for line in utterances)


def test_changed_turns_are_shown_and_control_characters_cannot_reach_a_terminal():
    turns = [
        Turn(0, ("ANNA",), ("Same.",), "ANNA", " Same.\n\n"),
        Turn(1, ("BEN",), ('"We go', "now."), "CAPTAIN", ' "We go\n"now.\n'),
        Turn(2, (), ("(noise)",), "", "(noise)"),
    ]
    assert list(cleaning.diff_turns(turns)) == ["@@ turn 1 @@ BEN", "-speaker: CAPTAIN", "+speaker: BEN", '-"now.', "+now."]
    (_, old, new) = cleaning.diff_turns([Turn(0, ("ANNA",), ("x",), "ANNA", "\x1b[31mx")])
    assert (old, new) == ("-\N{REPLACEMENT CHARACTER}[31mx", "+x")
