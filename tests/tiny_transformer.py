"""A sentence model with word pieces that tests make themselves, in a second and without a network."""

from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "the", "duke", "gate", "dog", "##s"]


def save_tiny_transformer(folder: Path, *more: str) -> str:
    """Write a transformer of one layer over the word pieces `WORDS` and `more`, that reads 8 of them; return its folder.

    Its weights are random, the same every time.
    """
    import sentence_transformers
    import torch
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join([*WORDS, *more]), encoding="utf-8")
    torch.manual_seed(0)
    size = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    BertModel(BertConfig(vocab_size=len(WORDS) + len(more), max_position_embeddings=8, **size)).save_pretrained(folder / "bert")
    BertTokenizer(vocab=str(folder / "vocab.txt")).save_pretrained(folder / "bert")
    transformer = Transformer(str(folder / "bert"), max_seq_length=8)
    model = sentence_transformers.SentenceTransformer(modules=[transformer, Pooling(8)], device="cpu")
    model.save(str(folder / "tiny"))
    return str(folder / "tiny")
