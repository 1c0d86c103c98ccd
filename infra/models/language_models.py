"""Language models of `transformers`, by name or folder: next-sentence prediction, samples of a model, generated replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Gt, Le
from numpy.typing import NDArray

from core.errors import ConfigError
from infra.models.model_folder import blaming, choose_device, load_network, load_settings, loading

Request = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]  # the utterances of a context and the reply, in sentences
_PLAIN: Request = ((("How are you?",),), ("I am well.",))
_BATCH = 32


def _load(kind: str, name: str, what: str, remedy: str, whole: bool = False) -> tuple[Any, Any]:
    """Return the network of a folder or name, as that class of transformers, and its tokeniser; `what` it is, for messages.

    The network is on the GPU, where torch finds one.
    """
    try:
        import transformers
    except ImportError as error:
        raise ConfigError(f"{what} needs torch and transformers: `pip install 'fabula[embeddings]'` ({error})") from error
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # of loading
    with loading(what, remedy):
        if kind == "text generation":
            both_sides = load_settings(transformers.AutoConfig, name).is_encoder_decoder
            kind = "AutoModelForSeq2SeqLM" if both_sides else "AutoModelForCausalLM"
        network = load_network(getattr(transformers, kind), name, whole)
        return network.to(choose_device()).eval(), load_settings(transformers.AutoTokenizer, name)


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
        """Return a score a request; texts of similar lengths go through the model together."""
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
                batch = tokenizer.pad([encoded[place] for place in places], return_tensors="pt").to(model.device)
                logits = model(**batch).logits.double().cpu().numpy()
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
    """Return the model and the tokeniser of a checkpoint; what is to be trained need not be `whole`."""
    if not name:
        raise ConfigError("the scorer `nsp` needs a checkpoint; set scorer.model to a name or folder")
    return _load("BertForNextSentencePrediction", name, f"the checkpoint {name!r}", "name a folder or model of BERT", whole)


FINAL = "model"  # the folder of the model, in that of its training


@dataclass(frozen=True, slots=True)
class Sampling:
    """How texts are sampled: nucleus sampling (Holtzman et al., 2020)."""

    count: Annotated[int, Ge(1), Le(10_000)] = 10
    top_p: Annotated[float, Gt(0), Le(1)] = 0.95
    temperature: Annotated[float, Gt(0), Le(10)] = 0.9
    max_tokens: Annotated[int, Ge(1), Le(1_024)] = 60
    seed: Annotated[int, Ge(0), Le(2**31 - 1)] = 1


def sample_texts(model: str, prompt: str, sampling: Sampling) -> list[str]:
    """Return texts that begin with `prompt`, cut after their last whole sentence."""
    import torch

    network, tokenizer = load_causal_model(model)
    network.eval()
    torch.manual_seed(sampling.seed)
    given = tokenizer(prompt, return_tensors="pt").to(network.device)
    with torch.inference_mode():
        written = network.generate(
            **given,
            do_sample=True,
            top_p=sampling.top_p,
            temperature=sampling.temperature,
            max_new_tokens=sampling.max_tokens,
            num_return_sequences=sampling.count,
            pad_token_id=choose_pad_token(tokenizer),
        )
    return [_cut(tokenizer.decode(row, skip_special_tokens=True)) for row in written]


def _cut(text: str) -> str:
    """Return a text up to its last full stop, exclamation or question mark; as a whole where it has none."""
    text = " ".join(text.split())
    end = max(text.rfind(mark) for mark in ".!?")
    return text[: end + 1] if end > 0 else text


def load_causal_model(model: str) -> tuple[Any, Any]:
    """Return a causal model and its tokeniser, of a folder or of a name that transformers has cached."""
    return _load("AutoModelForCausalLM", model, f"the causal model {model!r}", "name a folder with model and tokeniser")


def choose_pad_token(tokenizer: Any) -> int:
    """Return the number of the token that fills up short rows."""
    found = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return 0 if found is None else int(found)


class ReplyGenerator:
    """Generates the likeliest reply to each conversation, without sampling; the model is loaded at the first call."""

    def __init__(self, name: str, longest: int) -> None:
        """Choose a model, a folder or a name, and the most word pieces of a reply."""
        self.name = name
        self._longest = longest
        self._loaded: tuple[Any, Any] | None = None
        self._known: dict[tuple[tuple[str, ...], ...], tuple[str, ...]] = {}

    def __call__(self, conversations: Sequence[tuple[tuple[str, ...], ...]]) -> list[tuple[str, ...]]:
        """Return a reply to each conversation (utterances in sentences) as one sentence, empty where nothing was generated."""
        with blaming(f"the generator {self.name!r}", lambda: self._generate((("How are you?",),))):
            for conversation in conversations:
                if conversation not in self._known:
                    self._known[conversation] = self._generate(conversation)
        return [self._known[conversation] for conversation in conversations]

    def _generate(self, conversation: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        import torch

        remedy = "name a folder or model of text generation"
        self._loaded = self._loaded or _load("text generation", self.name, f"the generator {self.name!r}", remedy, whole=True)
        model, tokenizer = self._loaded
        both_sides = bool(model.config.is_encoder_decoder)
        prompt = "\n".join(" ".join(utterance) for utterance in conversation) + ("" if both_sides else "\n")
        room = getattr(model.config, "max_position_embeddings", 512) - (0 if both_sides else self._longest)
        pieces = tokenizer(prompt, return_tensors="pt")["input_ids"][:, -room:].to(model.device)
        with torch.inference_mode():
            made = model.generate(
                input_ids=pieces, max_new_tokens=self._longest, do_sample=False, pad_token_id=tokenizer.pad_token_id or 0
            )
        said = made[0] if both_sides else made[0][pieces.shape[1] :]
        text = tokenizer.decode(said, skip_special_tokens=True).strip().split("\n")[0].strip()
        return (text,) if text else ()
