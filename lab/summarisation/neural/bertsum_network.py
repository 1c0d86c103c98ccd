"""The network of BertSumExt: any encoder of transformers, and inter-sentence layers above its [CLS] vectors."""

import math
from typing import Any, NamedTuple

import torch
from torch import nn

from lab.summarisation.neural.settings import BertSumConfig


class SentenceBatch(NamedTuple):
    """Dialogues of n tokens and m sentences, filled up.

    `tokens`, `segments` and `mask` are batch × n; `heads`, the places of the [CLS] tokens, and `sentences`, which of them are
    there, are batch × m.
    """

    tokens: torch.Tensor
    segments: torch.Tensor
    mask: torch.Tensor
    heads: torch.Tensor
    sentences: torch.Tensor


class BertSumNetwork(nn.Module):
    """Returns a score for each sentence: the logit of its being in the summary.

    Reference: Liu and Lapata, 2019, sections 3.1 and 3.2; nlpyang/PreSumm.
    """

    def __init__(self, encoder: Any, config: BertSumConfig) -> None:
        """Put the layers above an encoder, and give it positions up to the limit of the input where it has fewer."""
        super().__init__()
        self.encoder = encoder
        self.positions = _lengthen(encoder, config.max_input)
        """How many tokens the encoder can read; None where there is no limit."""
        width = encoder.config.hidden_size
        heads = math.gcd(config.heads, width)
        layer = nn.TransformerEncoderLayer(width, heads, config.inner, config.dropout, "gelu", batch_first=True, norm_first=True)
        self._layers = nn.TransformerEncoder(layer, config.layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self._score = nn.Linear(width, 1)
        self._has_segments = getattr(encoder.config, "type_vocab_size", 0) >= 2
        self.register_buffer("_places", _make_sinusoids(config.max_input // 2, width), persistent=False)

    def forward(self, batch: SentenceBatch) -> torch.Tensor:
        """Return the scores of all sentences (batch × m); those of sentences that are not there mean nothing."""
        segments = {"token_type_ids": batch.segments} if self._has_segments else {}
        read = self.encoder(input_ids=batch.tokens, attention_mask=batch.mask, **segments).last_hidden_state
        vectors = read.gather(1, batch.heads.unsqueeze(-1).expand(-1, -1, read.shape[-1])) * batch.sentences.unsqueeze(-1)
        places: torch.Tensor = self._places[: vectors.shape[1]]  # type: ignore[index]
        absent = ~batch.sentences
        absent[:, 0] = False  # a dialogue without sentences would attend to nothing
        scores: torch.Tensor = self._score(self._layers(vectors + places, src_key_padding_mask=absent)).squeeze(-1)
        return scores


def _lengthen(encoder: Any, wanted: int) -> int | None:
    """Give an encoder of BERT's kind position vectors up to `wanted` tokens; return how many tokens it can read.

    The new vectors are copies of the last one, and are trained further.

    Reference: nlpyang/PreSumm, src/models/model_builder.py.
    """
    limit = getattr(encoder.config, "max_position_embeddings", None)
    embeddings = getattr(encoder, "embeddings", None)
    table = getattr(embeddings, "position_embeddings", None)
    if limit is None or wanted <= limit:
        return limit
    if encoder.config.model_type != "bert" or not isinstance(table, nn.Embedding) or embeddings is None:
        return int(limit) - (2 if "roberta" in encoder.config.model_type else 0)  # RoBERTa's first two stand for no place
    longer = nn.Embedding(wanted, table.embedding_dim)
    with torch.no_grad():
        longer.weight[:limit] = table.weight
        longer.weight[limit:] = table.weight[-1]
    embeddings.position_embeddings = longer
    embeddings.register_buffer("position_ids", torch.arange(wanted).unsqueeze(0), persistent=False)
    embeddings.register_buffer("token_type_ids", torch.zeros(1, wanted, dtype=torch.long), persistent=False)
    encoder.config.max_position_embeddings = wanted
    return wanted


def _make_sinusoids(count: int, width: int) -> torch.Tensor:
    """Return the position vectors of Vaswani et al., 2017, section 3.5 (count × width)."""
    places = torch.arange(count).unsqueeze(1)
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    vectors = torch.zeros(count, width)
    vectors[:, 0::2] = torch.sin(places * rates)
    vectors[:, 1::2] = torch.cos(places * rates)[:, : width // 2]
    return vectors
