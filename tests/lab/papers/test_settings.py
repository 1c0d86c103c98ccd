"""The settings files of the papers' neural rows: each trains a few steps on a tiny model that the test makes."""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from core.threads.config import ThreadsConfig
from infra.settings import load_config, read_toml, validate_config
from lab import papers
from lab.papers.tables import PAPERS, read_parts
from lab.summarisation.plan import SystemChoice, choose_systems
from lab.summarisation.systems import find_system, make_settings
from lab.training.fine_tuning import FineTuningConfig, fine_tune_next_sentence
from lab.training.writer import WriterConfig, train_writer
from tasks.threads.scorers import make_generator
from tests.lab.summarisation.neural.tiny import keep_in, list_texts, make_examples
from tests.spoken_forms import write_all
from tests.tiny_transformer import (
    save_tiny_encoder,
    save_tiny_encoder_decoder,
    save_tiny_next_sentence,
    save_tiny_summariser,
    save_tiny_writer,
)

pytest.importorskip("torch", reason="the extra `lab` is not installed")
FOLDER = Path(papers.__file__).with_name("settings")
EXAMPLES = make_examples()
TINY = {"vocabulary": 22, "embedding": 8, "filters": 4, "hidden": 8, "max_extracted": 2, "layers": 1, "heads": 2, "inner": 16}


def list_choices() -> Iterator[SystemChoice]:
    for name in ("crd3.toml", "sumtitles.toml"):
        yield from choose_systems(read_toml(str(FOLDER / name))["systems"])


@pytest.mark.parametrize("choice", list(list_choices()), ids=lambda choice: choice.label)
def test_a_summariser_of_a_papers_table_learns(choice: SystemChoice, tmp_path: Path) -> None:
    from lab.summarisation.neural.bertsum import BertSumSummariser
    from lab.summarisation.neural.generation import GenerationSummariser
    from lab.summarisation.neural.rewriting import RewriteSummariser

    settings = make_settings(find_system(choice.system), choice.settings)
    (tmp_path / "model").mkdir()
    if choice.system == "bertsum":
        small: dict[str, Any] = {"model": save_tiny_encoder(tmp_path / "model", list_texts(EXAMPLES)), "max_input": 64}
        make: Any = BertSumSummariser
    elif choice.system == "generation":
        small, make = (
            {"model": save_tiny_summariser(tmp_path / "model", list_texts(EXAMPLES)), "max_output": 8},
            GenerationSummariser,
        )
    else:
        small, make = {}, RewriteSummariser
    trainings = ("training", "extractor", "abstractor", "policy")
    for each in fields(settings):
        if each.name in trainings:
            small[each.name] = replace(getattr(settings, each.name), epochs=1, batch=8)
        elif each.name in TINY:
            small[each.name] = TINY[each.name]
    curve = make(replace(settings, **small), keep_in(tmp_path / "store")).train(EXAMPLES[4:], EXAMPLES[:4])
    curves = curve.values() if isinstance(curve, dict) else [curve]
    assert all(len(each.losses) >= 1 for each in curves)


def test_next_sentence_prediction_learns(tmp_path: Path) -> None:
    checked = validate_config(FineTuningConfig, read_toml(str(FOLDER / "forums-nsp.toml")), origin="forums-nsp.toml")
    (tmp_path / "model").mkdir()
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "dialogues_text.txt").write_text("".join(f"The lamp is {n} . __eou__ A boat ? __eou__\n" for n in range(60)))
    model = save_tiny_next_sentence(tmp_path / "model")
    found = fine_tune_next_sentence([str(corpus), str(write_all(tmp_path / "all"))], model, str(tmp_path / "out"), checked, 200)
    assert found["turns"] >= 16


@pytest.mark.parametrize("epochs", [2, 5])
def test_the_writer_of_rooms_learns_as_often_as_the_report_says(epochs: int, tmp_path: Path) -> None:
    given = read_toml(str(FOLDER / f"rooms-gpt2-{epochs}.toml"))
    checked = validate_config(WriterConfig, given, origin="rooms")
    texts, losses = [f"You enter a {size} room." for size in ("low", "vast", "dark")], list[float]()
    (tmp_path / "model").mkdir()
    train_writer(
        save_tiny_writer(tmp_path / "model", texts), texts, tmp_path / "out", checked, lambda _, __, loss: losses.append(loss)
    )
    assert len(losses) == epochs


def test_profiles_with_blender_name_a_generator_and_a_tiny_one_replies(tmp_path: Path) -> None:
    for profile in ("blender-2", "blender-4", "blender-8"):
        assert load_config(ThreadsConfig, "threads", profile).scorer.generator == "facebook/blenderbot-400M-distill"
    model = save_tiny_encoder_decoder(tmp_path, ["the lamp is out", "light it"])
    generate = make_generator(replace(load_config(ThreadsConfig, "threads", "blender-2").scorer, generator=model))
    assert generate is not None


def test_parts_name_every_file() -> None:
    told = " ".join(f"{part.where} {part.verdict}" for paper in PAPERS for part in read_parts(paper))
    assert [path.name for path in sorted(FOLDER.glob("*.toml")) if f"lab/papers/settings/{path.name}" not in told] == []
