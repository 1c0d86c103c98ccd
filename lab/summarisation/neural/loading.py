"""Loads what neural summarisers need, and says how to get what is missing."""

from typing import Any, Literal

from core.errors import ConfigError
from core.scripts.views import END, MIDDLE, START, View
from infra.models.model_folder import load_network, load_settings, loading
from lab.training.network import seed_step

MISSING_EXTRA = "a neural summariser needs torch and transformers: `pip install 'fabula[lab]'`"


def require_torch() -> None:
    """Raise ConfigError, which names the extra, where torch is missing."""
    try:
        import torch  # noqa: F401 -- only whether it is there
    except ImportError as error:
        raise ConfigError(f"{MISSING_EXTRA} ({error})") from error


def load_transformer(model: str, kind: Literal["encoder", "encoder-decoder"], view: View, seed: int) -> tuple[Any, Any]:
    """Return a network and its tokeniser, which knows the view's separators as one token each.

    Weights that the checkpoint lacks, and the vectors of new tokens, are drawn with `seed`.

    Args:
        model: a folder with model and tokeniser, or a name that transformers has cached or may download.
        kind: an encoder, or an encoder with a decoder that writes.
        view: how dialogues are shown.
        seed: the seed.

    Raises:
        ConfigError: the extra `lab` or the model is missing.
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
