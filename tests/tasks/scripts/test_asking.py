"""A model reads a film between two runs: the second hears what it answered, and forgets it where no reader is named."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.references import UnitReference
from infra.store.answers import keep_answer
from infra.store.objects import Store
from tasks.pipelines import SCRIPTS
from tasks.scripts.evaluation import fit_stored
from tasks.store.read import AskedUnit, list_asked
from tests.core.scripts.invented import make_film, write_film
from tests.tasks import in_process

SETTINGS = {
    "alignment": {"weights": {"bm25": 1.0, "coverage": 6.0, "osj": 0, "people": 0}
    | dict.fromkeys(("story_max", "clause_max", "story_masked", "clause_masked"), 0)},
    "synopsis": {"splitter": "regex"},
    "matching": {"least_match": 0.0},
}  # fmt: skip


def read_one(store: Store) -> UnitReference:
    (reference,) = in_process.read_references(store, "scripts").values()
    return reference


def count_kept(store: Store) -> int:
    return sum(len(row["sentence_indices"]) for row in in_process.read_rows(store, "scripts", "scripts"))


def answer(store: Store, asked: AskedUnit, gold: Sequence[tuple[int, ...]]) -> None:
    """Answer the questions about a film by the scenes that tell its sentences."""
    for question in asked.left:
        told, shown = question.text.split("\n\nScenes:\n")
        scenes = {int(line[1 : line.index("]")]) for line in shown.splitlines() if line.startswith("[")}
        numbers = [int(line[1 : line.index(">")]) for line in told.splitlines() if line.startswith("<")]
        entries = [
            {"sentence": number, "scenes": sorted({*gold[number]} & scenes), "whole": {*gold[number]} <= scenes}
            for number in numbers
        ]
        keep_answer(store, "gold", question, json.dumps({"sentences": entries}))


def prove(store: Store, asked: AskedUnit) -> None:
    """Answer the second questions about a film: no scene has the last word of any sentence."""
    for question in asked.left:
        entries = []
        for line in question.text.splitlines():
            if line.startswith("<"):
                number, scene, told, last = re.fullmatch(r"<(\d+)> \(scenes (\d+).*?\) (.*) (.*)", line).groups()
                pieces = [{"words": told, "scene": int(scene)}, {"words": last, "scene": -1}]
                own = int(number) < 44  # the others have a foreign scene
                entries.append({"sentence": int(number), "pieces": pieces[not own :], "told": f"{told}." if own else ""})
        keep_answer(store, "gold", question, json.dumps({"sentences": entries}))


def test_a_reader_who_reads_is_heard_by_the_next_run(source: Path, store: Store) -> None:
    story, gold = make_film(7)
    write_film(source, story)
    first = in_process.run(SCRIPTS, source, store, **SETTINGS)
    before, kept = read_one(store), count_kept(store)
    assert "reading" not in before.artifacts

    (asked,) = list_asked(store, "scripts", "gold")
    assert len(asked.left) == len(asked.questions) > 4
    answer(store, asked, gold)
    heard = in_process.run(SCRIPTS, source, store, **SETTINGS, reader={"model": "gold"})
    assert heard.computed == (story.unit,)
    assert count_kept(store) > kept + 15

    (second,) = list_asked(store, "scripts", "gold")
    assert {question.kind for question in second.left} == {"script-proofs"}
    assert [(notice.what, notice.count) for notice in read_one(store).notices] == [
        ("question(s) without an answer", len(second.left))
    ]
    prove(store, second)
    proved = in_process.run(SCRIPTS, source, store, **SETTINGS, reader={"model": "gold"})
    assert proved.computed == (story.unit,)
    assert count_kept(store) > kept + 15
    assert read_one(store).notices == ()
    rows = in_process.read_rows(store, "scripts", "scripts")
    assert all(row["sentences"] == [f"{text.rsplit(' ', 1)[0]}." for text in row["synopsis"]] for row in rows)
    moved = {row["decided_by"] for row in in_process.read_rows(store, "scripts", "scripts")}
    assert moved == {"aligner", "model gold"}, "rows name him where their scenes are others than the aligner's"
    statistics = store.read_json(f"{in_process.release_folder(store, 'scripts')}/stats.json")["reading"]
    assert (statistics["model"], statistics["heard"], statistics["answers"]) == ("gold", 1, len(second.questions))
    assert not in_process.run(SCRIPTS, source, store, **SETTINGS, reader={"model": "gold"}).computed
    assert not next(list_asked(store, "scripts", "gold")).left

    again = in_process.run(SCRIPTS, source, store, **SETTINGS)
    assert in_process.name_version(again) == in_process.name_version(first)
    assert read_one(store).artifacts == before.artifacts


def test_a_model_that_answers_one_thing_is_not_believed_and_changes_no_row(source: Path, store: Store) -> None:
    write_film(source, make_film(7)[0])
    in_process.run(SCRIPTS, source, store, **SETTINGS)
    links, rows = read_one(store).artifacts["links"], in_process.read_rows(store, "scripts", "alignments")
    (asked,) = list_asked(store, "scripts", "first")
    for question in asked.questions[1:]:
        first = int(question.text.split("\n\nScenes:\n[")[1].split("]")[0])
        numbers = [int(line[1 : line.index(">")]) for line in question.text.splitlines() if line.startswith("<")]
        entries = [{"sentence": number, "scenes": [first], "whole": True} for number in numbers]
        keep_answer(store, "first", question, json.dumps({"sentences": entries}))
    in_process.run(SCRIPTS, source, store, **SETTINGS, reader={"model": "first"})
    assert in_process.read_rows(store, "scripts", "alignments") == rows
    assert read_one(store).artifacts["links"].sha256 == links.sha256
    assert [(notice.what, notice.count) for notice in read_one(store).notices] == [
        ("question(s) without an answer", 1),
        ("answer(s) of a reader who is not believed", len(asked.questions) - 1),
    ]


def test_what_a_reader_says_fits_the_curves_of_a_release_without_one(source: Path, store: Store) -> None:
    films = {f"film{seed}": make_film(seed) for seed in range(3)}
    for _, gold in films.values():
        gold[2::9] = [()] * len(gold[2::9])  # sentences without a rare word of a scene
    for unit, (story, _) in films.items():
        write_film(source, replace(story, unit=unit))
    in_process.run(SCRIPTS, source, store, **SETTINGS)
    for asked in list_asked(store, "scripts", "gold"):
        answer(store, asked, films[asked.unit][1])
    with pytest.raises(ConfigError, match="found 0 known rows of 0"):
        fit_stored(store, None)
    in_process.run(SCRIPTS, source, store, **SETTINGS, reader={"model": "gold"})
    fitted = fit_stored(store, None)
    told, whole = (fitted.curves[f"filter.{name}"] for name in ("told_curve", "whole_curve"))
    assert fitted.given == {"gold": 0, "reader": 132, "people": 0}
    assert (told.rows, whole.rows, whole.units) == (132, 132, 3)
    assert whole.after.brier < whole.before.brier

    curves = {"told_curve": list(told.curve), "whole_curve": list(whole.curve)}
    in_process.run(SCRIPTS, source, store, **SETTINGS, filter=curves, reader={"model": "gold"})
    again = fit_stored(store, None).curves["filter.whole_curve"]
    assert again.curve == pytest.approx(whole.curve, abs=1e-3), "it moves what the aligner says by itself"
    assert again.before.brier == pytest.approx(whole.after.brier, abs=0.02)
    sure = {"told_curve": [1, 50], "whole_curve": [1, 50]}
    in_process.run(SCRIPTS, source, store, **SETTINGS, filter=sure)
    assert count_kept(store) == 132, "a release without a reader goes by the curves"
