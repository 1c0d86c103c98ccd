"""BERT's next-sentence prediction as a scorer of replies: any checkpoint of `transformers`, by name or folder (section 2.2.1)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from infra.models.model_folder import blaming, load_network, load_settings, loading

Request = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]
"""The utterances of a context and the reply, in sentences."""
_PLAIN: Request = ((("How are you?",),), ("I am well.",))
_BATCH = 32
_MISSING = "next-sentence prediction needs torch and transformers: `pip install 'fabula[embeddings]'`"


class NextSentenceScorer:
    """Scores a reply by the positive minus the negative logit of next-sentence prediction (appendix A, getScore).

    The context is the conversation so far; where both are too long, its beginning is cut off. The model is loaded at the first
    call.
    """

    def __init__(self, name: str) -> None:
        """Choose a checkpoint: a folder, a name in the cache, or one that can be downloaded."""
        self.name = name
        self._loaded: tuple[Any, Any] | None = None

    def __call__(self, requests: Sequence[Request], /) -> NDArray[np.float64]:
        """Return a score a request; texts of similar lengths go through the model together.

        Raises:
            ConfigError: transformers or the checkpoint is missing or broken.
        """
        with blaming(f"the checkpoint {self.name!r}", lambda: self._score([_PLAIN])):
            return self._score(requests)

    def _score(self, requests: Sequence[Request]) -> NDArray[np.float64]:
        import torch

        self._loaded = self._loaded or load_next_sentence(self.name)
        model, tokenizer = self._loaded
        encoded = [encode_request(tokenizer, model, request) for request in requests]
        scores = np.empty(len(requests), np.float64)
        order = sorted(range(len(requests)), key=lambda place: len(encoded[place]["input_ids"]))
        with torch.inference_mode():
            for start in range(0, len(order), _BATCH):
                places = order[start : start + _BATCH]
                batch = tokenizer.pad([encoded[place] for place in places], return_tensors="pt")
                logits = model(**batch).logits.double().numpy()
                scores[places] = logits[:, 0] - logits[:, 1]  # 0: the second text follows the first
        return scores


def encode_request(tokenizer: Any, model: Any, request: Request) -> dict[str, list[int]]:
    """Return as many word pieces of a request as the model reads: the context loses its beginning, the reply its end."""
    context, reply = request
    longest = model.config.max_position_embeddings
    before = tokenizer(" ".join(said for utterance in context for said in utterance), add_special_tokens=False)["input_ids"]
    after = tokenizer(" ".join(reply), add_special_tokens=False)["input_ids"][: longest // 2]
    before = before[-(longest - len(after) - 3) :]  # [CLS], [SEP], [SEP]
    first = [tokenizer.cls_token_id, *before, tokenizer.sep_token_id]
    second = [*after, tokenizer.sep_token_id]
    return {
        "input_ids": first + second,
        "token_type_ids": [0] * len(first) + [1] * len(second),
        "attention_mask": [1] * (len(first) + len(second)),
    }


def load_next_sentence(name: str, whole: bool = True) -> tuple[Any, Any]:
    """Return the model and the tokeniser of a checkpoint; what is to be trained need not be `whole`.

    Raises:
        ConfigError: transformers or the checkpoint is missing.
    """
    if not name:
        raise ConfigError("the scorer `nsp` needs a checkpoint; set scorer.model to a name or folder")
    try:
        from transformers import AutoTokenizer, BertForNextSentencePrediction
    except ImportError as error:
        raise ConfigError(f"{_MISSING} ({error})") from error
    with loading(f"the checkpoint {name!r}", "name a folder or model of BERT"):
        model = load_network(BertForNextSentencePrediction, name, whole)
        tokenizer = load_settings(AutoTokenizer, name)
    model.train(False)
    return model, tokenizer
