"""Labels without a colon, and what stands before the labels on their lines."""

import pytest

from core.transcripts.dialogues.candidates import find_candidates
from core.transcripts.dialogues.label_forms import add_colons, drop_line_heads, stamp_labels, take_stamp_lines

SAID = ("Where is the lamp?", "I gave it to the ferryman.", "Then we row tonight.", "Not without the dog.")
COLONS = "".join(f"{name}: {text}\n" for name, text in zip(("Anna", "Ben") * 2, SAID, strict=True))


def write(form: str) -> str:
    return "".join(form.format(name, text) + "\n" for name, text in zip(("Anna", "Ben") * 2, SAID, strict=True))


@pytest.mark.parametrize(
    "form", ["[{}] {}", "({}) {}", "<{}> {}", "**{}** {}", "'''{}''' {}", "- **{}** {}", '"{}": {}', "{}\t{}", "{} – {}"]
)
def test_a_form_without_a_colon_is_written_with_one(form: str) -> None:
    written = add_colons(write(form), 0)
    assert [" ".join(line.split()) for line in written.splitlines()] == COLONS.splitlines()


def test_a_name_on_its_own_line_begins_a_turn_after_a_blank_line_only() -> None:
    text = "\n".join(f"{name}\n{said}\n" for name, said in zip(("ANNA", "BEN") * 2, SAID, strict=True))
    assert add_colons(text, 0).count("ANNA: ") == 2
    assert add_colons(text.replace("\n\n", "\n"), 0).count("ANNA: ") == 0


def test_names_that_do_not_recur_are_no_labels() -> None:
    text = "A hammer – for nails\nA lamp – for the night\nA rope – for the boat\nA dog – for company\n"
    assert add_colons(text, 0) == text


def test_labels_with_a_colon_are_enough() -> None:
    text = write("[{}] {}")
    assert add_colons(text, 3) is text


def test_line_numbers_and_dates_go_where_every_line_has_one() -> None:
    numbered = "".join(f"{number}. {line}\n" for number, line in enumerate(COLONS.splitlines(), 7))
    dated = "".join(f"03/05/2019, 20:0{number} - {line}\n" for number, line in enumerate(COLONS.splitlines()))
    assert drop_line_heads(numbered) == drop_line_heads(dated) == COLONS
    counted = "3 lamps\n9 dogs\n2 boats\n5 oars\n"
    assert drop_line_heads(counted) == counted  # the numbers do not rise


def test_a_time_on_its_own_line_is_that_of_the_next_label() -> None:
    lines = COLONS.splitlines()
    stamped = "\n".join(f"[00:0{number}:30]\n\n{line}" for number, line in enumerate(lines)) + "\n"
    text, times = take_stamp_lines(stamped)
    labels = stamp_labels(text, find_candidates(text), times)
    assert [label.time for label in labels] == [30, 90, 150, 210]
    assert "30]" not in text
    assert take_stamp_lines("ANNA: When?\n7:30\nBEN: Good.\n") == ("ANNA: When?\n7:30\nBEN: Good.\n", {})  # said once: speech
