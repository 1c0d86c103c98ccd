"""Labels of posts that only invite discussion: those of a file, and weak ones made from authors and titles."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from core.threads.posts import Post

RECURRING = 3
"""Posts of one author under one title, but for dates and numbers, that make it a recurring thread."""
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")
_CHANGING = re.compile(
    r"\d+|\b(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
)


def label_weakly(posts: Iterable[Post]) -> dict[str, bool]:
    """Return weak labels: true for posts of a forum's moderating account, and for titles that recur under one author.

    A title recurs if `RECURRING` posts of its author have it, but for numbers, months and days of the week. All others are
    labelled false: few of them invite discussion only.
    """
    named = [(post, (post.author, simplify_title(post.title))) for post in posts]
    counts = Counter(name for _, name in named)
    return {
        post.id: post.moderated or (post.author is not None and bool(name[1]) and counts[name] >= RECURRING)
        for post, name in named
    }


def simplify_title(title: str) -> str:
    """Return the words of a title without numbers, months and days of the week: recurring threads have the same."""
    return " ".join(_WORD.findall(_CHANGING.sub(" ", title.lower())))


def read_labels(lines: Iterable[str]) -> dict[str, bool]:
    """Return the labels of a file: on each line a post's id and 1 (only invites discussion) or 0, with a tab between.

    In place of an id may stand the first 16 hexadecimal digits of its SHA-256, so that labels can be published without posts.

    Raises ValueError if a line is none, or says something else than a line before it.
    """
    found: dict[str, bool] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        name, _, label = line.strip().partition("\t")
        if label not in ("0", "1"):
            raise ValueError(f"line {number} is {line.strip()[:60]!r}; expected a post's id, a tab, and 0 or 1")
        if found.setdefault(name, label == "1") != (label == "1"):
            raise ValueError(f"line {number}: {name} has another label in a line before it; keep one of them")
    return found


def count_labels(labels: Mapping[str, bool]) -> dict[str, int]:
    """Return how many posts have a label, and how many of them only invite discussion."""
    return {"posts": len(labels), "starters": sum(labels.values())}
