"""Everything bad that a source can hold, in one run beside two good episodes: what lands, and what the user is told."""

import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.flows.calling import Ended, Fabula
from tests.flows.stories import write_episode, write_recap, write_transcript

QUARANTINED = {
    "S01E03": ("transcripts/S01E03.txt", "the file is empty", "Remove it or upload it again"),
    "S01E04": ("transcripts/S01E04.txt", "no speaker labels", "Add the labels or remove the file"),
    "S01E05": ("transcripts/S01E05.txt", "NUL bytes", "Is this a binary file"),
    "S01E06": ("transcripts/S01E06.txt", "not UTF-8", "-t UTF-8"),
    "S01E07": ("transcripts/S01E07.txt", "191 MiB", "Divide it into parts"),
    "S01E08": ("transcripts/S01E08.txt", "line 1 has 30,000,006 characters", "Is this a transcript?"),
    "S01E09": ("transcripts/S01E09.txt and transcripts/S01E09_v2.txt", "differ", "keep one of them"),
    "S01E10": ("recaps/S01E10.html", "no synopsis", "check that this page is a recap"),
    "S01E11": ("transcripts/S01E11.json", "not valid JSON", "export the file again"),
    "S01E12": ("transcripts/S01E12.txt", "symbolic links", "check that it is still there"),
    "S01E13": ("transcripts/S01E13.txt", "No such file", "check that it is still there"),
    "S01E20": ("recaps/S01E20.json", "title is int, not a text", "Export the file again"),
    "S01E21": ("recaps/S01E21.json", r"lone surrogate \ud800", "Export the file again"),
    "S01E22": ("recaps/S01E22.json", "maximum recursion depth", "Export the file again"),
    "S01E23": ("transcripts/S01E23.json", "maximum recursion depth", "export the file again"),
    "transcripts/---.txt": ("---", "no unit id", "rename the file"),
    "transcripts/S01E01_caf\\xe9.txt": ("caf\\xe9", "not UTF-8", "rename the file"),
    "transcripts/S01E01.pdf": (".pdf", "a transcript is one of .txt", "convert the file"),
    "transcripts/circle": ("circle", "goes in circles", "remove the link"),
    "transcripts/S01E18.txt": ("S01E18", "a FIFO", "put one in its place"),
    "transcripts/pipe.pdf": ("pipe", "a FIFO", "put one in its place"),
}
WAITING = {"S01E16": "recap", "S01E17": "transcript", "a..b.": "recap", "episode": "recap", "my-episode": "recap"}
LANDED = {"S01E01", "S01E02", "S01E14", "S01E15", "S01E24"}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two good episodes among everything else."""
    source = tmp_path_factory.mktemp("source")
    for unit in ("S01E01", "S01E02"):
        write_episode(source, unit)
    for number in (*range(3, 10), *range(11, 14)):
        write_recap(source, f"S01E{number:02d}.md")
    transcripts, recaps = source / "transcripts", source / "recaps"
    (transcripts / "S01E03.txt").write_text("")
    (transcripts / "S01E04.txt").write_text("They walked on.\nNobody said a word.\n" * 20)
    (transcripts / "S01E05.txt").write_bytes(bytes(range(256)) * 40)
    (transcripts / "S01E06.txt").write_bytes("АННА: Где мы?\nБЕН: Не знаю, пойдём дальше вместе.\n".encode("koi8-r") * 30)
    with (transcripts / "S01E07.txt").open("wb") as huge:  # sparse: 200 MB in one line
        huge.write(b"ANNA: ")
        huge.truncate(200_000_000)
    (transcripts / "S01E08.txt").write_bytes(b"ANNA: " + b"word " * 6_000_000)
    write_transcript(source, "S01E09.txt")
    write_transcript(source, "S01E09_v2.txt", word="candle")
    write_transcript(source, "S01E10.txt")
    (recaps / "S01E10.html").write_text('<html><body><div class="mw-parser-output"></div></body></html>')
    (transcripts / "S01E11.json").write_text('{"TURNS": [')
    (transcripts / "S01E12.txt").symlink_to("S01E12.txt")
    (transcripts / "S01E13.txt").symlink_to("gone.txt")
    write_transcript(source, "S01E14.txt")
    write_transcript(source, "S01E14_copy.txt")
    write_recap(source, "S01E14.md")
    write_transcript(source, "S01E15.txt")
    write_recap(source, "S01E15.md", sentences=4)
    write_transcript(source, "S01E16.txt")
    write_recap(source, "S01E17.md")
    for name in ("my episode.txt", "épisode.txt", "---.txt", "a..b..txt", "S01E01.pdf", ".hidden.txt"):
        write_transcript(source, name)
    with open(os.fsencode(transcripts) + b"/S01E01_caf\xe9.txt", "w") as foreign:  # noqa: PTH123 -- a name in bytes
        foreign.write("ANNA: Hello.\n")
    page = {"title": 5, "text": f"<h2>Synopsis</h2><p>{'They carry the lantern on. ' * 20}</p>"}
    damaged = {"title": "Low Tide", "text": page["text"], "categories": [{"*": "\ud800"}]}
    for unit, recap in (("S01E20", json.dumps({"parse": page})), ("S01E21", json.dumps({"parse": damaged}))):
        (recaps / f"{unit}.json").write_text(recap)
    (recaps / "S01E22.json").write_text('{"parse": ' + "[" * 100_000)
    for unit in ("S01E20", "S01E21", "S01E22"):
        write_transcript(source, f"{unit}.txt")
    (transcripts / "S01E23.json").write_text('{"TURNS": ' + "[" * 100_000)
    said = (f"We carry the lantern to room {turn} and look for key {turn}." + "\ud800" * (turn == 7) for turn in range(60))
    turns = [{"NAMES": [("ANNA", "BEN", "CARA")[turn % 3]], "UTTERANCES": [text]} for turn, text in enumerate(said)]
    (transcripts / "S01E24.json").write_text(json.dumps({"TURNS": turns}))  # such text is mended: a recogniser made it
    for unit in ("S01E23", "S01E24"):
        write_recap(source, f"{unit}.md")
    (transcripts / "circle").symlink_to(transcripts)
    for name in ("S01E18.txt", "pipe.pdf"):
        os.mkfifo(transcripts / name)
    return source


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def ran(fabula: Fabula, source: Path, store: Path) -> Ended:
    return fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")


def test_the_run_succeeds_and_counts_everything_once(ran: Ended) -> None:
    assert ran.status == 0, ran.err
    assert ran.json["units"] == {
        "discovered": len(LANDED) + len(WAITING) + len(QUARANTINED),
        "computed": len(LANDED),
        "reused": 0,
        "waiting": len(WAITING),
        "quarantined": len(QUARANTINED),
        "removed": 0,
    }


def test_standard_error_names_each_file_with_what_to_do_and_has_nothing_else(ran: Ended) -> None:
    lines = ran.err.splitlines()
    told = {unit: [line for line in lines if line.startswith(f"quarantined  {unit}: ")] for unit in QUARANTINED}
    for unit, parts in QUARANTINED.items():
        (line,) = told[unit]
        assert [part for part in parts if part not in line] == [], unit
    assert [line for line in lines if line.startswith("waiting")] == [
        f"waiting      {unit}: no {missing} yet"
        for unit, missing in sorted(WAITING.items(), key=lambda entry: entry[0].casefold())
    ]
    assert len(lines) == len(QUARANTINED) + len(WAITING)


def test_the_others_land_and_a_short_episode_has_its_pairs_too(ran: Ended) -> None:
    release = Path(ran.json["release"])
    pairs = pq.read_table(next(release.glob("alignments/*.parquet")), columns=["episode", "kept"]).to_pylist()
    assert {row["episode"] for row in pairs} == LANDED
    assert {row["episode"] for row in pairs if row["kept"]} == LANDED


def test_nothing_is_tried_again_while_it_is_the_same_and_strict_says_so(
    ran: Ended, fabula: Fabula, source: Path, store: Path
) -> None:
    again = fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json", "--strict")
    assert again.status == 1
    assert again.json["units"] == ran.json["units"] | {"computed": 0, "reused": len(LANDED)}
    assert again.json["release"] == ran.json["release"]
    assert again.err == ran.err


@pytest.mark.skipif(os.getuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_named(fabula: Fabula, tmp_path: Path) -> None:
    write_episode(tmp_path / "source", "S01E01")
    (tmp_path / "source" / "transcripts" / "S01E01.txt").chmod(0)
    ended = fabula("run", "transcripts", "--source", tmp_path / "source", "--store", tmp_path / "store", "--in-process")
    assert ended.status == 1
    assert "could not read transcripts/S01E01.txt" in ended.err
