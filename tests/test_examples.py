"""The examples of transcripts, which are the first thing that a user sees, are what the pipeline expects."""

import re
from pathlib import Path

import pytest

from core.dataset.units import SourceFile
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.discovery import find_units
from infra.settings import load_config

CAST = {"ODILE", "BRAM", "PRIYA", "JONAS", "MAREN", "TOMASZ", "ALL"}


@pytest.fixture(scope="module")
def source(repository: Path) -> Path:
    return repository / "examples" / "transcripts"


def test_settings_of_the_examples_and_of_the_docs_are_valid(source: Path, repository: Path, tmp_path: Path) -> None:
    config = load_config(TranscriptsConfig, "transcripts", file=str(source / "settings.toml"))
    assert (config.statistics.game_master, config.provenance.license) == ("ODILE", "Apache-2.0")
    page = (repository / "docs" / "transcripts.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    (tmp_path / "settings.toml").write_text(block, encoding="utf-8")
    config = load_config(TranscriptsConfig, "transcripts", file=str(tmp_path / "settings.toml"))
    assert config.cleaning.aliases == {"THE GM": ("ODILE",)}


def test_four_episodes_are_spoken_by_the_cast_and_one_waits(source: Path) -> None:
    files = [SourceFile(path.relative_to(source).as_posix(), 1, "") for path in sorted(source.rglob("*")) if path.is_file()]
    found = find_units(files)
    assert [unit.id for unit in found.units] == ["S01E01", "S01E02", "S01E03", "S01E04"]
    assert [(unit.id, unit.missing) for unit in found.waiting] == [("S01E05", "recap")]
    assert not found.refused
    table = parse_alias_table("speakers.tsv", (source / "speakers.tsv").read_text(encoding="utf-8"))
    for unit in found.units:
        aliases = select_aliases(unit.id, [table])
        turns = join_parts(
            [read_dialogue(file.path, (source / file.path).read_bytes(), aliases=aliases) for file in unit.transcripts]
        )
        assert 80 <= len(turns) <= 150
        assert {speaker for turn in turns for speaker in turn.speakers} <= CAST
        assert all((turn.start is not None) is (unit.id in {"S01E03", "S01E04"}) for turn in turns)
