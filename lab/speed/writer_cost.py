"""Times training steps of a writer of the size of GPT-2, from random weights, and says what a whole training costs.

    python -m lab.speed.writer_cost [--sentences 2000] [--epochs 5]

A step is that of `fabula train room-writer` with its default settings, on sentences of 30 tokens. The weights do not change how
long a step takes. The reference in the same run is a product of two matrices, the kind of work that a step consists of: a step
does 6 operations a parameter and token (Kaplan et al., 2020, section 2.1). The figures are of one thread.
"""

import argparse
import random
import resource
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

import torch
from transformers import GPT2Config, GPT2LMHeadModel

from lab.training.writer import WriterConfig, train_writer
from tests.tiny_transformer import save_tiny_writer

TOKENS = 30
"""Tokens of a sentence, about those of a description in CRD3."""
STEPS = 3
_SIDE = 1_024


def time_steps(config: WriterConfig) -> tuple[list[float], int]:
    """Return the processor seconds of some training steps, and the parameters of the model."""
    generator = random.Random(1)
    words = [f"word{number}" for number in range(400)]
    count = STEPS * config.batch
    texts = [" ".join(generator.choices(words, k=TOKENS - 1)) for _ in range(count)]
    with tempfile.TemporaryDirectory(prefix="fabula-writer-") as folder:
        model = Path(save_tiny_writer(Path(folder) / "model", texts))  # its tokeniser; the model is replaced
        network = GPT2LMHeadModel(GPT2Config())
        network.save_pretrained(model)
        parameters = sum(part.numel() for part in network.parameters())
        del network
        seconds: list[float] = []
        started = [0.0]

        def tell(_: int, __: int, ___: float) -> None:
            seconds.append(process_time() - started[0])
            started[0] = process_time()

        train_writer(str(model), texts, Path(folder) / "writer", config, tell)
    return seconds[1:], parameters  # the first counts from the start of the process


def time_product() -> float:
    """Return the floating-point operations a second of a product of matrices."""
    one, other = torch.rand(_SIDE, _SIDE), torch.rand(_SIDE, _SIDE)
    seconds = []
    for _ in range(10):
        began = process_time()
        torch.mm(one, other)
        seconds.append(process_time() - began)
    return float(2 * _SIDE**3 / median(seconds))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sentences", type=int, default=2_000, help="sentences of the training data")
    parser.add_argument("--epochs", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    config = WriterConfig(epochs=1)
    speed = time_product()
    seconds, parameters = time_steps(config)
    step = median(seconds)
    work = 6 * parameters * config.batch * TOKENS
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{parameters / 1e6:.0f} million parameters, {config.batch} sentences of {TOKENS} tokens a step, peak {peak:,.0f} MiB")
    print(
        f"{step:.2f} processor seconds a step, {step * speed / work:.1f} times what a product of matrices takes for the same work"
    )
    steps = options.epochs * -(-options.sentences // config.batch)
    print(f"{options.sentences:,} sentences, {options.epochs} epochs: {steps:,} steps, {steps * step / 60:.0f} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
