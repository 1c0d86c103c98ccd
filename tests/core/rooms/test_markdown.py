import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rooms.markdown import strip_markdown
from core.rooms.sentences import Rights, read_document


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("## The cellar\nWater covers the floor.", ["Water covers the floor."]),
        ("The cellar\n----------\nWater covers the floor.", ["Water covers the floor."]),
        ("---\ntitle: a\n---\nA low room.", ["A low room."]),
        ("A **low** room with _one_ [door](door.md).", ["A low room with one door."]),
        ("![a map](map.png) *The map.*\n\nA low room.", ["A low room."]),
        ("- A table.\n- A chair.", ["A table.", "A chair."]),
        ("> A low\n> room.", ["A low room."]),
        ("| door | lock |\n|---|---|\n| oak | yes |\n\nA low room.", ["A low room."]),
        ("A low room.\n```\nroll d6\n```\nA high one.", ["A low room.", "A high one."]),
        ("A low room.\nExits: north, east", ["A low room."]),
        ("A low<br>room <!-- old -->here.", ["A low room here."]),
        ("It is 3 * 4 * 5 feet, or snake_case_name long.", ["It is 3 * 4 * 5 feet, or snake_case_name long."]),
    ],
)
def test_mark_up_leaves_a_file_in_markdown_and_words_stay(text: str, left: list[str]) -> None:
    passages = read_document("a.md", text.encode(), "a", Rights("CC0", "A"))
    assert [passage.text for passage in passages] == left
    (plain,) = read_document("a.txt", b"# one\n**two**", "a", Rights("CC0", "A"))
    assert plain.text == "# one **two**"


@given(st.text(alphabet="ab #*_->|`!?[]()<>:\n1.=~", max_size=80))
def test_nothing_is_added_or_moved(text: str) -> None:
    left = iter(text)
    assert all(sign in left for sign in "".join(strip_markdown(text).split()))


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("```text\n~~~\n```\nThe hall is lit.\n\nThe cellar is dark.", "The hall is lit.\n\nThe cellar is dark."),
        ("```x``` begins.\nThe hall is long.", "x begins.\nThe hall is long."),
        ("---\nThe hall is dark.\n\n---\nThe kitchen is warm.", "The hall is dark.\n\n\nThe kitchen is warm."),
        ("1\\. The hall\\'s door is \\*big\\*.", "1. The hall's door is *big*."),
        ("A **bold *inner* word**.", "A bold inner word."),
    ],
)
def test_fences_front_matter_and_escapes_lose_no_text(marked: str, text: str) -> None:
    assert strip_markdown(marked).strip() == text
