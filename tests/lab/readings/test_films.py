"""Films that were read are found again by their sentences, and refused where the script is read otherwise now."""

from pathlib import Path

import pytest

from core.errors import ConfigError, SourceError
from core.scripts.config import ScriptsConfig
from lab.readings.episodes import hash_sentence
from lab.readings.films import GROUPS, HELD_OUT, KEPT_BACK, choose_readings, find_movies, read_readings, read_stories
from tests.tasks.films import ROOMS, write_film

CONFIG = ScriptsConfig()


def readings(n_scenes: int = len(ROOMS), sentences: int = len(ROOMS)) -> dict[str, tuple[int, dict[str, tuple[int, ...]]]]:
    told = {hash_sentence(f"Jack looks for a lantern in the {room}."): (place,) for place, room in enumerate(ROOMS[:sentences])}
    return {"fox": (n_scenes, told)}


def test_the_scenes_are_found_by_the_sentences(tmp_path: Path) -> None:
    write_film(tmp_path)
    [(story, gold)] = read_stories(tmp_path / "movies", CONFIG, readings())
    assert (story.unit, len(story.scenes)) == ("fox", len(ROOMS))
    assert gold == {place: (place,) for place in range(len(ROOMS))}


@pytest.mark.parametrize(("n_scenes", "sentences", "said"), [(7, 6, "found 6 scenes"), (6, 5, "1 of 6 sentences")])
def test_a_film_that_is_read_otherwise_now_is_refused(tmp_path: Path, n_scenes: int, sentences: int, said: str) -> None:
    write_film(tmp_path)
    with pytest.raises(SourceError, match=said):
        list(read_stories(tmp_path / "movies", CONFIG, readings(n_scenes, sentences)))


def test_no_film_that_is_kept_for_measuring_was_read() -> None:
    read, held_out = read_readings(), read_readings(HELD_OUT)
    assert not {*read, *held_out} & set(KEPT_BACK)
    assert not set(read) & set(held_out)  # what chooses does not measure
    for n_scenes, told in [*read.values(), *held_out.values()]:
        assert all(scenes == tuple(sorted(set(scenes))) and max(scenes, default=0) < n_scenes for scenes in told.values())
    assert "read" not in GROUPS  # what is read chooses; what is measured does not


def test_a_film_that_nobody_read_is_refused_by_its_name() -> None:
    assert list(choose_readings(["jaws-film"])) == ["jaws-film"]
    assert choose_readings() == read_readings()
    with pytest.raises(ConfigError, match=r"were read: fox, owl; expected some of .*jaws-film"):
        choose_readings(["owl", "jaws-film", "fox"])


def test_without_the_corpora_the_movies_are_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABULA_CORPORA", raising=False)
    with pytest.raises(SystemExit, match="FABULA_CORPORA is not set"):
        find_movies()
    monkeypatch.setenv("FABULA_CORPORA", str(tmp_path))
    with pytest.raises(ConfigError, match="is no folder"):
        find_movies()
    (tmp_path / "scripts" / "movies").mkdir(parents=True)
    assert find_movies() == tmp_path / "scripts" / "movies"
