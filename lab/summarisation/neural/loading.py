"""Loads transformers, says how to get what is missing, and trains what `bertsum` and `generation` have in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from core.errors import ConfigError
from core.scripts.views import END, MIDDLE, START, View
from infra.models.model_folder import choose_device, load_network, load_settings, loading
from infra.models.sentence_embedder import SentenceEmbedder
from lab.summarisation.neural.examples import Example, hash_examples
from lab.summarisation.neural.settings import DRAWN, BertSumConfig, GenerationConfig
from lab.training.checkpoints import CheckpointPlace, StoredFiles
from lab.training.network import TellStep, TrainingCurve, seed_step, train_network

if TYPE_CHECKING:
    import torch

MISSING_EXTRA = "a neural summariser needs torch and transformers: `pip install 'fabula[lab]'`"


def require_torch() -> None:
    """Raise ConfigError, which names the extra, where torch is missing."""
    try:
        import torch  # noqa: F401 -- only whether it is there
    except ImportError as error:
        raise ConfigError(f"{MISSING_EXTRA} ({error})") from error


def load_transformer(model: str, kind: Literal["encoder", "encoder-decoder"], view: View, seed: int) -> tuple[Any, Any]:
    """Return a network and its tokeniser, which knows the view's separators as one token each.

    `model` is a folder with both, or a name that transformers has cached or may download. Weights that the checkpoint lacks, and
    the vectors of new tokens, are drawn with `seed`.
    """
    try:
        from transformers import AutoModel, AutoModelForSeq2SeqLM, AutoTokenizer
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise ConfigError(f"{MISSING_EXTRA} ({error})") from error
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    seed_step(seed, 0)
    remedy = "name a folder with model and tokeniser, or a model that transformers has cached or may download"
    with loading(f"the {kind} {model!r}", remedy):
        tokenizer = load_settings(AutoTokenizer, model)
        network = load_network(AutoModel if kind == "encoder" else AutoModelForSeq2SeqLM, model)
    if separators := [token for token in list_separators(view) if token not in tokenizer.get_vocab()]:
        tokenizer.add_special_tokens({"additional_special_tokens": separators}, replace_extra_special_tokens=False)
        joined = network.config.model_type == "encoder-decoder"  # two models, each with a vocabulary of its own
        for part in (network.encoder, network.decoder) if joined else (network,):
            part.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    return network, tokenizer


def pad_token(tokenizer: Any) -> int:
    """Return the number of the token that fills up short rows."""
    found = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return 0 if found is None else int(found)


def list_separators(view: View) -> tuple[str, ...]:
    """Return the separator tokens that a view uses; a model's tokeniser must know each as one token."""
    return {"plain": (), "speakers": (), "separators": (START, END), "both": (START, MIDDLE, END)}[view]


class TransformerSummariser(ABC):
    """Trains one network of transformers; a subclass says how examples become rows, and what their loss is.

    `unit` is what lengths of dialogues are counted in.
    """

    unit = "tokens"

    def __init__(self, config: GenerationConfig | BertSumConfig, files: StoredFiles) -> None:
        """Choose the settings and where checkpoints are kept; the model is loaded when it is first needed."""
        self._config: Any = config  # a subclass has settings of its own
        self._files = files
        self._device = choose_device()
        self._before: tuple[str, ...] = ()
        self._loaded: tuple[Any, Any] | None = None

    def train(
        self,
        examples: Sequence[Example],
        validation: Sequence[Example],
        tell: TellStep = lambda _, __: None,
        stage: str = "training",
    ) -> TrainingCurve:
        """Train the network; a training that was stopped is resumed, and one that ended is read from its checkpoint.

        A second call trains on from the first one's weights, under the name of another `stage`: pre-training, then training. The
        figure on the validation examples is the mean loss of a token or a sentence.
        """
        network = self._load()[0]
        rows, held_out = self._make_rows(examples), self._make_rows(validation)
        data = hash_examples(examples, validation)
        others = ("training", *DRAWN, *self._config.DECODING)  # the loop adds its own settings, and the data are hashed
        settings = {name: value for name, value in asdict(self._config).items() if name not in others}
        curve = train_network(
            network,
            lambda places: self._compute_loss([rows[place] for place in places]),
            len(rows),
            (lambda: self._validate(held_out)) if held_out else None,
            CheckpointPlace(self._files, stage),
            {"model": SentenceEmbedder(self._config.model).checksum, "settings": settings, "data": data, "before": self._before},
            self._config.training,
            tell,
        )
        self._before = (*self._before, data)
        return curve

    def _validate(self, rows: Sequence[Any]) -> float:
        """Return the mean loss, where the second part of each row is what is to be said."""
        total = size = 0.0
        for start in range(0, len(rows), self._config.batch):
            part = rows[start : start + self._config.batch]
            count = sum(len(wanted) for _, wanted in part)
            total += float(self._compute_loss(part, validating=True).detach()) * count
            size += count
        return total / max(size, 1)

    @abstractmethod
    def _load(self) -> tuple[Any, Any]:
        """Return the model and its tokeniser."""

    @abstractmethod
    def _make_rows(self, examples: Sequence[Example]) -> list[Any]:
        """Return the rows to train on."""

    @abstractmethod
    def _compute_loss(self, rows: Sequence[Any], validating: bool = False) -> "torch.Tensor":
        """Return the mean loss of some rows."""
