"""Models of `transformers` that write: samples of a causal model, and generated replies (thesis, section 3.2.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le

from core.errors import ConfigError
from infra.models.model_folder import blaming, load_network, load_settings, loading

FINAL = "model"
"""The folder of the model, in that of its training."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How texts are sampled: nucleus sampling (Holtzman et al., 2020)."""

    count: Annotated[int, Ge(1), Le(10_000)] = 10
    top_p: Annotated[float, Gt(0), Le(1)] = 0.95
    temperature: Annotated[float, Gt(0), Le(10)] = 0.9
    max_tokens: Annotated[int, Ge(1), Le(1_024)] = 60
    seed: Annotated[int, Ge(0), Le(2**31 - 1)] = 1


def sample_texts(model: str, prompt: str, sampling: Sampling) -> list[str]:
    """Return texts that begin with `prompt`, cut after their last whole sentence.

    Raises:
        ConfigError: the extra `embeddings` or the model is missing.
    """
    import torch

    network, tokenizer = load_causal_model(model)
    network.eval()
    torch.manual_seed(sampling.seed)
    given = tokenizer(prompt, return_tensors="pt")
    with torch.inference_mode():
        written = network.generate(
            **given,
            do_sample=True,
            top_p=sampling.top_p,
            temperature=sampling.temperature,
            max_new_tokens=sampling.max_tokens,
            num_return_sequences=sampling.count,
            pad_token_id=choose_pad_token(tokenizer),
        )
    return [_cut(tokenizer.decode(row, skip_special_tokens=True)) for row in written]


def _cut(text: str) -> str:
    """Return a text up to its last full stop, exclamation or question mark; as a whole where it has none."""
    text = " ".join(text.split())
    end = max(text.rfind(mark) for mark in ".!?")
    return text[: end + 1] if end > 0 else text


def load_causal_model(model: str) -> tuple[Any, Any]:
    """Return a causal model and its tokeniser.

    Args:
        model: a folder, or a name that transformers has cached.

    Raises:
        ConfigError: the extra `embeddings` or the model is missing.
    """
    try:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise ConfigError(f"a writer needs torch and transformers: `pip install 'fabula[embeddings]'` ({error})") from error
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    with loading(f"the causal model {model!r}", "name a folder with model and tokeniser"):
        tokenizer = load_settings(AutoTokenizer, model)
        network = load_network(AutoModelForCausalLM, model)
    return network, tokenizer


def choose_pad_token(tokenizer: Any) -> int:
    """Return the number of the token that fills up short rows."""
    found = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return 0 if found is None else int(found)


_MISSING = "generated replies need torch and transformers: `pip install 'fabula[embeddings]'`"


class ReplyGenerator:
    """Generates the likeliest reply to each conversation, without sampling: the same conversation has the same reply.

    The model is loaded at the first call.
    """

    def __init__(self, name: str, longest: int) -> None:
        """Choose a model, a folder or a name, and the most word pieces of a reply."""
        self.name = name
        self._longest = longest
        self._loaded: tuple[Any, Any, bool] | None = None
        self._known: dict[tuple[tuple[str, ...], ...], tuple[str, ...]] = {}

    def __call__(self, conversations: Sequence[tuple[tuple[str, ...], ...]]) -> list[tuple[str, ...]]:
        """Return a reply to each conversation (utterances in sentences) as one sentence, empty where nothing was generated.

        Raises:
            ConfigError: transformers or the model is missing or broken.
        """
        with blaming(f"the generator {self.name!r}", lambda: self._generate((("How are you?",),))):
            for conversation in conversations:
                if conversation not in self._known:
                    self._known[conversation] = self._generate(conversation)
        return [self._known[conversation] for conversation in conversations]

    def _generate(self, conversation: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        import torch

        model, tokenizer, both_sides = self._load()
        prompt = "\n".join(" ".join(utterance) for utterance in conversation) + ("" if both_sides else "\n")
        room = getattr(model.config, "max_position_embeddings", 512) - (0 if both_sides else self._longest)
        pieces = tokenizer(prompt, return_tensors="pt")["input_ids"][:, -room:]
        with torch.inference_mode():
            made = model.generate(
                input_ids=pieces, max_new_tokens=self._longest, do_sample=False, pad_token_id=tokenizer.pad_token_id or 0
            )
        said = made[0] if both_sides else made[0][pieces.shape[1] :]
        text = tokenizer.decode(said, skip_special_tokens=True).strip().split("\n")[0].strip()
        return (text,) if text else ()

    def _load(self) -> tuple[Any, Any, bool]:
        if self._loaded is None:
            self._loaded = _load_generator(self.name)
        return self._loaded


def _load_generator(name: str) -> tuple[Any, Any, bool]:
    """Return model, tokeniser, and whether the model has an encoder and a decoder."""
    try:
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
    except ImportError as error:
        raise ConfigError(f"{_MISSING} ({error})") from error
    with loading(f"the generator {name!r}", "name a folder or model of text generation"):
        both_sides = bool(load_settings(AutoConfig, name).is_encoder_decoder)
        kind = AutoModelForSeq2SeqLM if both_sides else AutoModelForCausalLM
        model = load_network(kind, name, whole=True)
        tokenizer = load_settings(AutoTokenizer, name)
    model.train(False)
    return model, tokenizer, both_sides
