"""A sentence model with word pieces that tests make themselves, in a second and without a network."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from infra.models import language_models

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "the", "duke", "gate", "dog", "##s"]


def save_tiny_transformer(folder: Path, *more: str) -> str:
    """Write a transformer of one layer over the word pieces `WORDS` and `more`, that reads 8 of them; return its folder.

    Its weights are random, the same every time.
    """
    import sentence_transformers
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertModel

    _save_bert(BertModel, folder / "bert", [*WORDS, *more], positions=8)
    transformer = Transformer(str(folder / "bert"), max_seq_length=8)
    model = sentence_transformers.SentenceTransformer(modules=[transformer, Pooling(8)], device="cpu")
    model.save(str(folder / "tiny"))
    return str(folder / "tiny")


def save_tiny_next_sentence(folder: Path, *more: str) -> str:
    """Write a BERT of one layer with a head of next-sentence prediction, that reads 16 word pieces; return its folder."""
    from transformers import BertForNextSentencePrediction

    return _save_bert(BertForNextSentencePrediction, folder, [*WORDS, *more], positions=16, initializer_range=1.0)


def save_tiny_writer(folder: Path, texts: Sequence[str]) -> str:
    """Write a GPT-2 of one layer, with dropout, over the whole words of some texts; return its folder."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    words = _save_word_tokenizer(folder, texts)
    torch.manual_seed(0)
    shape = {"n_positions": 64, "n_embd": 16, "n_layer": 1, "n_head": 2, "bos_token_id": 0, "eos_token_id": 0}
    GPT2LMHeadModel(GPT2Config(vocab_size=words, **shape)).save_pretrained(folder)
    return str(folder)


def save_tiny_encoder_decoder(folder: Path, texts: Sequence[str]) -> str:
    """Write a BART of one layer a side, that reads 16 word pieces, over the whole words of some texts; return its folder."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    words = _save_word_tokenizer(folder, texts)
    torch.manual_seed(0)
    sides = {f"{side}_{part}": 1 for side in ("encoder", "decoder") for part in ("layers", "attention_heads")}
    sides |= {f"{side}_ffn_dim": 16 for side in ("encoder", "decoder")}
    tokens = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 1, "decoder_start_token_id": 0, "forced_eos_token_id": None}
    shape = {"d_model": 16, "max_position_embeddings": 16, "init_std": 1.0}
    BartForConditionalGeneration(BartConfig(vocab_size=words, **sides, **tokens, **shape)).save_pretrained(folder)
    return str(folder)


def save_tiny_encoder(folder: Path, texts: Sequence[str]) -> str:
    """Write a BERT of one layer, with dropout, that reads 32 of the whole words of some texts; return its folder."""
    from transformers import BertModel

    found = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text.lower())})
    return _save_bert(BertModel, folder, [*WORDS[:5], *found], positions=32, size=32)


def save_tiny_summariser(folder: Path, texts: Sequence[str], kind: str = "bart") -> str:
    """Write an encoder-decoder of one layer a side and 64 positions over the whole words of some texts; return its folder.

    `kind`: bart, t5, pegasus, led, or bert2bert (an `EncoderDecoderModel`). Its weights are random, the same every time.
    """
    import torch
    import transformers

    words = _save_word_tokenizer(folder, texts)
    torch.manual_seed(0)
    sides = {f"{side}_{part}": 1 for side in ("encoder", "decoder") for part in ("layers", "attention_heads")}
    sides |= {f"{side}_ffn_dim": 32 for side in ("encoder", "decoder")}
    tokens = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 1, "decoder_start_token_id": 0, "forced_eos_token_id": None}
    shape = {"vocab_size": words, "d_model": 32, **tokens}
    network: transformers.PreTrainedModel
    if kind == "t5":
        config = transformers.T5Config(**shape, d_kv=16, d_ff=32, num_layers=1, num_heads=2)
        network = transformers.T5ForConditionalGeneration(config)
    elif kind == "led":
        long = {"max_encoder_position_embeddings": 64, "max_decoder_position_embeddings": 64, "attention_window": 8}
        network = transformers.LEDForConditionalGeneration(transformers.LEDConfig(**shape, **sides, **long))
    elif kind == "bert2bert":
        size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
        bert = transformers.BertConfig(vocab_size=words, max_position_embeddings=64, **size)
        joined = transformers.EncoderDecoderConfig.from_encoder_decoder_configs(bert, bert, **tokens)
        network = transformers.EncoderDecoderModel(config=joined)
    else:
        known = {"bart": transformers.BartConfig, "pegasus": transformers.PegasusConfig}
        models = {"bart": transformers.BartForConditionalGeneration, "pegasus": transformers.PegasusForConditionalGeneration}
        network = models[kind](known[kind](**shape, **sides, max_position_embeddings=64))
    network.save_pretrained(folder)
    return str(folder)


def _save_bert(network: Any, folder: Path, words: Sequence[str], positions: int, size: int = 8, **settings: float) -> str:
    """Write a BERT of one layer over some word pieces; return its folder."""
    import torch
    from transformers import BertConfig, BertTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(0)
    shape = {"hidden_size": size, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": size, **settings}
    network(BertConfig(vocab_size=len(words), max_position_embeddings=positions, **shape)).save_pretrained(folder)
    BertTokenizer(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


def _save_word_tokenizer(folder: Path, texts: Sequence[str]) -> int:
    """Write a tokeniser of the whole words of some texts; return their number."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = ["<end>", "<unk>", *sorted({word for text in texts for word in text.replace(".", " .").replace(",", " ,").split()})]
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", unk_token="<unk>").save_pretrained(folder)
    return len(words)


def note_devices(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that fills with the devices of a network and its input; torch's device without values stands for a GPU.

    The first call of a network then ends with InterruptedError: nothing is computed.
    """
    import transformers

    noted: list[str] = []

    def note(network: Any, **given: Any) -> None:
        noted.extend(each.device.type for each in (network, *given.values()) if hasattr(each, "device"))
        raise InterruptedError

    monkeypatch.setattr(language_models, "choose_device", lambda: "meta")
    for called, method in (
        (transformers.GenerationMixin, "generate"),
        (transformers.GPT2LMHeadModel, "forward"),
        (transformers.BertForNextSentencePrediction, "forward"),
    ):
        monkeypatch.setattr(called, method, note)
    return noted
