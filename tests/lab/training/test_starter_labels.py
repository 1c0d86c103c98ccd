"""Labels and weak labels of posts that only invite discussion."""

from dataclasses import replace

import pytest

from core.threads.posts import Post
from lab.training.starter_labels import label_weakly, read_labels, simplify_title


def post(name: str, title: str, text: str = "", author: str | None = "wick") -> Post:
    return Post(name, "odd", title, text, author, False, True, ())


def test_weak_labels_are_moderators_and_titles_that_recur_under_one_author() -> None:
    recurring = [post(f"t3_{day}", f"Lamps of the week, {day} May 2022", author="keeper") for day in (1, 8, 15)]
    others = [
        replace(post("t3_m", "Rules"), moderated=True),
        post("t3_o", "Lamps of the week, 22 May 2022"),
        post("t3_n", "A", author=None),
    ]
    unknown = [post(f"t3_u{place}", "My lamp", author=None) for place in range(4)]
    labels = label_weakly([*recurring, *others, *unknown])
    assert {name for name, label in labels.items() if label} == {"t3_1", "t3_8", "t3_15", "t3_m"}
    assert len(labels) == 10
    assert simplify_title("Simple Questions: February 22, 2022") == "simple questions"


def test_labels_are_read_and_odd_lines_are_told() -> None:
    assert read_labels(["t3_a\t1", "", "0123456789abcdef\t0\n"]) == {"t3_a": True, "0123456789abcdef": False}
    with pytest.raises(ValueError, match="line 2 is 't3_b yes'; expected a post's id, a tab, and 0 or 1"):
        read_labels(["t3_a\t1", "t3_b yes"])
    with pytest.raises(ValueError, match="t3_a has another label in a line before it"):
        read_labels(["t3_a\t1", "t3_a\t0"])
