from core.dialogue import Turn
from core.transcripts.dialogues.cleaning import diff_turns


def test_shows_changed_turns_only():
    turns = [
        Turn(0, ("ANNA",), ("Same.",), "ANNA", " Same.\n\n"),
        Turn(1, ("BEN",), ('"We go', "now."), "CAPTAIN", ' "We go\n"now.\n'),
        Turn(2, (), ("(noise)",), "", "(noise)"),
    ]
    assert list(diff_turns(turns)) == ["@@ turn 1 @@ BEN", "-speaker: CAPTAIN", "+speaker: BEN", '-"now.', "+now."]


def test_control_characters_cannot_reach_a_terminal():
    (_, old, new) = diff_turns([Turn(0, ("ANNA",), ("x",), "ANNA", "\x1b[31mx")])
    assert (old, new) == ("-\N{REPLACEMENT CHARACTER}[31mx", "+x")
