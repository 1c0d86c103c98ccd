"""Computes vectors of word pieces with the transformer of a sentence model, for BERTScore."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from core.metrics.bert_score import TokenVectors
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder

_BATCH_PIECES = 2048
_PART_PIECES = 32_768  # in one part of a long text: 50 MB of vectors with the packaged model


class WordPieceEmbedder:
    """A `TokenEmbedder`: returns the last hidden layer of a transformer. The model is loaded at the first call.

    A text that is too long for the model is cut into windows without overlap. BERTScore would truncate it; here a film keeps all
    its tokens. The special tokens are embedded with every window and left out of the result.
    """

    def __init__(self, name: str = PACKAGED_MODEL) -> None:
        """Choose a model: the packaged one, a folder, or a name that sentence-transformers has cached or may download."""
        self._sentences = SentenceEmbedder(name)
        self._around: tuple[list[int], list[int]] | None = None

    def __call__(self, texts: Sequence[str], /) -> list[TokenVectors]:
        """Return the word pieces of each text and their vectors (n_pieces × n_dimensions)."""
        return self._embed_pieces(self.tokens(texts))

    def parts(self, text: str, /) -> Iterator[TokenVectors]:
        """Yield the word pieces of a text and their vectors, equal to those of a call, some ten thousand at a time."""
        pieces = self.tokens([text])[0]
        size = max(_PART_PIECES // self._width(), 1) * self._width()
        for start in range(0, len(pieces), size):
            yield from self._embed_pieces([pieces[start : start + size]])

    def _width(self) -> int:
        """Return how many word pieces of a text the model reads at once."""
        before, after = self._special_tokens()
        return (self._sentences.model.max_seq_length or 512) - len(before) - len(after)

    def _embed_pieces(self, pieces: Sequence[NDArray[np.int64]]) -> list[TokenVectors]:
        before, after = self._special_tokens()
        width = self._width()
        windows = [text[start : start + width] for text in pieces for start in range(0, len(text), width)]
        vectors: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(windows)
        for batch in _batch_equal(windows):
            rows = self._embed([[*before, *windows[place].tolist(), *after] for place in batch])
            for place, row in zip(batch, rows, strict=True):
                vectors[place] = row[len(before) : len(before) + len(windows[place])]
        parts = iter(vectors)
        return [TokenVectors(text, _join([next(parts) for _ in range(0, len(text), width)])) for text in pieces]

    def tokens(self, texts: Sequence[str], /) -> list[NDArray[np.int64]]:
        """Return the numbers of the word pieces of each text, without special tokens. Raises ConfigError as a call does."""
        return [np.array(pieces, np.int64) for pieces in self._cut(list(texts), special=False)] if texts else []

    def _cut(self, texts: list[str], special: bool) -> list[list[int]]:
        tokenizer = self._sentences.model.tokenizer
        if not callable(tokenizer):
            named = f"the model {self._sentences.name!r}"
            raise ConfigError(f"{named} has no word pieces, which BERTScore compares; name a transformer, or {PACKAGED_MODEL!r}")
        cut: list[list[int]] = tokenizer(texts, add_special_tokens=special, truncation=False, verbose=False)["input_ids"]
        return cut

    def _special_tokens(self) -> tuple[list[int], list[int]]:
        """Return the special tokens that the model's tokeniser puts before and after a text."""
        if self._around is None:
            bare, full = self._cut(["a"], special=False)[0], self._cut(["a"], special=True)[0]
            start = next(at for at in range(len(full)) if full[at : at + len(bare)] == bare)
            self._around = full[:start], full[start + len(bare) :]
        return self._around

    def _embed(self, rows: list[list[int]]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            numbers = torch.tensor(rows)
            features = {"input_ids": numbers, "attention_mask": torch.ones_like(numbers)}
            embedded: NDArray[np.float32] = self._sentences.model[0](features)["token_embeddings"].float().cpu().numpy()
        return embedded


def _batch_equal(windows: Sequence[NDArray[np.int64]]) -> Iterator[list[int]]:
    """Yield the indices of windows of equal length, at most `_BATCH_PIECES` word pieces at a time: no padding is needed."""
    by_length: dict[int, list[int]] = {}
    for place, window in enumerate(windows):
        by_length.setdefault(len(window), []).append(place)
    for length, places in by_length.items():
        count = max(_BATCH_PIECES // length, 1)
        yield from (places[start : start + count] for start in range(0, len(places), count))


def _join(parts: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    return np.concatenate(parts) if parts else np.zeros((0, 1), np.float32)
