"""Generated replies (section 3.2.4, BlenderBot's part): any causal or seq2seq model of `transformers`, by name or folder."""

from collections.abc import Sequence
from typing import Any

from core.errors import ConfigError
from infra.models.model_folder import blaming, load_network, load_settings, loading

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
