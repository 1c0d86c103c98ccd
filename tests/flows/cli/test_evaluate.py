"""`fabula evaluate transcripts` as a user calls it."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.alignment.spans import Span
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import ALIGNMENTS
from tests.flows.calling import Ended
from tests.flows.stories import write_episode, write_gold


def align(fabula: Callable[..., Ended], folder: Path) -> Store:
    """Align an episode by the paper's method, which gives no confidence, into the folder's `store`."""
    write_episode(folder / "source", "S01E01")
    options = ("--set", "alignment.aligner=needleman-wunsch", "--set", "alignment.tokenizer=tweet", "--in-process")
    ended = fabula("run", "transcripts", "--source", folder / "source", "--store", folder / "store", *options)
    assert ended.status == 0, ended.err
    return Store(str(folder / "store"))


@pytest.fixture(scope="module")
def place(fabula: Callable[..., Ended], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `store`, whose spans have a confidence, and `gold` for an episode of it and for one that it lacks."""
    folder = tmp_path_factory.mktemp("evaluation")
    store = align(fabula, folder)
    for key in store.list_keys("artifacts/transcripts/alignments"):
        pairs = ALIGNMENTS.decode(store.read(key))
        store.write(key, ALIGNMENTS.encode([(chunk, Span(span.start, span.end, 1.0, 0.7)) for chunk, span in pairs]))
    write_gold(folder / "gold", "S01E01")
    write_gold(folder / "gold", "S01E07")
    return folder


def test_figures_for_a_program(fabula: Callable[..., Ended], place: Path) -> None:
    ended = fabula("evaluate", "transcripts", "--gold", "gold", "--store", "store", "--wordnet", "gold", "--json", cwd=place)
    assert ended.status == 0
    assert ended.json["episodes"] == ["S01E01"]
    assert ended.json["store"]["coverage"] == 0.5
    assert ended.json["store"]["reliability"]["bins"][0]["stated"] == pytest.approx(0.7)
    assert ended.json["crd3"] is None
    assert "gold S01E07: store" in ended.err
    assert "profile crd3 was not computed beside it: WordNet's noun files" in ended.err


def test_figures_for_a_person_and_a_diagram(fabula: Callable[..., Ended], place: Path) -> None:
    ended = fabula("evaluate", "transcripts", "--gold", "gold", "--store", "store", "--diagram", "d.svg", cwd=place)
    assert ended.status == 0
    rows = [line.split() for line in ended.out.splitlines()]
    assert rows[0] == ["chunks", "average", "count", "precision", "recall", "F1", "95", "%", "CI"]
    assert {tuple(row[:2]) for row in rows} >= {("store", "all"), ("store", "kept"), ("S01E01", "all")}
    assert [row[-1] for row in rows if row[:1] == ["store"]][-1] == "50.0%"
    assert rows[-1][0] == "0.7–0.8"
    assert ElementTree.parse(place / "d.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--gold", "nowhere"], "nowhere"),
        (["--gold", "source"], "no EPISODE.json there"),
        (["--gold", "gold", "--store", "none"], "none of the 2 gold episodes is in the store"),
        (["--gold", "gold", "--store", "store", "--diagram", "no/d.svg"], "--diagram no/d.svg: No such file"),
    ],
)
def test_a_wrong_call_ends_with_status_2_and_one_message(
    fabula: Callable[..., Ended], place: Path, arguments: list[str], message: str
) -> None:
    ended = fabula("evaluate", "transcripts", *arguments, cwd=place)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_without_confidence_there_is_nothing_to_draw(fabula: Callable[..., Ended], place: Path, tmp_path: Path) -> None:
    align(fabula, tmp_path)
    arguments = ("--gold", place / "gold", "--store", tmp_path / "store", "--diagram", tmp_path / "d.svg")
    ended = fabula("evaluate", "transcripts", *arguments)
    assert ended.status == 2
    assert "gives no confidence" in ended.err
