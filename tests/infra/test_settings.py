"""Settings: what wins over what, and a message for everything that cannot be meant."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.rooms.config import RoomsConfig
from core.scripts.config import ScriptsConfig
from core.scripts.similarities import named_weights
from core.threads.config import ThreadsConfig
from core.transcripts.config import TranscriptsConfig
from infra.named_files import read_profile_table
from infra.settings import load_config
from infra.shipped_profiles import list_profiles


def load(tmp_path: Path, text: str | None = None, **options: object) -> TranscriptsConfig:
    file = None
    if text is not None:
        file = str(tmp_path / "settings.toml")
        Path(file).write_text(text, encoding="utf-8")
    return load_config(TranscriptsConfig, "transcripts", file=file, **options)  # type: ignore[arg-type]


def test_every_profile_that_ships_is_listed_and_loads_and_the_default_changes_nothing(tmp_path: Path) -> None:
    shipped = {
        "transcripts": "crd3 default",
        "scripts": "default sumtitles",
        "subtitles": "default",
        "threads": "base base-improved beam-2 beam-2-grade beam-4 beam-8 blender-2 blender-4 blender-8 default final "
        "final-1 final-2 final-reactions final-tuned insert post-comment random-pairs spoken",
        "rooms": "default grow2022 grow2022-spacy",
    }
    assert {name: " ".join(list_profiles(name)) for name in shipped} == shipped
    assert load_config(RoomsConfig, "rooms", profile="grow2022-spacy").analysis.pipeline == "en_core_web_lg"
    assert load(tmp_path) == TranscriptsConfig() != load(tmp_path, profile="crd3")
    assert "LAURA" in (read_profile_table("crd3", "speakers.tsv") or "")
    assert read_profile_table("default", "speakers.tsv") is None


def test_each_row_of_the_thesis_differs_from_the_row_before_in_what_its_name_says() -> None:
    rows = {name: load_config(ThreadsConfig, "threads", profile=name) for name in list_profiles("threads")}

    def differences(one: str, other: str) -> set[str]:
        parts = ("prefilter", "post", "search", "scorer", "postfilter")
        pairs = [(part, asdict(getattr(rows[one], part)), asdict(getattr(rows[other], part))) for part in parts]
        return {f"{part}.{name}" for part, before, after in pairs for name in before if before[name] != after[name]}

    base = rows["base"]
    assert (base.scorer.kind, base.scorer.model) == ("nsp", "bert-large-uncased")
    assert (base.search.agreement_penalty, base.search.threshold, base.prefilter.min_quality) == (0, 0, 0)
    assert differences("base", "base-improved") == {
        f"search.{each}" for each in ("max_segment", "better_nsp", "post_runs", "threshold")
    }
    assert differences("base-improved", "beam-2") == differences("beam-2", "beam-8") == {"search.beam"}
    assert differences("beam-2", "blender-2") == {"search.max_segment", "search.rough", "scorer.generator"}
    assert differences("beam-2", "beam-2-grade") == {"postfilter.drop_share"}
    assert differences("final-2", "final-1") == {"search.beam"}
    assert differences("final-2", "final-tuned") == {"scorer.model"}
    assert differences("final-tuned", "final-reactions") == {"search.reactions"}
    assert differences("final-tuned", "final") == {"search.threading"}
    assert differences("base", "random-pairs") == {"search.method"}


def test_a_file_wins_over_the_profile_and_overrides_over_both(tmp_path: Path) -> None:
    text = '[alignment]\ntokenizer = "rouge"\naligner = "greedy"\n[filter]\nmin_turns = 3\n'
    config = load(tmp_path, text, profile="crd3", overrides={"alignment": {"aligner": "needleman-wunsch"}})
    assert config.alignment.tokenizer == "rouge"
    assert config.alignment.aligner == "needleman-wunsch"
    assert config.filter.min_turns == 3
    assert config.statistics.game_master == "MATT"


def test_settings_may_stand_in_a_table_of_the_pipeline_and_lists_become_tuples(tmp_path: Path) -> None:
    text = "[transcripts.filter]\nmax_turns = 50\n[scripts.filter]\nanything = 1\n"
    assert load(tmp_path, text).filter.max_turns == 50
    assert load(tmp_path, "[alignment]\nchunk_sizes = [2, 5]\n").alignment.chunk_sizes == (2, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[filters]\nmin_turns = 3", "setting filters is not known; expected one of .*filter"),
        ("filter = 3", "setting filter is 3"),
        ('[alignment]\naligner = "magic"', "setting alignment.aligner is 'magic': .*'greedy'"),
        ("[filter\nmin_turns = 3", "settings.toml: .*expected TOML such as"),
        ("transcripts = 3", r"transcripts is 3; expected a table \[transcripts\]"),
        ("[transcripts.split]\n[filter]\nmin_turns = 3", r"filter stands beside the table \[transcripts\]"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as told:
        load(tmp_path, text)
    assert "settings.toml" in str(told.value)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"config file .*nowhere.toml: No such file.*give --config a readable TOML file"):
        load_config(TranscriptsConfig, "transcripts", file=str(tmp_path / "nowhere.toml"))
    (tmp_path / "latin.toml").write_bytes(b'[statistics]\ngame_master = "Andr\xe9"\n')
    with pytest.raises(ConfigError, match=r"latin.toml: not UTF-8 .*save it as UTF-8"):
        load_config(TranscriptsConfig, "transcripts", file=str(tmp_path / "latin.toml"))


@pytest.mark.parametrize("name", ["crd", "", "../profiles/crd3", "/etc", "sumtitles"])
def test_a_profile_that_the_pipeline_does_not_have_is_refused_with_those_that_it_has(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"transcripts has no profile .*; its profiles are crd3, default$"):
        load(tmp_path, profile=name)


def test_one_of_several_values_changes_and_the_others_keep_their_defaults(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[alignment.weights]\nbm25 = 2.0\n")
    weights = load_config(ScriptsConfig, "scripts", file=str(file)).alignment.weights
    assert weights == replace(ScriptsConfig().alignment.weights, bm25=2.0)


def test_the_profile_sumtitles_is_the_papers_method() -> None:
    method = load_config(ScriptsConfig, "scripts", "sumtitles").alignment
    assert named_weights(method.weights) == {"sim_max": 1.0, "sim_mean": 1.0, "jac": 1.0, "osj": 1.0}
    assert (method.decoder, method.mentions) == ("dtw", 0.0)
