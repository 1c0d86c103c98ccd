import json
import sys
from pathlib import Path

import pytest

from lab.quality import readers
from lab.quality.alignment import make_episodes


def test_gold_as_answers_lifts_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    episode = make_episodes()[1]
    monkeypatch.setattr(readers, "read_episodes", lambda *_: iter([episode]))
    monkeypatch.setenv("FABULA_CORPORA", str(tmp_path))

    def call(*options: str) -> str:
        monkeypatch.setattr(sys, "argv", ["readers", str(tmp_path), episode.name, *options])
        assert readers.main() == 0
        return capsys.readouterr().out

    assert "questions" in call()
    answers = []
    for line in (tmp_path / f"{episode.name}.questions.jsonl").read_text("utf-8").splitlines():
        told, said = (asked := json.loads(line))["body"]["messages"][1]["content"].split("\n\nTurns:\n")
        turns = {int(each[1 : each.index("]")]) for each in said.splitlines()}
        spans = []
        for each in told.splitlines()[1:]:
            gold = episode.gold[number := int(each[1 : each.index(">")])]
            inside = {gold.start, gold.end} <= turns
            spans.append({"sentence": number, "start": gold.start if inside else None, "end": gold.end if inside else None})
        body = {"model": "gold", "choices": [{"message": {"content": json.dumps({"spans": spans})}}]}
        answers.append(json.dumps({"custom_id": asked["custom_id"], "response": {"status_code": 200, "body": body}}))
    (tmp_path / f"{episode.name}.answers.jsonl").write_text("\n".join(answers), "utf-8")
    cells = [cell.strip() for cell in call("--grade").splitlines()[-1].strip("| ").split("|")]
    assert float(cells[5]) > float(cells[1]) + 0.02
