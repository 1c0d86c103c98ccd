from pathlib import Path

import pytest

from tests.awkward.cases import CASES, FOLDER, read_case, render_table


@pytest.mark.parametrize("case", CASES, ids=[case["file"] for case in CASES])
def test_an_awkward_input_gives_what_it_must(case):
    expected = {part: value for part, value in case.items() if part not in {"file", "why"}}
    assert read_case(case["file"]) == expected


def test_every_input_has_a_case_and_the_docs_show_it(repository: Path):
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(case["file"] for case in CASES)
    assert len(CASES) >= 60
    assert (repository / "docs/awkward-input.md").read_text("utf-8").startswith(f"{render_table()}\n## "), (
        "write it anew: python -m tests.awkward.cases"
    )
