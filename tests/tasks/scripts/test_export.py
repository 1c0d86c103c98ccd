"""The form in which SumTitles' readers take a release."""

import json
from pathlib import Path

from infra.store.objects import Store
from tasks.scripts.export import SETTINGS
from tasks.store.export import export_release
from tests.tasks.conftest import Example


def test_each_setting_of_the_paper_has_parallel_texts(stories: Example, tmp_path: Path) -> None:
    export_release(stories.store, "scripts", "sumtitles", Store(str(tmp_path)))
    for config, part in (("scripts", "Scripts"), ("gold", "Gold")):
        rows = {row["id"]: row for row in stories.rows(config)}
        told = [json.loads(line) for path in sorted(tmp_path.glob(f"{part}/*.jsonl")) for line in path.read_text().splitlines()]
        assert {entry["id"] for entry in told} == set(rows)
        assert all(entry["document"] == rows[entry["id"]]["plain"] for entry in told)
        assert all(entry["summary"] == rows[entry["id"]]["summary"] for entry in told)
        for setting, column in SETTINGS.items():
            for path in sorted((tmp_path / part).glob("*.jsonl")):
                expected = [rows[json.loads(line)["id"]] for line in path.read_text().splitlines()]
                source = (tmp_path / setting / f"{part}-{path.stem}.source").read_text().split("\n")[:-1]
                target = (tmp_path / setting / f"{part}-{path.stem}.target").read_text().split("\n")[:-1]
                assert source == [" ".join(row[column].split()) for row in expected]
                assert target == [" ".join(row["summary"].split()) for row in expected]
    seps = (tmp_path / "with-speakers-and-separators" / "Gold-test.source").read_text()
    assert seps.startswith("[START] ")
    assert " [SEP] " in seps
    assert "Gold/test" in (tmp_path / "README.txt").read_text()
