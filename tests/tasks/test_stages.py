"""The stages of a unit: what each pipeline computes and stores at first, and what again after which change."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from core.scripts import config as scripts
from core.scripts.long_texts import LongTextConfig
from core.scripts.names import CastConfig
from core.subtitles import config as subtitles
from core.transcripts import config as transcripts
from infra.tables.codecs import decode_table
from tests.tasks.conftest import Example
from tests.tasks.films import WORDS

UNITS = {"episodes": "S01E01", "stories": "lost-property", "films": "shard-0000-of-0001"}
EPISODE = ["dialogue", "recap", "alignments", "fit", "contributions", "decisions", "figures"]
STORY = ["story", "links"]
FILMS = ["films", "rejected", "failures", "prints"]
HALVES = transcripts.SplitConfig(shares=(0.5, 0.25, 0.25))


@pytest.mark.parametrize(("name", "stages"), [("episodes", EPISODE), ("stories", STORY), ("films", FILMS)])
def test_the_first_build_computes_every_stage_and_stores_it(name: str, stages: list[str], request: pytest.FixtureRequest) -> None:
    example: Example = request.getfixturevalue(name)
    built = example.references[UNITS[name]]
    assert list(built.computed) == list(built.artifacts) == stages
    for stage, artifact in built.artifacts.items():
        assert hashlib.sha256(example.store.read(artifact.key)).hexdigest() == artifact.sha256
        assert artifact.key.startswith(f"artifacts/{example.pipeline.name}/{stage}/{built.unit}/{artifact.fingerprint}.")
    for key, path in zip(built.inputs, built.sources, strict=True):
        content = (example.source / path).read_bytes()
        assert key.startswith(f"landing/{example.pipeline.name}/")
        assert hashlib.sha256(content).hexdigest() in key
        assert example.store.read(key) == content


@pytest.mark.parametrize(
    ("name", "changed", "stages"),
    [
        ("episodes", {"filter": transcripts.FilterConfig(min_turns=5)}, ["decisions"]),
        ("episodes", {"split": HALVES}, []),
        ("episodes", {"statistics": transcripts.StatisticsConfig(game_master="BRAM")}, ["figures"]),
        ("episodes", {"recap": transcripts.RecapConfig(splitter="regex")}, EPISODE[1:]),
        ("episodes", {"cleaning": transcripts.CleaningConfig(aliases={"TANSY": ("JONAS",)})}, [EPISODE[0], *EPISODE[2:]]),
        ("stories", {"split": HALVES}, []),
        ("stories", {"alignment": scripts.SceneAlignmentConfig(weights=scripts.Weights(bm25=1.0))}, ["links"]),
        ("stories", {"alignment": scripts.SceneAlignmentConfig(weights=WORDS, decoder="dtw")}, ["links"]),
        ("stories", {"cast": CastConfig(least_similarity=0.9)}, ["links"]),
        ("stories", {"synopsis": scripts.SynopsisConfig(splitter="regex")}, STORY),
        ("stories", {"long_texts": LongTextConfig(scenes="paragraphs")}, STORY),
        ("films", {"exclude": ("another-film",)}, []),
        ("films", {"limits": subtitles.SubtitleLimits(max_captions=9_999)}, FILMS),
        ("films", {"cleaning": subtitles.SubtitleCleaning(adverts="keep")}, FILMS),
        ("films", {"language": subtitles.LanguageConfig(min_share=0.2)}, FILMS),
        ("films", {"variants": subtitles.VariantConfig(tolerance=0.2)}, FILMS),
        ("films", {"matching": subtitles.MatchingConfig(least_names=0.2)}, FILMS),
        ("films", {"splitter": "regex"}, FILMS),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_changed_setting_computes_only_what_depends_on_it(
    name: str, changed: dict[str, Any], stages: list[str], request: pytest.FixtureRequest
) -> None:
    example: Example = request.getfixturevalue(name)
    assert list(example.build(UNITS[name], replace(example.config, **changed)).computed) == stages


def test_every_chunk_of_an_episode_has_one_decision(episodes: Example) -> None:
    """The decisions are the alignments with a reason each, so that a new filter aligns nothing anew."""
    artifacts = episodes.references["S01E01"].artifacts
    alignments, decisions = (decode_table(episodes.store.read(artifacts[stage].key)) for stage in ("alignments", "decisions"))
    assert decisions.select(alignments.column_names).equals(alignments)
    assert {*decisions.column("reason").to_pylist()} > {None}
