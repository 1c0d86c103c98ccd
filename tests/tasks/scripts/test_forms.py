"""Scripts in each form that is read are found and read at the first try: by `fabula inspect`, and by a run."""

import json
from pathlib import Path

from typer.testing import CliRunner

from flows.cli.main import app
from infra.store.objects import Store
from tasks.pipelines import SCRIPTS
from tests.script_forms import FORMS, PLAY
from tests.tasks import in_process

RUNNER = CliRunner()
SYNOPSIS = (
    "Mara waits for Tom in the boathouse while rain drums on the roof. The ferryman has kept Tom. At dawn the boat is gone from "
    "the pier, and they walk over the ice. In the kitchen Tom takes three sugars. The ferryman wanted the lamp.\n"
)


def test_every_form_is_found_and_read(tmp_path: Path) -> None:
    for name, content in [*FORMS.items(), ("play.xml", PLAY.encode())]:
        folder = tmp_path / "source" / "movies" / f"The {Path(name).suffix[1:]}"
        folder.mkdir(parents=True)
        (folder / f"{folder.name}{Path(name).suffix}").write_bytes(content)
        (folder / "synopsis.txt").write_text(SYNOPSIS)
    told = json.loads(RUNNER.invoke(app, ["inspect", str(tmp_path / "source"), "--json"]).stdout)
    assert told["advised"] == "scripts"
    assert told["unread"] == []
    store = tmp_path / "store"
    call = ["run", "scripts", "--source", str(tmp_path / "source"), "--store", str(store), "--in-process"]
    ended = RUNNER.invoke(app, call)
    assert ended.exit_code == 0, ended.stderr
    assert "4 computed, 0 reused, 0 waiting, 0 quarantined" in ended.stdout
    rows = in_process.read_rows(Store(str(store)), SCRIPTS.name, "alignments")
    linked = {
        form: [(row["sentence"], row["scene_index"]) for row in rows if row["movie"] == f"The-{form}"] for form in ("fdx", "pdf")
    }
    assert linked["fdx"] == linked["pdf"] != []
