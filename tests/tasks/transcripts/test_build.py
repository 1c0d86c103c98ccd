"""One episode through its stages: what is computed again after which change, and a golden hash of every stage's result."""

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from core.errors import SourceError
from core.references import UnitReference
from core.transcripts.config import CleaningConfig, FilterConfig, RecapConfig, SplitConfig, StatisticsConfig, TranscriptsConfig
from core.transcripts.discovery import find_units
from infra.sources.listing import list_sources
from infra.store.objects import Store
from infra.tables.transcripts import ALIGNMENTS, CONTRIBUTIONS, FIGURES, RECAP
from infra.tables.turns import DIALOGUE
from tasks.transcripts.build import STAGE_VERSIONS, EpisodeRequest, build_episode

STAGES = ["dialogue", "recap", "alignments", "contributions", "figures"]
CODECS = {"dialogue": DIALOGUE, "recap": RECAP, "alignments": ALIGNMENTS, "contributions": CONTRIBUTIONS, "figures": FIGURES}
GOLDEN = {
    "dialogue": (1, "304cb1100705d85c"),
    "recap": (1, "c606967ac5a78b2a"),
    "alignments": (5, "f4b20a9a7536975c"),
    "contributions": (6, "fd5ce69def043df4"),
    "figures": (5, "b6328e7843745627"),
}
"""Version and hash of each stage's result on examples/transcripts, S01E01."""


def request(source: Path, store: str, config: TranscriptsConfig | None = None, aliases: tuple[str, ...] = ()) -> EpisodeRequest:
    files = {unit.id: unit for unit in find_units(list_sources([str(source)])).units}["S01E01"]
    return EpisodeRequest(files, store, aliases, config or TranscriptsConfig())


@pytest.fixture(scope="module")
def examples(repository: Path) -> Path:
    return repository / "examples" / "transcripts"


@pytest.fixture(scope="module")
def store() -> str:
    return f"memory://{uuid4().hex}"


@pytest.fixture(scope="module")
def built(examples: Path, store: str) -> UnitReference:
    return build_episode(request(examples, store))


def rebuild(examples: Path, store: str, **parts: Any) -> list[str]:
    """Return the stages that a build with other settings computes."""
    return list(build_episode(request(examples, store, replace(TranscriptsConfig(), **parts))).computed)


def test_the_first_build_computes_every_stage_and_stores_it(built: UnitReference, store: str) -> None:
    assert list(built.computed) == STAGES
    for stage, artifact in built.artifacts.items():
        content = Store(store).read(artifact.key)
        assert hashlib.sha256(content).hexdigest() == artifact.sha256
        assert artifact.key.startswith(f"artifacts/transcripts/{stage}/S01E01/{artifact.fingerprint}.")
    assert built.sources == ("transcripts/S01E01.txt", "recaps/S01E01_Low_Tide.html")


def test_what_came_in_is_kept_as_it_was(built: UnitReference, store: str, examples: Path) -> None:
    for key, path in zip(built.inputs, built.sources, strict=True):
        content = (examples / path).read_bytes()
        assert key.startswith(f"landing/transcripts/S01E01/{hashlib.sha256(content).hexdigest()}/")
        assert Store(store).read(key) == content


def test_the_second_build_computes_no_stage(built: UnitReference, store: str, examples: Path) -> None:
    again = build_episode(request(examples, store))
    assert again.computed == ()
    assert again.artifacts == built.artifacts
    assert again.counts == built.counts


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("changed", "stages"),
    [
        ({"filter": FilterConfig(min_turns=5)}, []),
        ({"split": SplitConfig(shares=(0.5, 0.25, 0.25))}, []),
        ({"statistics": StatisticsConfig(game_master="ODILE")}, ["figures"]),
        ({"recap": RecapConfig(splitter="regex")}, ["recap", "alignments", "contributions", "figures"]),
        (
            {"cleaning": CleaningConfig(aliases={"TANSY": ("BRAM",)})},
            ["dialogue", "alignments", "contributions", "figures"],
        ),
    ],
    ids=["filter", "split", "statistics", "splitter", "alias"],
)
def test_a_changed_setting_computes_only_what_depends_on_it(
    examples: Path, store: str, changed: dict[str, Any], stages: list[str]
) -> None:
    assert rebuild(examples, store, **changed) == stages


@pytest.mark.usefixtures("built")
def test_a_row_of_an_alias_table_renames_the_speaker(examples: Path, store: str) -> None:
    renamed = build_episode(request(examples, store, aliases=("BRAM\tBRAM STOKES\n",)))
    assert renamed.computed[0] == "dialogue"
    turns = DIALOGUE.decode(Store(store).read(renamed.artifacts["dialogue"].key))
    assert any("BRAM STOKES" in turn.speakers for turn in turns)
    assert not any("BRAM" in turn.speakers for turn in turns)


@pytest.mark.parametrize("stage", STAGES)
def test_results_change_only_with_the_stages_version(built: UnitReference, store: str, stage: str) -> None:
    value = CODECS[stage].decode(Store(store).read(built.artifacts[stage].key))
    version, golden = GOLDEN[stage]
    found = hash_value(value)
    assert (STAGE_VERSIONS[stage], found) == (version, golden), (
        f"the result of the stage {stage!r} on S01E01 has changed. If that is meant, raise STAGE_VERSIONS[{stage!r}] in "
        f"tasks/transcripts/build.py, or stores keep serving the old results, and write ({STAGE_VERSIONS[stage]} or higher, {found!r}) "
        f"into GOLDEN[{stage!r}] of this test"
    )


def hash_value(value: Any) -> str:
    """Return 16 digits over a decoded value; numbers count to nine digits, for the sake of other processors."""
    return hashlib.sha256(json.dumps(simplify(value), sort_keys=True).encode()).hexdigest()[:16]


def simplify(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [simplify(entry) for entry in value.tolist()]
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, (list, tuple)):
        return [simplify(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): simplify(entry) for key, entry in value.items()}
    return simplify(asdict(value)) if hasattr(value, "__dataclass_fields__") else value


def test_two_files_for_one_place_must_be_the_same(examples: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for part in ("transcripts", "recaps"):
        (source / part).mkdir(parents=True)
    content = (examples / "transcripts" / "S01E01.txt").read_bytes()
    (source / "transcripts" / "S01E01.txt").write_bytes(content)
    (source / "transcripts" / "S01E01_copy.txt").write_bytes(content)
    (source / "recaps" / "S01E01.html").write_bytes((examples / "recaps" / "S01E01_Low_Tide.html").read_bytes())
    landed = build_episode(request(source, str(tmp_path / "store")))
    assert landed.sources == ("transcripts/S01E01.txt", "recaps/S01E01.html")
    (source / "transcripts" / "S01E01_copy.txt").write_bytes(content + b"BRAM: One more thing.\n")
    with pytest.raises(SourceError, match=r"transcripts/S01E01.txt and transcripts/S01E01_copy.txt .* keep one of them"):
        build_episode(request(source, str(tmp_path / "store")))


def test_a_recap_without_a_sentence_is_refused_by_name(examples: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for part in ("transcripts", "recaps"):
        (source / part).mkdir(parents=True)
    (source / "transcripts" / "S01E01.txt").write_bytes((examples / "transcripts" / "S01E01.txt").read_bytes())
    (source / "recaps" / "S01E01.md").write_text("# Low Tide\n\n## Recap\n")
    with pytest.raises(SourceError, match=r"recaps/S01E01\.md"):
        build_episode(request(source, str(tmp_path / "store")))
