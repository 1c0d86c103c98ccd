"""`fabula evaluate` and `fit` as a user calls them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from core.alignment.spans import Span
from core.rooms.config import RoomsConfig
from infra.store.catalog import read_catalog, write_catalog
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import ALIGNMENTS
from tasks.pipelines import ROOMS, TRANSCRIPTS
from tasks.rooms import evaluation as rooms_evaluation
from tasks.rooms.evaluation import find_other_settings
from tasks.threads import evaluation as threads_evaluation
from tests.flows.calling import Fabula
from tests.flows.stories import write_episode, write_gold
from tests.tasks.in_process import make_example, run
from tests.tasks.review.test_session import answer, open_session


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `store`, whose spans have a confidence, and `gold` for an episode of it and for one that it lacks."""
    folder = tmp_path_factory.mktemp("evaluation")
    store = Store(str(folder / "store"))
    write_episode(folder / "source", "S01E01")
    run(TRANSCRIPTS, folder / "source", store, alignment={"aligner": "needleman-wunsch", "tokenizer": "tweet"})  # no confidence
    (entry,) = read_catalog(store, "transcripts").values()
    assert entry.reference is not None
    made = entry.reference.artifacts["alignments"]
    pairs = ALIGNMENTS.decode(store.read(made.key))
    stored = store.write(made.key, ALIGNMENTS.encode([(chunk, Span(span.start, span.end, 1.0, 0.7)) for chunk, span in pairs]))
    artifacts = {**entry.reference.artifacts, "alignments": replace(made, sha256=stored.sha256)}
    reference = replace(entry.reference, artifacts=artifacts)
    write_catalog(store, "transcripts", "transcripts", "20990101T000000-000000", [replace(entry, reference=reference)])
    write_gold(folder / "gold", "S01E01")
    write_gold(folder / "gold", "S01E07")
    return folder


def test_figures_for_a_program_and_for_a_person_with_a_diagram(fabula: Fabula, place: Path) -> None:
    ended = fabula("evaluate", "transcripts", "--gold", "gold", "--store", "store", "--wordnet", "gold", "--json", cwd=place)
    assert ended.status == 0
    assert ended.json["episodes"] == ["S01E01"]
    assert ended.json["store"]["coverage"] == 0.5
    assert ended.json["store"]["reliability"]["bins"][0]["stated"] == pytest.approx(0.7)
    assert ended.json["crd3"] is None
    assert "gold S01E07: store" in ended.err
    assert "profile crd3 was not computed beside it: WordNet's noun files" in ended.err

    ended = fabula("evaluate", "transcripts", "--gold", "gold", "--store", "store", "--diagram", "d.svg", cwd=place)
    assert ended.status == 0
    rows = [line.split() for line in ended.out.splitlines()]
    assert rows[0] == ["chunks", "average", "count", "precision", "recall", "F1", "95", "%", "CI"]
    assert {tuple(row[:2]) for row in rows} >= {("store", "all"), ("store", "kept"), ("S01E01", "all")}
    assert [row[-1] for row in rows if row[:1] == ["store"]][-1] == "50.0%"
    assert rows[-1][0] == "0.7–0.8"
    assert ElementTree.parse(place / "d.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("evaluate transcripts --gold nowhere", "nowhere"),
        ("evaluate transcripts --gold source", "no EPISODE.json there"),
        ("evaluate transcripts --gold gold --store none", "none of the 2 gold episodes is in the store"),
        ("evaluate transcripts --gold gold --store store --diagram no/d.svg", "--diagram no/d.svg: No such file"),
        ("evaluate rooms --reviews --config c", "--reviews and --config"),
        ("evaluate scripts --reviews --leave-out film", "--reviews and --leave-out"),
        ("review rooms --annotator anna --sheet s --seed 1 --order random", "--order and --seed"),
        ("review rooms --sheet s --status", "--status and --sheet"),
        ("fit rooms --gold g", "rooms and --gold"),
    ],
)
def test_a_wrong_call_ends_with_status_2_and_one_message(fabula: Fabula, place: Path, words: str, message: str) -> None:
    before = sorted(place.rglob("*"))
    ended = fabula(*words.split(), cwd=place)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err
    assert len(ended.err.strip().splitlines()) == 1
    assert sorted(place.rglob("*")) == before


FIGURES = {"score": {"average_precision": 0.5, "low": 0.4, "high": 0.6}, "sentences": 3, "episodes": 2, "rooms": 1, "refused": []}


def test_the_score_is_recorded_for_a_dataset_that_is_there_and_other_settings_are_told(
    fabula: Fabula, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[object] = []
    monkeypatch.setattr(rooms_evaluation, "evaluate_rooms", lambda *each: evaluated.append(each) or FIGURES)
    store = Store(str(tmp_path / "store"))
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "hall.txt").write_text("You enter a hall. The hall has a stone floor and four oak doors.\n")
    run(ROOMS, tmp_path / "rooms", store)
    options = ("evaluate", "rooms", "--gold", tmp_path, "--store", store.url, "--record", "--json")
    assert "roms" in fabula(*options, "--dataset", "roms").err
    assert (evaluated, store.list_keys("evaluations")) == ([], [])
    assert find_other_settings(store, "rooms", RoomsConfig()) == []
    (tmp_path / "other.toml").write_text("[weights]\nroom = 3.0\n")
    ended = fabula(*options, "--config", tmp_path / "other.toml")
    assert (ended.status, ended.json["rooms"]) == (0, 1)
    assert "made with other settings (weights)" in ended.err


def test_the_figures_of_a_long_evaluation_are_shown_though_they_cannot_be_recorded(
    fabula: Fabula, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path))
    make_example(store, "threads")
    evaluated: list[object] = []

    def evaluate(*each: object) -> Mapping[str, Any]:
        evaluated.append(each)
        store.delete_all(store.list_keys("catalog"))
        return {"turns": 3}

    monkeypatch.setattr(threads_evaluation, "evaluate_threads", evaluate)
    options = ("evaluate", "threads", "--store", store.url, "--record", "--json")
    assert "nobody has judged a row of threads" in fabula(*options).err
    assert evaluated == [], "it is told before the evaluation"
    session, clock = open_session(store, "threads", order="random")
    answer(session, clock, 0, ("sense", 4))
    ended = fabula(*options)
    assert (ended.json, ended.status) == ({"turns": 3}, 2)


def test_a_fitted_curve_is_a_file_of_settings_by_which_the_next_run_is_less_sure(fabula: Fabula, tmp_path: Path) -> None:
    for unit, away in (("S01E01", 0), ("S01E02", 20), ("S01E03", 20), ("S01E04", 0)):
        write_episode(tmp_path / "source", unit)
        write_gold(tmp_path / "gold", unit, away)

    def align(name: str, config_file: Path | None = None) -> list[float]:
        store = Store(str(tmp_path / name))
        run(TRANSCRIPTS, tmp_path / "source", store, config_file=config_file)
        found = [ALIGNMENTS.decode(store.read(key)) for key in store.list_keys("artifacts/transcripts/alignments")]
        return [span.confidence for pairs in found for _, span in pairs if span.confidence is not None]

    before = align("store")
    ended = fabula("fit", "transcripts", "--gold", tmp_path / "gold", "--to", "fitted.toml", "--store", "store", cwd=tmp_path)
    assert ended.status == 0, ended.err
    assert " rows of 4 units" in ended.out
    assert "[alignment.windows]\ncurve = [" in (tmp_path / "fitted.toml").read_text()
    after = align("fresh", tmp_path / "fitted.toml")
    assert sum(before) / len(before) > 0.8
    assert sum(after) / len(after) == pytest.approx(0.5, abs=0.1)

    ended = fabula("fit", "transcripts", "--to", "none.toml", "--store", "store", cwd=tmp_path)
    assert ended.status == 2
    assert "found 0 known rows of 0 unit(s)" in ended.err
    assert not (tmp_path / "none.toml").exists()
    absent = fabula("fit", "rooms", "--store", "store", cwd=tmp_path)
    assert (absent.status, "has no dataset 'rooms'" in absent.err) == (2, True)
