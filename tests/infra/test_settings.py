"""Settings: what wins over what, and a message for all that cannot be meant, made from the bounds of every configuration."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen

from core.errors import ConfigError
from core.rooms.config import RoomsConfig
from core.scripts.config import ScriptsConfig
from core.scripts.similarities import named_weights
from core.threads.config import ThreadsConfig
from core.transcripts.config import TranscriptsConfig
from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.named_files import read_profile_table
from infra.settings import load_config
from infra.shipped_profiles import list_profiles
from tasks.frame.ledger import RunCall
from tasks.frame.model import INGESTION
from tasks.frame.pipeline import Pipeline
from tasks.pipelines import PIPELINES, find_pipeline


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
    for name in shipped["threads"].split():
        load_config(ThreadsConfig, "threads", profile=name)
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
    for one, other, changed in (
        ("base", "base-improved", "search.max_segment search.better_nsp search.post_runs search.threshold"),
        ("base-improved", "beam-2", "search.beam"),
        ("beam-2", "beam-8", "search.beam"),
        ("beam-2", "blender-2", "search.max_segment search.rough scorer.generator"),
        ("beam-2", "beam-2-grade", "postfilter.drop_share"),
        ("final-2", "final-1", "search.beam"),
        ("final-2", "final-tuned", "scorer.model"),
        ("final-tuned", "final-reactions", "search.reactions"),
        ("final-tuned", "final", "search.threading"),
        ("base", "random-pairs", "search.method"),
    ):
        assert differences(one, other) == {*changed.split()}, (one, other)


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
        (b"[filters]\nmin_turns = 3", "setting filters is not known; expected one of .*filter"),
        (b"filter = 3", "setting filter is 3"),
        (b'[alignment]\naligner = "magic"', "setting alignment.aligner is 'magic': .*'greedy'"),
        (b"[filter\nmin_turns = 3", "settings.toml: .*expected TOML such as"),
        (b"transcripts = 3", r"transcripts is 3; expected a table \[transcripts\]"),
        (b"[transcripts.split]\n[filter]\nmin_turns = 3", r"filter stands beside the table \[transcripts\]"),
        (b'[statistics]\ngame_master = "Andr\xe9"\n', r"not UTF-8 .*save it as UTF-8"),
        (None, r"config file .*settings.toml: No such file.*give --config a readable TOML file"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: bytes | None, message: str) -> None:
    if text is not None:
        (tmp_path / "settings.toml").write_bytes(text)
    with pytest.raises(ConfigError, match=message) as told:
        load_config(TranscriptsConfig, "transcripts", file=str(tmp_path / "settings.toml"))
    assert "settings.toml" in str(told.value)


@pytest.mark.parametrize("name", ["crd", "", "../profiles/crd3", "/etc", "sumtitles"])
def test_a_profile_that_the_pipeline_does_not_have_is_refused_with_those_that_it_has(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"transcripts has no profile .*; its profiles are crd3, default$"):
        load(tmp_path, profile=name)


def test_one_of_several_values_changes_and_the_others_keep_their_defaults() -> None:
    weights = load_config(ScriptsConfig, "scripts", overrides={"alignment": {"weights": {"bm25": 2.0}}}).alignment.weights
    assert weights == replace(ScriptsConfig().alignment.weights, bm25=2.0)


def test_the_profile_sumtitles_is_the_papers_method() -> None:
    method = load_config(ScriptsConfig, "scripts", "sumtitles").alignment
    assert named_weights(method.weights) == {"sim_max": 1.0, "sim_mean": 1.0, "jac": 1.0, "osj": 1.0}
    assert (method.decoder, method.mentions) == ("dtw", 0.0)


EXAMPLES = Path(__file__).parents[2] / "examples"
Wrong = tuple[str, Any, str]
"""What is wrong with a value: its place within the setting, the value, and what the message must say of the bound."""


def spoil(hint: Any) -> Iterator[Wrong]:
    """Yield wrong values for a setting of this type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        base, *bounds = arguments
        yield from spoil_bounds(base, bounds)
        yield from (() if base in (int, float) else spoil(base))
    elif origin is Literal:
        yield "", "nosuch", repr(arguments[-1])
    elif origin is tuple and Ellipsis in arguments:
        yield "", 5, "array"
        yield from ((f"[0]{place}", [value], bound) for place, value, bound in spoil(arguments[0]))
    elif origin is tuple:
        yield "", [], ""
    elif origin is dict:
        yield "", 5, "table"
        for place, value, bound in spoil(arguments[1]):
            yield f".some{place}", {"some": value}, bound
        for _, value, bound in spoil(arguments[0]):
            if isinstance(value, str):
                yield f".{value.replace(chr(27), '?')}", {value: []}, bound
    elif hint is bool:
        yield from (("", value, "boolean") for value in ("perhaps", "true", 1, 0))
    elif hint is str:
        yield "", 3, "string"
        yield "", "a\x1b[2Jb", "control character"
    elif hint in (int, float):
        raise AssertionError("a number without bounds")
    elif hint is not NoneType:
        for part in arguments:
            yield from spoil(part)


def spoil_bounds(base: Any, bounds: list[Any]) -> Iterator[Wrong]:
    """Yield values just outside of each bound, and what is no such number at all."""
    if base in (int, float):
        assert any(isinstance(bound, Ge | Gt) for bound in bounds), "a number without a lowest value"
        assert any(isinstance(bound, Le | Lt) for bound in bounds), "a number without a highest value"
        yield from (("", value, "finite") for value in (float("nan"), float("inf"), float("-inf")))
        yield from (("", value, "number" if base is float else "integer") for value in ("many", "1", True, False))
    for bound in bounds:
        match bound:
            case Ge():
                yield "", bound.ge - 1, str(bound.ge)
            case Gt():
                yield "", bound.gt, str(bound.gt)
            case Le():
                yield "", bound.le + 1, str(bound.le)
            case Lt():
                yield "", bound.lt, str(bound.lt)
            case MinLen() if base is str:
                yield "", "", f"at least {bound.min_length} character"
            case MaxLen() if base is str:
                yield "", "x" * (bound.max_length + 1), f"at most {bound.max_length} character"
            case Len():
                yield "", [], f"at least {bound.min_length} item"
                yield "", [1] * ((bound.max_length or 0) + 1), f"at most {bound.max_length} item"


def list_settings(kind: Any, prefix: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every setting of a configuration: its path and its type."""
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if is_dataclass(hint):
            yield from list_settings(hint, (*prefix, name))
        else:
            yield (*prefix, name), hint


def nest(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    for name in reversed(path):
        value = {name: value}
    result: dict[str, Any] = value
    return result


def refuse(pipeline: Pipeline, settings: Mapping[str, Any]) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(pipeline.load(INGESTION).config, pipeline.name, overrides=settings)
    return str(caught.value)


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_every_wrong_value_of_every_setting_is_refused_with_its_name_and_its_bound(pipeline: Pipeline) -> None:
    tried = 0
    seen: Counter[str] = Counter()
    for path, hint in list_settings(pipeline.load(INGESTION).config):
        name = ".".join(path)
        try:
            spoiled = list(spoil(hint))
        except AssertionError as error:
            raise AssertionError(f"{pipeline.name}: {name}: {error}; core/bounds.py has types with bounds") from error
        seen[repr(hint)] += 1
        for place, value, bound in spoiled if seen[repr(hint)] < 3 else spoiled[-2:]:  # a type's bounds are those of the others
            message = refuse(pipeline, nest(path, value))
            assert f"setting {name}{place} " in message or (not bound and f"setting {name}" in message), (value, message)
            assert bound in message, (name, value, message)
            tried += 1
        message = refuse(pipeline, nest((*path[:-1], f"{path[-1]}x"), 1))
        assert f"setting {name}x is not known; expected one of " in message
        tried += 1
    assert tried >= 50


SPLIT = [
    ({"shares": [0.8, 0.1, 0.2]}, "setting split.shares is .*add up to 1"),
    ({"shares": [0.5, 0.5]}, r"setting split.shares\[2\]"),
    ({"method": "groups", "group_pattern": "^(S"}, r"setting split.group_pattern .* regular expression"),
    ({"group_pattern": "^S"}, r"setting split.group_pattern .* no group"),
    ({"method": "lists"}, "setting split.lists .* is empty"),
    ({"method": "lists", "lists": {"train": ["a"], "test": ["a"]}}, "a is in train and in test"),
    ({"lists": {"dev": ["a"]}}, "setting split.lists.dev .*'train', 'validation' or 'test'"),
    ({"method": "groups", "groups": {"x": ["a"], "y": ["a"]}}, "a is in x and in y"),
    ({"method": "groups", "groups": {"x": ["a"]}, "lists": {"test": ["y"]}}, "'y' is not an arc; expected some of x"),
]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        *(({"split": settings}, expected) for settings, expected in SPLIT),
        ({"unit_pattern": "("}, "setting unit_pattern .*not a regular expression"),
        ({"unit_pattern": "(.*)"}, r"setting unit_pattern .*add \(\?P<unit>"),
        ({"filter": {"min_turns": 5, "max_turns": 4}}, "setting filter.max_turns is 4: .*min_turns = 5"),
        ({"alignment": {"chunk_sizes": [2, 2]}}, "setting alignment.chunk_sizes .*only once"),
        ({"alignment": {"aligner": "greedy", "similarity": "rouge"}}, "setting alignment.similarity .*needleman-wunsch"),
        ({"alignment": {"windows": {"engaged": [0.5, 0.2]}}}, "setting alignment.windows.engaged .*2 values, expected 3"),
        ({"alignment": {"windows": {"length_means": []}}}, "setting alignment.windows.length_means .*0 values"),
        ({"alignment": {"windows": {"part_gap_shares": [0.5] * 5}}}, "setting alignment.windows.part_gap_shares .*2.5"),
        ({"alignment": {"windows": {"end_lasting": 0}}}, "setting alignment.windows.end_lasting .*0.05"),
        ({"filter": {"min_confidense": 0.5}}, r"Did you mean min_confidence\?"),
        ({"filter": {"zzz": 0.5}}, "(?s)^(?!.*Did you mean)"),
    ],
)
def test_settings_that_do_not_fit_each_other_or_are_misspelt_are_refused(settings: dict[str, Any], expected: str) -> None:
    for pipeline in PIPELINES if "split" in settings else (find_pipeline("transcripts"),):
        assert re.search(expected, refuse(pipeline, settings)), pipeline.name


def test_all_wrong_settings_are_told_at_once_each_with_where_it_was_set(tmp_path: Path) -> None:
    pipeline, file = find_pipeline("transcripts"), tmp_path / "settings.toml"
    file.write_text("[filter]\nmin_turns = -1\nmin_turn = 3\n[split]\nshares = [0.5, 0.2, 0.2]\n")
    overrides = {"alignment": {"window": -1, "chunk_sizes": [-1, 1_000_000_000]}}
    with pytest.raises(ConfigError) as caught:
        load_config(pipeline.load(INGESTION).config, pipeline.name, file=str(file), overrides=overrides)
    first, *lines = str(caught.value).splitlines()
    assert first == "6 settings are wrong; nothing was started"
    for name, origin in (
        ("filter.min_turn ", file),
        ("filter.min_turns ", file),
        ("split.shares ", file),
        ("alignment.window ", "the call"),
        ("alignment.chunk_sizes[0] ", "the call"),
        ("alignment.chunk_sizes[1] ", "the call"),
    ):
        assert [line for line in lines if line.startswith(f"  {origin}: setting {name}")], (name, lines)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"settings": {"split": {"shares": [2, 0, -1]}}}, r"setting split.shares\[0\]"),
        ({"profile": "nosuch"}, "has no profile 'nosuch'; its profiles are .*default"),
        ({"resources": {"nosuch": "/"}}, "knows no resource 'nosuch'"),
        ({"workers": 0}, "workers is 0; expected 1 or more"),
        ({"limit": -2}, "limit is -2; expected 1 or more"),
        ({"settings": {"split": {"method": "lists", "lists": {"train": ["nosuch"]}}}}, "split lists: .* is in no list"),
        ({"settings": {"split": {"method": "groups", "group_pattern": "^(nosuch)"}}}, "does not match the unit id"),
    ],
)
def test_a_call_that_is_refused_builds_nothing(tmp_path: Path, parts: dict[str, Any], expected: str) -> None:
    source, store = EXAMPLES / "transcripts", tmp_path / "store"
    settings = str(source / "settings.toml")
    call = RunCall(source=(str(source),), store=str(store), dataset="transcripts", config_file=settings, **parts)
    with pytest.raises(ConfigError, match=expected):
        run_pipeline(find_pipeline("transcripts"), call, InProcessMapper(), Nobody())
    assert not [entry for name in ("artifacts", "catalog", "datasets") for entry in store.glob(f"{name}/**/*")]
