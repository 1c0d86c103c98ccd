import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.quality import readers
from lab.quality.alignment import Episode
from lab.quality.synthetic_episodes import SyntheticConfig, make_episode
from tests.core.scripts.invented import CONFIG, make_film


def answer(folder: Path, unit: str, say: Callable[[str], object]) -> None:
    """Write the answers to a unit's questions: what `say` makes of the text of each."""
    lines = []
    for line in (folder / f"{unit}.questions.jsonl").read_text("utf-8").splitlines():
        text = (asked := json.loads(line))["body"]["messages"][1]["content"]
        body = {"model": "gold", "choices": [{"message": {"content": json.dumps(say(text))}}]}
        lines.append(json.dumps({"custom_id": asked["custom_id"], "response": {"status_code": 200, "body": body}}))
    (folder / f"{unit}.answers.jsonl").write_text("\n".join(lines), "utf-8")


def test_gold_as_answers_lifts_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_episode(1, SyntheticConfig(events=20))
    episode = Episode("synthetic", made.turns, made.recap, made.gold, benchmark="synthetic")
    monkeypatch.setattr(readers, "read_episodes", lambda *_: iter([episode]))
    monkeypatch.setenv("FABULA_CORPORA", str(tmp_path))

    def call(*options: str) -> str:
        monkeypatch.setattr(sys, "argv", ["readers", str(tmp_path), episode.name, *options])
        readers.main()
        return capsys.readouterr().out

    assert "questions" in call()

    def say(text: str) -> object:
        told, said = text.split("\n\nTurns:\n")
        turns = {int(each[1 : each.index("]")]) for each in said.splitlines()}
        spans = []
        for each in told.splitlines()[1:]:
            gold = episode.gold[number := int(each[1 : each.index(">")])]
            inside = {gold.start, gold.end} <= turns
            spans.append({"sentence": number, "start": gold.start if inside else None, "end": gold.end if inside else None})
        return {"spans": spans}

    answer(tmp_path, episode.name, say)
    cells = [cell.strip() for cell in call("--grade").splitlines()[-1].strip("| ").split("|")]
    assert float(cells[5]) > float(cells[1]) + 0.02


def test_gold_as_answers_lifts_the_figures_of_films(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    story, gold = make_film(7)
    monkeypatch.setattr(readers, "read_films", lambda _: iter([(story, dict(enumerate(gold)))]))
    monkeypatch.setattr(readers, "FILMS", CONFIG)
    readers.do_films(tmp_path, [story.unit], graded=False)
    assert "questions" in capsys.readouterr().out

    def say(text: str) -> object:
        scenes = {int(each[1 : each.index("]")]) for each in text.splitlines() if each.startswith("[")}
        told = [int(each[1 : each.index(">")]) for each in text.splitlines() if each.startswith("<")]
        said = [{"sentence": each, "scenes": sorted({*gold[each]} & scenes), "whole": {*gold[each]} <= scenes} for each in told]
        return {"sentences": said}

    answer(tmp_path, story.unit, say)
    readers.do_films(tmp_path, [story.unit], graded=True)
    cells = [cell.strip() for cell in capsys.readouterr().out.splitlines()[-1].strip("| ").split("|")]
    before, after = cells[1:9], cells[9:17]
    assert float(after[0]) > float(before[0]) + 0.15, "best scenes"
    assert float(after[3]) > float(before[3]) + 0.15, "F1 of the links"
    assert float(after[4]) > float(before[4]) + 0.3, "kept sentences"
    assert float(after[7]) > 0.9, "whole rows"
