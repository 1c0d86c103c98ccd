"""CRD3's architecture on a toy task: what was found is to be told, in order, and by a word that no training has seen."""

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from core.scripts.views import Line
from lab.summarisation.neural.examples import Example
from lab.summarisation.neural.rewriting import RewriteSummariser
from lab.summarisation.neural.settings import RewriteConfig
from lab.summarisation.neural.vocabulary import UNKNOWN
from lab.training.checkpoints import CheckpointPlace
from lab.training.network import FINISHED, TrainingConfig, TrainingCurve
from tests.lab.summarisation.neural.tiny import keep_in, list_kept

torch = pytest.importorskip("torch", reason="the extra `lab` is not installed")
CHAT = ("What do we do now?", "I roll a seven.", "We ate bread today.")
SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "mi", "nu", "ra", "so", "ti", "va")


def make_finds(count: int, syllables: int) -> list[Example]:
    """Return dialogues in which two things are found among chatter; their names are made up of so many syllables."""
    dice = random.Random(syllables)
    examples = []
    for _ in range(count):
        things = ["".join(dice.choices(SYLLABLES, k=syllables)) for _ in range(2)]
        lines = [Line("GUIDE", text) for text in CHAT]
        for thing in things[::-1]:
            lines.insert(dice.randrange(len(lines) + 1), Line("Anna", f"I found the {thing}."))
        said = [line.text for line in lines]
        things.sort(key=lambda thing: said.index(f"I found the {thing}."))
        examples.append(Example(tuple(lines), tuple(f"They found the {thing}." for thing in things)))
    return examples


def configure(**settings: int | TrainingConfig) -> RewriteConfig:
    """Return settings of tiny networks whose vocabulary has the ten most frequent words, not the names of things."""
    learn = TrainingConfig(epochs=4, batch=16, learning_rate=0.01, checkpoint_steps=7, decay=False, weight_decay=0.0, clip=2.0)
    sizes = {"vocabulary": 22, "embedding": 16, "filters": 8, "hidden": 24, "max_extracted": 4, "max_sentence": 8, "batch": 32}
    trainings = {
        "extractor": learn,
        "abstractor": replace(learn, epochs=12),
        "policy": replace(learn, epochs=2, learning_rate=0.001),
    }
    return RewriteConfig(**{**sizes, **trainings, **settings})  # type: ignore[arg-type]


Trained = tuple[RewriteSummariser, dict[str, TrainingCurve], Path]
TRAIN, HELD_OUT = make_finds(160, 3), make_finds(24, 4)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    folder = tmp_path_factory.mktemp("store")
    summariser = RewriteSummariser(configure(), keep_in(folder))
    return summariser, summariser.train(TRAIN, HELD_OUT), folder


@pytest.mark.integration
def test_the_pointer_learns_to_choose_in_order_and_to_stop(trained: Trained) -> None:
    curve = trained[1]["extractor"]
    assert curve.losses[-1] < curve.losses[0] / 5
    expected = [
        [place for sentence in example.sentences for place, line in enumerate(example.lines) if line.text[8:] == sentence[11:]]
        for example in HELD_OUT
    ]
    chosen = [[place for _, place in summary] for summary in trained[0].summarise([example.lines for example in HELD_OUT])]
    assert sum(one == other for one, other in zip(chosen, expected, strict=True)) >= 22


@pytest.mark.integration
def test_words_that_the_vocabulary_lacks_are_copied(trained: Trained) -> None:
    curve = trained[1]["abstractor"]
    assert curve.losses[-1] < curve.losses[0] / 5
    plain = RewriteSummariser(configure(beams=1), keep_in(trained[2]))
    assert plain.train(TRAIN, HELD_OUT)["abstractor"] == curve, "how candidates are searched changes no training"
    told = {sentence for summary in plain.summarise([example.lines for example in HELD_OUT]) for sentence, _ in summary}
    wanted = {sentence.lower() for example in HELD_OUT for sentence in example.sentences}
    assert len(told & wanted) >= 0.9 * len(wanted)
    unseen = [sentence.split()[-1][:-1] for sentence in wanted]
    assert set(plain._vocabulary.number(unseen)) == {UNKNOWN}


def test_without_an_abstractor_the_turns_are_the_summary(tmp_path: Path) -> None:
    summariser = RewriteSummariser(configure(), keep_in(tmp_path), abstract=False)
    told: dict[int, Mapping[str, float]] = {}
    curves = summariser.train(TRAIN[:40], HELD_OUT, told.__setitem__)
    assert list(curves) == ["extractor", "policy"]
    assert sorted(told) == list(range(1, len(curves["extractor"].losses) + len(curves["policy"].losses) + 1))
    names = {name for figures in told.values() for name in figures}
    assert names == {"extractor loss", "extractor validation", "policy loss", "policy ROUGE-1"}
    for summary, example in zip(summariser.summarise([example.lines for example in HELD_OUT]), HELD_OUT, strict=True):
        assert summary
        assert all(text == example.lines[place].text for text, place in summary)
        assert len({place for _, place in summary}) == len(summary)


@pytest.mark.integration
def test_the_policy_raises_the_reward(tmp_path: Path) -> None:
    learn = configure().extractor
    hardly = configure(
        extractor=replace(learn, epochs=1, learning_rate=1e-4), policy=replace(learn, epochs=1, learning_rate=1e-9)
    )
    before = RewriteSummariser(hardly, keep_in(tmp_path / "hardly"), abstract=False).train(TRAIN, HELD_OUT)["policy"]
    much = replace(hardly, policy=replace(learn, epochs=2))
    after = RewriteSummariser(much, keep_in(tmp_path / "much"), abstract=False).train(TRAIN, HELD_OUT)["policy"]
    assert -after.epochs[-1].figure > -before.epochs[-1].figure + 0.2


@pytest.mark.integration
def test_a_policy_training_that_is_stopped_is_resumed_and_ends_like_one_that_was_not(trained: Trained, tmp_path: Path) -> None:
    curves = trained[1]
    before = len(curves["extractor"].losses) + len(curves["abstractor"].losses)

    def stop(step: int, _: Mapping[str, float]) -> None:
        if step == before + 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        RewriteSummariser(configure(), keep_in(tmp_path)).train(TRAIN, HELD_OUT, stop)
    assert "policy-last.safetensors" in list_kept(tmp_path)
    resumed = RewriteSummariser(configure(), keep_in(tmp_path)).train(TRAIN, HELD_OUT)
    assert resumed == curves | {"policy": replace(curves["policy"], resumed_after=7)}
    expected, found = (CheckpointPlace(keep_in(folder), "policy").read(FINISHED) for folder in (trained[2], tmp_path))
    assert expected is not None
    assert found is not None
    assert all(bool((expected.tensors[name] == values).all()) for name, values in found.tensors.items())


@pytest.mark.integration
def test_what_fills_up_a_batch_changes_no_walk(trained: Trained) -> None:
    summariser = trained[0]
    short = (("i", "found", "it"), ("yes",))
    long = tuple(tuple(f"word{place}" for place in range(40)) for _ in range(9))
    with torch.no_grad():
        alone, beside = summariser._remember([short]), summariser._remember([long, short])
    torch.testing.assert_close(beside.vectors[1, :3], alone.vectors[0], rtol=0, atol=1e-5)
    assert beside.there.sum(1).tolist() == [10, 3]


@pytest.mark.filterwarnings("ignore:TF32 acceleration:UserWarning")
def test_bfloat16_takes_the_same_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("infra.models.model_folder", "lab.training.network"):
        monkeypatch.setattr(f"{module}.name_precision", lambda _: "bfloat16")  # as on a GPU
    short = replace(configure().extractor, epochs=1)
    config = configure(extractor=short, abstractor=short, policy=short)
    summariser = RewriteSummariser(config, keep_in(tmp_path))
    # oneDNN's LSTM takes bfloat16 only on processors with instructions for it; torch's own takes it on all.
    with torch.backends.mkldnn.flags(enabled=False):
        assert summariser.train(TRAIN[:32], HELD_OUT[:4])["policy"].precision == "bfloat16"
        assert summariser.summarise([HELD_OUT[0].lines])[0]
