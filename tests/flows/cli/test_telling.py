"""What a run, `fabula show` and `fabula evaluate` tell: what landed, what did not and why, and what was left out."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tasks.pipelines import PIPELINES
from tests.flows.calling import Ended
from tests.flows.stories import write_episode, write_gold, write_recap, write_transcript

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module", params=PIPELINES, ids=lambda pipeline: pipeline.name)
def example(
    request: pytest.FixtureRequest, fabula: Callable[..., Ended], tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path, Ended]:
    """A pipeline's name, the store with its example, and its run with --json."""
    name, store = request.param.name, tmp_path_factory.mktemp("store")
    source = EXAMPLES / name
    config = source / "settings.toml"
    ran = fabula("run", name, "--source", source, "--config", config, "--store", store, "--in-process", "--json")
    return name, store, ran


def test_the_json_of_a_run_has_rows_rejects_and_units(example: tuple[str, Path, Ended], fabula: Callable[..., Ended]) -> None:
    name, store, ran = example
    told = ran.json
    assert told["dataset"] == name
    listed = fabula("datasets", name, "--store", store, "--json").json[0]["rows"]
    assert {table: count for table, count in told["rows"].items() if count} == {t: c for t, c in listed.items() if c}
    assert sum(entry["count"] for entry in told["rejects"]) == listed.get("rejects", 0)
    for kind in ("waiting", "quarantined"):
        assert len(told[kind]) == told["units"][kind]
    assert all(failure["reason"] for failure in told["quarantined"])


def test_every_unit_is_listed_shown_or_explained(example: tuple[str, Path, Ended], fabula: Callable[..., Ended]) -> None:
    name, store, ran = example
    listed = fabula("show", "--list", "--store", store)
    assert listed.status == 0, listed.err
    rows = [line.split(maxsplit=2) for line in listed.out.splitlines()[1:-1]]
    states = {row[0]: row[1] for row in rows if len(row) > 1 and row[1] in {"landed", "waiting", "quarantined", "stale"}}
    assert sum(state == "landed" for state in states.values()) > 0
    assert sum(state == "waiting" for state in states.values()) == ran.json["units"]["waiting"]
    landed = next(unit for unit, state in states.items() if state == "landed")
    shown = fabula("show", name, landed, "--store", store)
    assert (shown.status, shown.out.strip() != "") == (0, True), shown.err
    absent = fabula("show", f"{landed}x", "--store", store)
    assert absent.status == 2
    assert "no run has found it" in absent.err
    assert landed in absent.err


def test_a_sample_is_the_same_each_time(example: tuple[str, Path, Ended], fabula: Callable[..., Ended]) -> None:
    _, store, _ = example
    first, again = (fabula("show", "--sample", 3, "--store", store) for _ in range(2))
    assert (first.status, first.err) == (0, "")
    assert first.out == again.out
    assert first.out.strip()
    assert fabula("show", "--rejects", "--store", store).status == 0


@pytest.fixture(scope="module")
def short_show(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three short episodes: each recap has eight sentences, fewer than 10 chunks of any size."""
    source = tmp_path_factory.mktemp("short")
    things = ("copper", "ladder", "garden", "whistle", "parrot", "compass", "ribbon", "bucket", "mirror", "candle", "anchor")
    for number, (place, hiding) in enumerate((("lantern", "harbour"), ("violin", "attic"), ("bakery", "thief")), start=1):
        turns = [
            f"ANNA: I look for the {thing} near the {place}, and I carry the {thing} home.\n"
            f"BEN: You find the {thing} behind the {hiding} while the {thing} shines.\n"
            for thing in things
        ]
        recap = " ".join(f"Anna found the {thing} behind the {hiding}." for thing in things[:8])
        for folder, name, text in (
            ("transcripts", f"S01E0{number}.txt", "".join(turns)),
            ("recaps", f"S01E0{number}.md", f"# Episode {number}\n\n## Synopsis\n\n{recap}\n"),
        ):
            (source / folder).mkdir(exist_ok=True)
            (source / folder / name).write_text(text)
    return source


def test_a_short_show_gives_pairs(short_show: Path, tmp_path: Path, fabula: Callable[..., Ended]) -> None:
    told = fabula("run", "transcripts", "--source", short_show, "--store", tmp_path, "--in-process", "--json").json
    assert told["rows"]["pairs"] > 0
    assert told["empty"] is None
    assert "too-few-chunks" not in {entry["reason"] for entry in told["rejects"]}


def test_no_pairs_are_explained_with_the_setting_that_decides(
    short_show: Path, tmp_path: Path, fabula: Callable[..., Ended]
) -> None:
    ran = fabula(
        "run", "transcripts", "--source", short_show, "--store", tmp_path, "--in-process", "--set", "filter.min_chunks=10"
    )
    assert "the dataset has 0 pairs: all" in ran.out
    assert re.search(r"left out +\d+ too-few-chunks: filter.min_chunks = 10; with \d half of them pass, with \d all", ran.out)
    again = fabula("run", "transcripts", "--source", short_show, "--store", tmp_path, "--in-process", "--json")
    assert again.json["rows"]["pairs"] > 0


@pytest.fixture
def mixed(tmp_path: Path, fabula: Callable[..., Ended]) -> Iterator[Path]:
    """A store with a good episode, one that waits for its recap, a bad one, and one that went bad after it had landed."""
    source, store = tmp_path / "source", tmp_path / "store"
    write_episode(source, "S01E01")
    write_episode(source, "S01E02")
    assert fabula("run", "transcripts", "--source", source, "--store", store, "--in-process").status == 0
    write_transcript(source, "S01E03.txt")
    write_recap(source, "S01E04.md")
    (source / "transcripts" / "S01E04.txt").write_bytes(b"\x00\x01\x1b[2J")
    (source / "transcripts" / "S01E02.txt").write_bytes(b"\x00\x01")
    yield tmp_path
    shutil.rmtree(tmp_path)


def test_waiting_quarantined_and_stale_units_are_told_with_why(mixed: Path, fabula: Callable[..., Ended]) -> None:
    source, store = mixed / "source", mixed / "store"
    ran = fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")
    assert ran.json["waiting"] == [{"unit": "S01E03", "missing": "recap"}]
    assert {failure["unit"] for failure in ran.json["quarantined"]} == {"S01E02", "S01E04"}
    assert ran.json["stale"] == ["S01E02"]
    assert "its last good state stays in the dataset" in ran.err
    listed = fabula("show", "--list", "--store", store).out
    states = {line.split()[0]: line.split()[1] for line in listed.splitlines()[1:5]}
    assert states == {"S01E01": "landed", "S01E02": "stale", "S01E03": "waiting", "S01E04": "quarantined"}
    waiting, failed = (fabula("show", unit, "--store", store) for unit in ("S01E03", "S01E04"))
    assert "it waits: it has no recap yet" in waiting.err
    assert "it is in quarantine: " in failed.err
    assert "\x1b" not in ran.err + ran.out + listed + failed.err


def test_an_evaluation_names_dataset_version_and_profile(tmp_path: Path, fabula: Callable[..., Ended]) -> None:
    write_episode(tmp_path / "source", "S01E01")
    (tmp_path / "gold").mkdir()
    write_gold(tmp_path / "gold", "S01E01")
    call = ("run", "transcripts", "--source", tmp_path / "source", "--store", tmp_path / "store", "--dataset", "mine")
    version = fabula(*call, "--in-process", "--json").json["release"].rsplit("/", 1)[1]
    options = ("--gold", tmp_path / "gold", "--store", tmp_path / "store", "--dataset", "mine")
    told = fabula("evaluate", "transcripts", *options, "--json")
    assert (told.json["dataset"], told.json["version"], told.json["profile"]) == ("mine", version, "default")
    assert f"compared: dataset mine, version {version}, made with profile default" in told.err


def test_the_version_is_told_and_help_is_whole_in_80_columns(fabula: Callable[..., Ended]) -> None:
    assert fabula("--version").out.startswith("fabula ")
    for part in ((), ("run",), ("takedown",), ("evaluate",)):
        told = fabula(*part, "--help", COLUMNS="80", TERMINAL_WIDTH="80")
        assert told.status == 0
        commands = told.out.split("Commands:")[1]
        assert "..." not in commands
        assert all(len(line) <= 80 for line in told.out.splitlines())
    assert "--show-completion" in fabula("--help").out


def test_a_store_that_is_not_there_is_an_error_and_doctor_makes_none(tmp_path: Path, fabula: Callable[..., Ended]) -> None:
    told = fabula("datasets", "--store", tmp_path / "nosuch")
    assert told.status == 2
    assert "there is no store at" in told.err
    checks = fabula("doctor", "--store", tmp_path / "nosuch", "--json").json["checks"]
    assert [check["state"] for check in checks if check["name"] == "store"] == ["ok"]
    assert not (tmp_path / "nosuch").exists()
