"""Each export of a forum is found and read at the first try: by `fabula inspect`, and by a run."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli.main import app
from infra.store.objects import Store
from tasks.pipelines import THREADS
from tests.tasks import in_process
from tests.thread_forms import FORMS, SAID, TITLE

RUNNER = CliRunner()


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_found_and_read(form: str, tmp_path: Path) -> None:
    source = tmp_path / "lanterns"
    source.mkdir()
    for name, text in FORMS[form].items():
        (source / name).write_text(text, encoding="utf-8")
    seen = json.loads(RUNNER.invoke(app, ["inspect", str(source), "--json"]).stdout)
    assert seen["advised"] == "threads"
    assert [each["path"] for each in seen["unread"]] == (["Users.xml"] if form == "Stack Exchange" else [])
    store = tmp_path / "store"
    ended = RUNNER.invoke(app, ["run", "threads", "--source", str(source), "--store", str(store), "--in-process"])
    assert ended.exit_code == 0, ended.stderr
    rows = in_process.read_rows(Store(str(store)), THREADS.name, "dialogues")
    turns = [[turn["text"] for turn in row["turns"]] for row in rows]
    told = [text for _, _, _, text in SAID[:4]]  # a dump does not say which of an answer's comments replies to which
    assert turns == ([] if form == "Stack Exchange" else [[f"{TITLE}. {told[0]}", *told[1:]]])
