"""BertSumExt: an encoder that reads a dialogue, and layers above it that say which sentences its summary should have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.metrics.coded_texts import RougeCoder, rouge_tokens
from core.metrics.oracle import find_greedy_oracle
from core.scripts.views import Line, show_line
from core.text.sentences import split_by_rules
from infra.models.model_folder import mixed_precision
from infra.models.sentence_embedder import PACKAGED_MODEL, find_packaged_encoder
from lab.summarisation.neural.examples import Example, batch_by_length
from lab.summarisation.neural.loading import TransformerSummariser, load_transformer, pad_token, require_torch
from lab.training.network import pad_rows

if TYPE_CHECKING:
    import torch

    from lab.summarisation.neural.bertsum_network import BertSumNetwork, SentenceBatch


@dataclass(frozen=True, slots=True)
class _Document:
    """Sentences that were read: tokens, 0-based places of their [CLS], and the texts and turns of these sentences.

    `size` counts the tokens before they were cut.
    """

    tokens: list[int]
    segments: list[int]
    heads: list[int]
    texts: list[str]
    turns: list[int]
    size: int


class BertSumSummariser(TransformerSummariser):
    """Trains BertSumExt on the sentences that an oracle marks, and extracts the best sentences of a dialogue.

    An example whose dialogue has no sentence of the oracle's is trained on as well: none of its sentences is marked.
    """

    def extract(self, dialogues: Sequence[Sequence[Line]]) -> list[list[tuple[str, int]]]:
        """Return the chosen sentences of each dialogue, in its order, each with the 0-based number of its turn.

        A sentence that shares a trigram with a better one is passed over. What lies beyond the limit of tokens is never chosen.
        """
        import torch

        network, _ = self._load()
        network.eval()
        documents = [self._encode(lines) for lines in dialogues]
        chosen: list[list[tuple[str, int]]] = [[] for _ in documents]
        for places in batch_by_length([len(document.tokens) for document in documents], self._config.batch):
            kept = [place for place in places if documents[place].heads]
            if not kept:
                continue
            batch = self._pad([documents[place] for place in kept])
            with torch.inference_mode(), mixed_precision(self._device):
                scores = network(batch).float().cpu()
            for row, place in enumerate(kept):
                document = documents[place]
                best = block_trigrams(document.texts, scores[row, : len(document.texts)].tolist(), self._config.sentences)
                chosen[place] = [(document.texts[sentence], document.turns[sentence]) for sentence in best]
        return chosen

    def measure_sizes(self, dialogues: Sequence[Sequence[Line]]) -> list[int]:
        """Return the tokens of each dialogue, before any is cut."""
        return [self._encode(lines).size for lines in dialogues]

    def _load(self) -> tuple["BertSumNetwork", Any]:
        if self._loaded is None:
            require_torch()
            from lab.summarisation.neural.bertsum_network import BertSumNetwork

            config = self._config
            folder = str(find_packaged_encoder()) if config.model == PACKAGED_MODEL else config.model
            encoder, tokenizer = load_transformer(folder, "encoder", config.view, config.training.seed)
            self._loaded = BertSumNetwork(encoder, config).to(self._device), tokenizer
        return self._loaded

    def limit(self) -> int:
        """Return how many tokens of a dialogue are read."""
        return int(min(self._config.max_input, self._load()[0].positions or self._config.max_input))

    def _encode(self, lines: Sequence[Line]) -> _Document:
        """Return a dialogue as BertSum reads it: [CLS] before and [SEP] after every sentence, in segments 0 and 1 by turns."""
        tokenizer = self._load()[1]
        limit = self.limit()
        head = tokenizer.cls_token_id if tokenizer.cls_token_id is not None else tokenizer.bos_token_id
        tail = tokenizer.sep_token_id if tokenizer.sep_token_id is not None else tokenizer.eos_token_id
        document = _Document([], [], [], [], [], 0)
        size = 0
        for turn, line in enumerate(lines):
            for text in split_by_rules(line.text):
                shown = show_line(Line(line.speaker, text), self._config.view)
                pieces = [head, *tokenizer(shown, add_special_tokens=False, verbose=False)["input_ids"], tail]
                room = limit - size
                size += len(pieces)
                if room < 3:  # not even one word of the sentence would be read
                    continue
                document.heads.append(len(document.tokens))
                document.segments.extend([len(document.texts) % 2] * min(len(pieces), room))
                document.tokens.extend([*pieces[: room - 1], tail] if len(pieces) > room else pieces)
                document.texts.append(text)
                document.turns.append(turn)
        return _Document(document.tokens, document.segments, document.heads, document.texts, document.turns, size)

    def _make_rows(self, examples: Sequence[Example]) -> list[tuple[_Document, list[float]]]:
        return [self._label(example) for example in examples if example.lines]

    def _label(self, example: Example) -> tuple[_Document, list[float]]:
        document = self._encode(example.lines)
        codes = RougeCoder().code_all([example.summary, *document.texts])
        marked = set(find_greedy_oracle(codes[1:], codes[0], self._config.oracle))
        return document, [float(place in marked) for place in range(len(document.texts))]

    def _pad(self, documents: Sequence[_Document]) -> "SentenceBatch":
        from lab.summarisation.neural.bertsum_network import SentenceBatch

        fill = pad_token(self._load()[1])
        parts = (  # a dialogue without sentences is a row of filling
            pad_rows([one.tokens or [fill] for one in documents], fill),
            pad_rows([one.segments or [0] for one in documents], 0),
            pad_rows([[1] * len(one.tokens) or [0] for one in documents], 0),
            pad_rows([one.heads or [0] for one in documents], 0),
            pad_rows([[1] * len(one.heads) or [0] for one in documents], 0).bool(),
        )
        return SentenceBatch(*(part.to(self._device) for part in parts))

    def _compute_loss(
        self,
        rows: Sequence[tuple[_Document, list[float]]],
        validating: bool = False,  # noqa: ARG002 -- the same loss
    ) -> "torch.Tensor":
        import torch

        batch = self._pad([document for document, _ in rows])
        labels = torch.zeros(batch.sentences.shape)
        for row, (_, marked) in enumerate(rows):
            labels[row, : len(marked)] = torch.tensor(marked)
        scores = self._load()[0](batch).float()
        losses = torch.nn.functional.binary_cross_entropy_with_logits(scores, labels.to(scores.device), reduction="none")
        return losses[batch.sentences].sum() / batch.sentences.sum().clamp(min=1)


def block_trigrams(sentences: Sequence[str], scores: Sequence[float], most: int) -> tuple[int, ...]:
    """Return the sentences (0-based, ascending) with the highest scores, at most `most` of them.

    A sentence that shares a trigram with one that was chosen before is passed over. Ties go to the first sentence. Words are
    rouge-score's. A sentence without words is never chosen.

    Reference: Paulus et al., 2018; Liu and Lapata, 2019, section 4.1 ("trigram blocking").
    """
    seen: set[tuple[str, ...]] = set()
    chosen: list[int] = []
    for place in sorted(range(len(sentences)), key=lambda place: -scores[place]):
        words = rouge_tokens(sentences[place])
        trigrams = set(zip(words, words[1:], words[2:], strict=False))
        if words and not trigrams & seen and len(chosen) < most:
            chosen.append(place)
            seen |= trigrams
    return tuple(sorted(chosen))
