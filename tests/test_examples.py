"""The examples, which are the first thing that a user sees, are what their pipelines expect, and films are aligned as meant."""

import re
from pathlib import Path
from uuid import uuid4

import pytest

from core.dataset.takedown import Takedown
from core.dataset.units import SourceFile
from core.metrics.alignment_quality import rate_links
from core.scripts.config import ScriptsConfig
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.discovery import EpisodeFiles, find_units
from infra.settings import load_config
from infra.sources.opening import OpenedSources
from infra.store.objects import Store
from tasks.frame.build import build_unit
from tasks.frame.model import PlanRequest
from tasks.frame.plan import RunPlan, plan_run
from tasks.pipelines import SCRIPTS
from tasks.scripts.statistics import grade_stories

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


STORIES = {
    "kettle_s1_e01": (5, 6),
    "lost-property": (13, 12),
    "the-clock-that-ran-errands": (6, 5),
    "the-weather-clerk": (14, 13),
}
"""Scenes and sentences of each."""


@pytest.fixture(scope="module")
def films(repository: Path) -> str:
    return str(repository / "examples" / "scripts")


@pytest.fixture(scope="module")
def config(films: str) -> ScriptsConfig:
    return load_config(ScriptsConfig, "scripts", file=f"{films}/settings.toml")


def plan(source: str, store: str, config: ScriptsConfig) -> RunPlan:
    request = PlanRequest(
        sources=OpenedSources((source,)), store=Store(store), config=config, profile="default", resources={}, takedown=Takedown()
    )
    return plan_run(SCRIPTS.name, SCRIPTS.load_ingestion, request, {})


def test_four_stories_are_complete_and_one_waits(films: str, config: ScriptsConfig) -> None:
    planned = plan(films, f"memory://{uuid4().hex}", config)
    assert list(planned.requests) == list(STORIES)
    assert [(unit.id, unit.missing) for unit in planned.found.waiting] == [("the-polite-volcano", "synopsis")]
    assert planned.failures == ()
    assert {link.unit for link in planned.found.knowledge} == {"the-weather-clerk"}


def test_links_hit_the_gold(films: str, config: ScriptsConfig) -> None:
    store = f"memory://{uuid4().hex}"
    planned = plan(films, store, config)
    references = {unit: build_unit(request) for unit, request in planned.requests.items()}
    counts = {unit: (reference.counts["scenes"], reference.counts["sentences"]) for unit, reference in references.items()}
    assert counts == STORIES
    graded = grade_stories(Store(store), references, planned.found.knowledge)
    assert [story.unmatched for story in graded] == [(), ()]
    rates = rate_links(link for story in graded for link in story.links)
    assert rates is not None
    assert rates.hit_rate.value >= 0.85
