"""A model that reads on this machine: a folder of `transformers` with a chat template, asked without a server."""

from pathlib import Path
from typing import Any

from core.errors import ConfigError
from core.reading.questions import Answer, NoAnswerError, Question
from infra.models.language_models import choose_pad_token, load_causal_model
from infra.models.model_folder import check_model, checksum_model, loading

_REMEDY = "name a folder with a causal model that was trained to answer (its tokeniser has a chat template)"


class LocalReader:
    """Answers with the likeliest words (no sampling). The schema is not forced on the model: the instructions ask for JSON.

    The answers name the folder and the checksum of its files, so that another model of the same folder is told.
    """

    at_once = 1

    def __init__(self, folder: Path, model: str) -> None:
        """Load the model of a folder, to a GPU where there is one; `model` is the name under which the answers are kept.

        Raises:
            ConfigError: there is no such folder, its files are damaged, or it holds no model that answers.
        """
        if not folder.is_dir():
            raise ConfigError(f"{folder} is no folder; {_REMEDY}")
        check_model(str(folder), "reader")
        self.model = model
        self._network, self._tokenizer = load_causal_model(str(folder))
        if not getattr(self._tokenizer, "chat_template", None):
            raise ConfigError(f"the model of {folder} has no chat template; {_REMEDY}")
        self._named = f"{folder.name}@{checksum_model(str(folder))[:12]}"
        self._longest: int | None = getattr(self._network.config, "max_position_embeddings", None)

    def answer(self, question: Question, _: int, /) -> Answer:
        """Return the answer to a question; NoAnswerError where the question is too long for the model, or the machine."""
        with loading(f"the chat template of {self._named}", _REMEDY):
            given = self._tokenizer.apply_chat_template(
                question.messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
            ).to(self._network.device)
        asked = given["input_ids"].shape[1]
        if self._longest is not None and asked + question.most_tokens > self._longest:
            found = f"{asked:,} tokens and an answer of {question.most_tokens:,}"
            raise NoAnswerError(f"{self._named} reads {self._longest:,} tokens; the question has {found}", billed=0, refused=True)
        try:
            said = self._generate(given, question.most_tokens)[asked:]
        except RuntimeError as error:  # torch has no other error where memory ends
            raise NoAnswerError(f"{self._named}: {' '.join(str(error).split())[:200]}", billed=0) from error
        text = self._tokenizer.decode(said, skip_special_tokens=True)
        return Answer(question.digest, text.strip(), self._named, asked + len(said))

    def _generate(self, given: Any, most_tokens: int) -> Any:
        import torch

        with torch.inference_mode():
            return self._network.generate(
                **given, do_sample=False, max_new_tokens=most_tokens, pad_token_id=choose_pad_token(self._tokenizer)
            )[0]
