"""`fabula run subtitles` beside scripts of the same store, and by Prefect and Dask."""

import json
import shutil
from pathlib import Path

import pytest

from tests.flows.calling import Fabula
from tests.tasks.subtitled import write_film


def test_a_movie_of_the_stores_scripts_is_left_out_and_told(fabula: Fabula, repository: Path, tmp_path: Path) -> None:
    example, store = repository / "examples" / "scripts", ("--store", tmp_path / "store", "--in-process")
    shutil.copytree(example / "movies" / "lost-property", tmp_path / "scripts" / "movies" / "doublet")
    ended = fabula("run", "scripts", "--source", tmp_path / "scripts", *store, "--config", example / "settings.toml")
    assert ended.status == 0, ended.err
    for film in ("alpha", "doublet"):
        write_film(tmp_path / "films", film)
    (write_film(tmp_path / "films", "silent") / "film.srt").unlink()
    told = fabula("run", "subtitles", "--source", tmp_path / "films", *store, "--json")
    assert (told.status, told.json["units"]["computed"]) == (0, 1), told.err
    assert "left out     doublet: already present in scripts" in told.err
    assert "waiting      silent: no English subtitle yet" in told.err
    (entry,) = json.loads((Path(told.json["release"]) / "stats.json").read_text())["left_out"]
    assert entry["film"] == "doublet"


@pytest.mark.integration
def test_prefect_and_dask_release_what_this_process_does(
    fabula: Fabula, fabula_process: Fabula, repository: Path, tmp_path: Path
) -> None:
    call = ("run", "subtitles", "--source", repository / "examples" / "subtitles", "--json", "--store")
    here = fabula(*call, tmp_path / "here", "--in-process")
    there = fabula_process(*call, tmp_path / "there", "--workers", 1)
    assert there.status == 0, there.err
    assert (there.json["units"], there.err) == (here.json["units"], "")
    assert Path(there.json["release"]).name == Path(here.json["release"]).name  # the version, a hash of the content
