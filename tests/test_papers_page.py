"""docs/papers.md: every part of a paper has a verdict, and what it names is there."""

import re
from dataclasses import astuple
from pathlib import Path

import pytest

from infra.shipped_profiles import list_profiles
from lab.papers.tables import PAPERS, read_parts

VERDICTS = ("as published", "otherwise", "in part", "missing")
PIPELINES = ("transcripts", "scripts", "subtitles", "threads", "rooms")


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "papers.md").read_text(encoding="utf-8")


def test_every_part_has_a_verdict_and_what_is_missing_says_what_it_needs(page: str) -> None:
    rows = [line.strip("|").split(" | ") for line in page.splitlines() if line.startswith("| ") and line.count(" | ") == 4]
    parts = [[cell.strip() for cell in row] for row in rows if row[0].strip() != "part"]
    assert len(parts) > 80
    for part, where, verdict, *_ in parts:
        told, _, reason = verdict.replace(";", ":").partition(":")
        assert told in VERDICTS, (part, verdict)
        assert reason or told == "as published", f"{part}: says not why"
        assert "needs" in verdict or told in ("as published", "otherwise"), f"{part}: says not what it needs"
        assert where != "–" or told == "missing" or "leaves it out" in verdict, f"{part}: says not where"


def show_parts(paper: str) -> list[str]:
    return [f"| {' | '.join(astuple(part))} |" for part in read_parts(paper)]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_claims_what_the_command_says(page: str, paper: str) -> None:
    lines = page.splitlines()
    absent = [line for line in show_parts(paper) if line not in lines]
    assert absent == [], "lab/papers/parts.tsv and docs/papers.md have the same rows: change both"


def test_the_page_has_no_part_that_the_command_lacks(page: str) -> None:
    rows = {line for line in page.splitlines() if line.startswith("| ") and line.count(" | ") == 4}
    known = {row for paper in PAPERS for row in show_parts(paper)}
    assert {row for row in rows if not row.startswith("| part |")} == known


def test_files_and_profiles_that_the_page_names_are_there(page: str, repository: Path) -> None:
    paths = re.findall(r"`((?:core|infra|lab|tasks)/[\w/.]+)`", page)
    assert paths
    assert [path for path in paths if not (repository / path).exists()] == []
    named = re.findall(r"profiles? `([\w-]+)`(?:, `([\w-]+)`)?", page)
    profiles = {name for pipeline in PIPELINES for name in list_profiles(pipeline)}
    assert {name for pair in named for name in pair if name and not name.startswith("-")} <= profiles
