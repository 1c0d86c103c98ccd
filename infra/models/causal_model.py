"""Loads a causal language model, and samples from it."""

from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le

from core.errors import ConfigError
from infra.models.model_folder import load_network, load_settings, loading

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
