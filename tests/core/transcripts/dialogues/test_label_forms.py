import pytest

from core.transcripts.dialogues.label_forms import add_colons, find_candidates, stamp_labels, take_stamp_lines
from core.transcripts.dialogues.text_formats import drop_line_heads, read_plain_text

SAID = ("Where is the lamp?", "I gave it to the ferryman.", "Then we row tonight.", "Not without the dog.")
COLONS = "".join(f"{name}: {text}\n" for name, text in zip(("Anna", "Ben") * 2, SAID, strict=True))


def write(form: str) -> str:
    return "".join(form.format(name, text) + "\n" for name, text in zip(("Anna", "Ben") * 2, SAID, strict=True))


def write_colons(text: str, n_labels: int) -> str:
    return add_colons(text, n_labels, {})[0]


@pytest.mark.parametrize(
    "form",
    [
        *("[{}] {}", "({}) {}", "<{}> {}", "**{}** {}", "'''{}''' {}", "- **{}** {}", '"{}": {}', "{}\t{}", "{} – {}"),
        *("{} says: {}", "{} asked: {}", "### {}\n{}", "## {}:\n\n{}"),
    ],
)
def test_a_form_without_a_colon_is_written_with_one(form: str) -> None:
    written = write_colons(write(form), 0)
    assert [" ".join(line.split()) for line in written.splitlines()] == COLONS.splitlines()


def test_names_times_numbers_and_dates_on_lines_are_labels_times_or_gone() -> None:
    text = "\n".join(f"{name}\n{said}\n" for name, said in zip(("ANNA", "BEN") * 2, SAID, strict=True))
    assert write_colons(text, 0).count("ANNA: ") == 2
    assert write_colons(text.replace("\n\n", "\n"), 0).count("ANNA: ") == 0
    numbered = "".join(f"{number}. {line}\n" for number, line in enumerate(COLONS.splitlines(), 7))
    dated = "".join(f"03/05/2019, 20:0{number} - {line}\n" for number, line in enumerate(COLONS.splitlines()))
    assert drop_line_heads(numbered) == drop_line_heads(dated) == COLONS
    counted = "3 lamps\n9 dogs\n2 boats\n5 oars\n"
    assert drop_line_heads(counted) == counted  # the numbers do not rise
    lines = COLONS.splitlines()
    stamped = "\n".join(f"[00:0{number}:30]\n\n{line}" for number, line in enumerate(lines)) + "\n"
    text, times = take_stamp_lines(stamped)
    labels = stamp_labels(text, find_candidates(text), times)
    assert [label.time for label in labels] == [30, 90, 150, 210]
    assert "30]" not in text
    assert take_stamp_lines("ANNA: When?\n7:30\nBEN: Good.\n") == ("ANNA: When?\n7:30\nBEN: Good.\n", {})  # said once: speech


@pytest.mark.parametrize(
    "form", ["{2}\n{0}\n{1}\n", "{0}\n{2}\n{1}\n", "{2}\n[{0}] {1}\n", "{0}:\n{2}\n{1}\n", "{2}\n\n({0}) {1}\n"]
)
def test_times_stay_with_the_labels_of_every_form(form: str) -> None:
    stamps = ("00:01:05", "00:02:05", "00:03:05", "1:00:05")
    text = "\n".join(form.format(*turn) for turn in zip(("Anna", "Ben") * 2, SAID, stamps, strict=True))
    turns = read_plain_text("x.txt", text)
    found = [(turn.label, turn.text.strip(), turn.start) for turn in turns]
    assert found == list(zip(("Anna", "Ben") * 2, SAID, (65, 125, 185, 3605), strict=True))


@pytest.mark.parametrize(
    "said",
    [
        ("Where were you on\n11:30\nthat night?", "The last boat leaves at\n12:15\nand I was on it.", "Not at\n22:40\nor so."),
        ("The score is\n0:10", "The score is\n1:10", "The score is\n2:10"),
        ("At last.\n3:10", "At last.\n2:10", "At last.\n1:10"),
    ],
)
def test_times_that_are_said_stay(said: tuple[str, ...]) -> None:
    text = "".join(f"ANNA: {words}\nBEN: Yes.\n" for words in said)
    assert take_stamp_lines(text) == (text, {})


def test_titles_and_sounds_are_no_speakers_and_a_blank_line_may_have_spaces() -> None:
    own = "\n \n".join(f"{name}\n{said}" for name, said in zip(("Anna", "Ben") * 2, SAID, strict=True))
    turns = read_plain_text("x.txt", f"My Show\nEpisode 1\n\n{own}")
    assert [turn.label for turn in turns] == ["Anna", "Ben", "Anna", "Ben"]
    spaced = "\n\n".join(f"{name}\n{said}\n\nSo I said." for name, said in zip(("Anna", "Ben") * 2, SAID, strict=True))
    assert len(read_plain_text("x.txt", f"My Show\nEpisode 1\n\n{spaced}")) == 4
    sounds = "".join(f"[{name}] {said}\n[Music] La.\n" for name, said in zip(("Anna", "Ben") * 4, SAID * 2, strict=True))
    assert {turn.label for turn in read_plain_text("x.txt", sounds)} == {"Anna", "Ben"}
