"""Summaries written by an encoder-decoder of transformers (BART, T5, PEGASUS, LED, …), fine-tuned on dialogues."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.scripts.views import Line, show_dialogue
from infra.models.model_folder import mixed_precision
from lab.summarisation.neural.examples import Example, batch_by_length
from lab.summarisation.neural.loading import TransformerSummariser, load_transformer, pad_token
from lab.training.network import pad_rows, seed_step

if TYPE_CHECKING:
    import torch

_IGNORED = -100  # a label that the loss leaves out
_T5_PREFIX = "summarize: "


class GenerationSummariser(TransformerSummariser):
    """Fine-tunes an encoder-decoder on dialogues with summaries, and writes summaries with a beam search."""

    def summarise(self, dialogues: Sequence[Sequence[Line]]) -> list[str]:
        """Return the summary of each dialogue; the same dialogues get the same summaries."""
        import torch

        network, tokenizer = self._load()
        network.eval()
        seed_step(self._config.training.seed, 0)
        inputs = [self._encode_dialogue(lines) for lines in dialogues]
        written = [""] * len(inputs)
        for places in batch_by_length([len(tokens) for tokens in inputs], self._config.batch):
            batch = self._pad([inputs[place] for place in places])
            with torch.inference_mode(), mixed_precision(self._device):
                found = network.generate(
                    **batch,
                    do_sample=False,
                    num_beams=self._config.beams,
                    max_new_tokens=self._config.max_output,
                    min_length=0,
                    length_penalty=self._config.length_penalty,
                    no_repeat_ngram_size=self._config.no_repeat_ngram,
                    early_stopping=True,
                )
            for place, tokens in zip(places, found, strict=True):
                written[place] = " ".join(tokenizer.decode(tokens, skip_special_tokens=True).split())
        return written

    def measure_sizes(self, dialogues: Sequence[Sequence[Line]]) -> list[int]:
        """Return the tokens of each dialogue, before any is cut."""
        tokenizer = self._load()[1]
        return [len(tokenizer(self._show(lines), verbose=False)["input_ids"]) for lines in dialogues]

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            config = self._config
            network, tokenizer = load_transformer(config.model, "encoder-decoder", config.view, config.training.seed)
            self._loaded = network.to(self._device), tokenizer
        return self._loaded

    def limit(self) -> int:
        """Return how many tokens of a dialogue are read."""
        network, tokenizer = self._load()
        model = getattr(network.config, "encoder", network.config)  # two models joined have a configuration each
        own = getattr(model, "max_encoder_position_embeddings", None) or getattr(model, "max_position_embeddings", None)
        return int(min(self._config.max_input, own or self._config.max_input, tokenizer.model_max_length))

    def _show(self, lines: Sequence[Line]) -> str:
        prefix: str | None = self._config.prefix
        if prefix is None:
            prefix = _T5_PREFIX if self._load()[0].config.model_type in ("t5", "mt5", "longt5") else ""
        return prefix + show_dialogue(lines, self._config.view)

    def _encode_dialogue(self, lines: Sequence[Line]) -> list[int]:
        tokens: list[int] = self._load()[1](self._show(lines), truncation=True, max_length=self.limit())["input_ids"]
        return tokens or [pad_token(self._load()[1])]

    def _make_rows(self, examples: Sequence[Example]) -> list[tuple[list[int], list[int]]]:
        return [self._encode(example) for example in examples]

    def _encode(self, example: Example) -> tuple[list[int], list[int]]:
        tokenizer = self._load()[1]
        summary = tokenizer(text_target=example.summary, truncation=True, max_length=self._config.max_output)["input_ids"]
        if tokenizer.eos_token_id is not None and (not summary or summary[-1] != tokenizer.eos_token_id):
            summary = [*summary[: self._config.max_output - 1], tokenizer.eos_token_id]
        return self._encode_dialogue(example.lines), summary

    def _pad(self, inputs: Sequence[Sequence[int]]) -> dict[str, "torch.Tensor"]:
        network, tokenizer = self._load()
        tokens, mask = pad_rows(inputs, pad_token(tokenizer)), pad_rows([[1] * len(found) for found in inputs], 0)
        batch = {"input_ids": tokens.to(self._device), "attention_mask": mask.to(self._device)}
        if network.config.model_type == "led":  # its attention is local but for the tokens that are named
            batch["global_attention_mask"] = batch["input_ids"].new_zeros(tokens.shape)
            batch["global_attention_mask"][:, 0] = 1
        return batch

    def _compute_loss(self, rows: Sequence[tuple[list[int], list[int]]], validating: bool = False) -> "torch.Tensor":
        import torch

        labels = pad_rows([summary for _, summary in rows], _IGNORED).to(self._device)
        logits = self._load()[0](**self._pad([tokens for tokens, _ in rows]), labels=labels).logits
        smoothing = 0.0 if validating else self._config.label_smoothing
        return torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1), labels.flatten(), ignore_index=_IGNORED, label_smoothing=smoothing
        )
