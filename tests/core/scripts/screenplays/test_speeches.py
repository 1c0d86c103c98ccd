from core.scripts.screenplays.assembly import clean_speech, join_paragraph


def test_speech():
    assert clean_speech(["(softly)", "Good day."]) == ("Good day.",)
    assert clean_speech(["Good day. (waves) Bye."]) == ("Good day. Bye.",)
    assert clean_speech(["Good day.", "(waves)", "Bye."]) == ("Good day.", "Bye.")
    assert clean_speech(["I was", "(coughs)", "going."]) == ("I was going.",)
    assert clean_speech(["(a long", "remark)", "Bye."]) == ("Bye.",)
    assert clean_speech(["son-of-a-", "gun --", "well"]) == ("son-of-a-gun -- well",)
    assert clean_speech(["(nods)"]) == ()
    assert clean_speech(["...", "--"]) == ()
    assert clean_speech(["Well (never closed"]) == ("Well",)
    assert clean_speech(["never opened) Well"]) == ("Well",)
    assert clean_speech(["[sings]", "La la."]) == ("La la.",)


def test_action_keeps_its_parentheses():
    assert join_paragraph(["ANNA (30) walks", "in."]) == "ANNA (30) walks in."
