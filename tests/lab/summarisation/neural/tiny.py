"""Examples and settings of tiny trainings, which tests run in this process and in ones that they kill."""

from pathlib import Path

from core.scripts.views import Line
from infra.store.objects import Store
from lab.summarisation.neural.examples import Example
from lab.summarisation.neural.settings import GenerationConfig
from lab.training.checkpoints import StoredFiles
from lab.training.network import TrainingConfig

NAMES = ("Anna", "Bert", "Cleo", "Dov")
THINGS = ("door", "lamp", "well", "rope")


def make_examples(names: tuple[str, ...] = NAMES) -> list[Example]:
    """Return short dialogues whose summary says who found what."""
    return [
        Example(
            (Line("GUIDE", "What do you see there ."), Line(name, f"I found the {thing} ."), Line("GUIDE", "Good work .")),
            (f"{name} found the {thing} .",),
        )
        for name in names
        for thing in THINGS
    ]


def list_texts(examples: list[Example]) -> list[str]:
    """Return all texts of some examples, and the names of the speakers."""
    return [text for example in examples for text in (example.summary, *(part for line in example.lines for part in line))]


def keep_in(folder: Path) -> StoredFiles:
    """Return checkpoints in a store in a folder."""
    return StoredFiles(Store(str(folder)), "checkpoints")


def list_kept(folder: Path) -> list[str]:
    """Return the names of the files that `keep_in` has kept, sorted."""
    return sorted(path.name for path in (folder / "checkpoints").iterdir())


def configure(model: str, **settings: int | float | str) -> GenerationConfig:
    """Return settings of a training of a dozen steps, with four more than those of `GenerationConfig` given."""
    training = TrainingConfig(epochs=4, batch=4, learning_rate=0.01, checkpoint_steps=2, patience=4, warm_up=0.1)
    return GenerationConfig(model=model, max_output=8, beams=2, length_penalty=1.0, training=training, **settings)  # type: ignore[arg-type]
