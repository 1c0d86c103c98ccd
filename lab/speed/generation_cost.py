"""Times training steps of a BART of real size, from random weights, and says what a whole fine-tuning costs.

    python -m lab.speed.generation_cost [--size base|large] [--batch 1] [--steps 2] [--rows 21469] [--epochs 10]

A step is that of `fabula benchmark` with the system `generation`: dialogues of 1,024 tokens, summaries of 140, with every
checkpoint that it writes. The weights do not change how long a step takes. The reference in the same run is a product of two
matrices, the kind of work that a step consists of: a step does 6 operations a parameter and token (Kaplan et al., 2020, section
2.1), of the encoder's parameters for the dialogue and of the decoder's for the summary. On a CPU the figures are of one thread;
where torch finds a GPU, they are the GPU's, in bfloat16, with the peak of its memory.
"""

import argparse
import random
import resource
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import torch
from transformers import BartConfig, BartForConditionalGeneration

from core.scripts.views import Line
from infra.models.model_folder import choose_device, name_precision
from infra.store.objects import Store
from lab.summarisation.neural.examples import Example
from lab.summarisation.neural.generation import GenerationSummariser
from lab.summarisation.neural.settings import MOST_TOKENS, GenerationConfig
from lab.summarisation.results import StoredCheckpoints
from lab.training.network import TrainingConfig
from tests.tiny_transformer import save_tiny_summariser

SUMMARY = 140
WORDS = [f"word{number}" for number in range(400)]
_SIDE = 1_024
_SHAPES = {
    "base": {"d_model": 768, "layers": 6, "heads": 12, "inner": 3_072},
    "large": {"d_model": 1_024, "layers": 12, "heads": 16, "inner": 4_096},
}
_BART_WORDS = 50_265


def make_examples(count: int) -> list[Example]:
    """Return dialogues of 1,024 tokens and more with summaries of 140; a word is a token."""
    dice = random.Random(1)
    return [
        Example(
            tuple(Line("", " ".join(dice.choices(WORDS, k=64))) for _ in range(17)), (" ".join(dice.choices(WORDS, k=SUMMARY)),)
        )
        for _ in range(count)
    ]


def save_model(folder: Path, size: str) -> int:
    """Write a BART with random weights and the tokeniser of the words above; return its parameters."""
    save_tiny_summariser(folder, WORDS)  # its tokeniser; the model is replaced
    shape = _SHAPES[size]
    sides: dict[str, Any] = {f"{side}_{part}": shape[name] for side in ("encoder", "decoder") for part, name in _PARTS.items()}
    tokens: dict[str, Any] = {
        "bos_token_id": 0,
        "eos_token_id": 0,
        "pad_token_id": 1,
        "decoder_start_token_id": 0,
        "forced_eos_token_id": None,
    }
    config = BartConfig(vocab_size=_BART_WORDS, d_model=shape["d_model"], max_position_embeddings=MOST_TOKENS, **sides, **tokens)
    network = BartForConditionalGeneration(config)
    network.save_pretrained(folder)
    return sum(part.numel() for part in network.parameters())


_PARTS = {"layers": "layers", "attention_heads": "heads", "ffn_dim": "inner"}


def time_steps(size: str, batch: int, steps: int, device: str) -> tuple[list[float], int]:
    """Return the seconds of some steps, of the processor or on the GPU, and the parameters of the model."""
    clock = perf_counter if device == "cuda" else process_time
    seconds: list[float] = []
    with tempfile.TemporaryDirectory(prefix="fabula-generation-") as folder:
        parameters = save_model(Path(folder) / "model", size)
        training = TrainingConfig(epochs=1, batch=batch, checkpoint_steps=1_000_000)
        config = GenerationConfig(model=str(Path(folder) / "model"), view="plain", max_output=SUMMARY + 1, training=training)
        summariser = GenerationSummariser(config, StoredCheckpoints(Store(folder), "cost", "v1", "training"))
        summariser._load()
        started = [clock()]

        def tell(_: int, __: object) -> None:
            seconds.append(clock() - started[0])
            started[0] = clock()

        summariser.train(make_examples(batch * (steps + 2)), (), tell)
    return seconds[1:-1], parameters  # the first step warms up, and the last writes the checkpoint of its epoch


def time_product(device: str) -> float:
    """Return the floating-point operations a second of a product of matrices."""
    kind = torch.bfloat16 if name_precision(device) == "bfloat16" else torch.float32
    one, other = (torch.rand(_SIDE, _SIDE, dtype=kind, device=device) for _ in range(2))
    seconds = []
    for _ in range(10):
        began = process_time()
        torch.mm(one, other)
        if device == "cuda":
            torch.cuda.synchronize()
        seconds.append(process_time() - began)
    return float(2 * _SIDE**3 / median(seconds))


def count_operations(size: str, batch: int) -> float:
    """Return the operations of a step: 6 a parameter and token, with the decoder's output over all words."""
    shape = _SHAPES[size]
    width, inner = shape["d_model"], shape["inner"]
    encoder = shape["layers"] * (4 * width**2 + 2 * width * inner)
    decoder = shape["layers"] * (6 * width**2 + 2 * width * inner) + width * _BART_WORDS
    across = shape["layers"] * 2 * width**2  # the decoder's keys and values of the dialogue
    return 6.0 * batch * ((encoder + across) * MOST_TOKENS + decoder * SUMMARY)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", choices=sorted(_SHAPES), default="base")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--rows", type=int, default=21_469, help="rows of the training data")
    parser.add_argument("--epochs", type=int, default=10)
    options = parser.parse_args()
    torch.set_num_threads(1)
    device = choose_device()
    speed = time_product(device)
    seconds, parameters = time_steps(options.size, options.batch, options.steps, device)
    step, work = median(seconds), count_operations(options.size, options.batch)
    print(f"BART {options.size}: {parameters / 1e6:.0f} million parameters, {options.batch} dialogues of 1,024 tokens a step")
    if device == "cuda":
        peak = torch.cuda.max_memory_allocated() / 2**30
        print(f"on a GPU in {name_precision(device)}: {step:.3f} seconds a step, peak {peak:.1f} GiB of its memory")
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"on one thread in {name_precision(device)}: {step:.1f} processor seconds a step, peak {peak:.1f} GiB")
    print(f"{work / 1e12:.2f}e12 operations a step, {work / step / speed:.0%} of the speed of a product of matrices")
    steps = options.epochs * -(-options.rows // options.batch)
    print(f"{options.rows:,} rows, {options.epochs} epochs: {steps:,} steps, {steps * step / 3600:,.1f} hours")
    return 0


if __name__ == "__main__":
    sys.exit(main())
