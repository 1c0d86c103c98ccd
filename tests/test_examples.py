"""The example story, which is the first thing that a user sees, is what the pipeline expects: read, paired, long enough."""

import re
from pathlib import Path

import pytest

from core.dataset.units import SourceFile
from core.text.sentences import make_splitter
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.discovery import EpisodeFiles, find_units
from core.transcripts.recaps.formats import read_recap
from infra.settings import load_config

CAST = {"ODILE", "BRAM", "PRIYA", "JONAS", "MAREN", "TOMASZ", "ALL"}
EPISODES = ["S01E01", "S01E02", "S01E03", "S01E04"]


@pytest.fixture(scope="module")
def source(repository: Path) -> Path:
    return repository / "examples" / "transcripts"


@pytest.fixture(scope="module")
def files(source: Path) -> list[SourceFile]:
    paths = sorted(path for path in source.rglob("*") if path.is_file())
    return [SourceFile(path.relative_to(source).as_posix(), path.stat().st_size, "") for path in paths]


@pytest.fixture(scope="module")
def episodes(files: list[SourceFile]) -> dict[str, EpisodeFiles]:
    return {unit.id: unit for unit in find_units(files).units}


def test_four_episodes_are_complete_and_one_waits(files: list[SourceFile]) -> None:
    found = find_units(files)

    assert [unit.id for unit in found.units] == EPISODES
    assert [(unit.id, unit.missing) for unit in found.waiting] == [("S01E05", "recap")]
    assert not found.refused


def test_settings_are_valid(source: Path) -> None:
    config = load_config(TranscriptsConfig, "transcripts", file=str(source / "settings.toml"))

    assert config.statistics.game_master == "ODILE"
    assert config.provenance.license == "Apache-2.0"


def test_settings_in_the_docs_are_valid(repository: Path, tmp_path: Path) -> None:
    page = (repository / "docs" / "transcripts.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    (tmp_path / "settings.toml").write_text(block, encoding="utf-8")

    config = load_config(TranscriptsConfig, "transcripts", file=str(tmp_path / "settings.toml"))

    assert config.cleaning.aliases == {"THE GM": ("ODILE",)}


@pytest.mark.parametrize("episode", EPISODES)
def test_dialogue_is_spoken_by_the_cast(source: Path, episodes: dict[str, EpisodeFiles], episode: str) -> None:
    table = parse_alias_table("speakers.tsv", (source / "speakers.tsv").read_text(encoding="utf-8"))
    aliases = select_aliases(episode, [table])
    parts = [
        read_dialogue(file.path, (source / file.path).read_bytes(), aliases=aliases) for file in episodes[episode].transcripts
    ]

    turns = join_parts(parts)

    assert 80 <= len(turns) <= 150
    assert {speaker for turn in turns for speaker in turn.speakers} <= CAST
    timed = episode in {"S01E03", "S01E04"}
    assert all((turn.start is not None) is timed for turn in turns)


@pytest.mark.parametrize("episode", EPISODES)
def test_recap_gives_chunks_enough(source: Path, episodes: dict[str, EpisodeFiles], episode: str) -> None:
    (file,) = episodes[episode].recaps

    recap = read_recap(file.path, (source / file.path).read_text(encoding="utf-8"), make_splitter("spacy"))

    assert recap.blurb
    assert len(recap.sentences) >= 28, "at least 10 chunks of 2 and of 3 sentences"
    assert [section.kind for section in recap.sections if section.kind == "break"] == ["break"]
    text = " ".join(recap.sentences)
    assert not [residue for residue in ("Edit", "Collapse", "[1]", "well wrestled, by a fan", "Advertise") if residue in text]
