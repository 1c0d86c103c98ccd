"""Where a network computes, and how precisely: on one GPU in mixed precision, or on the processor."""

import contextlib
from typing import Any


def choose_device() -> str:
    """Return "cuda" where torch finds a GPU, else "cpu"."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def name_precision(device: str) -> str:
    """Return the precision of a training: bfloat16 with float32 weights on a GPU that has it, else float32."""
    import torch

    return "bfloat16" if device == "cuda" and torch.cuda.is_bf16_supported() else "float32"


def mixed_precision(device: str) -> contextlib.AbstractContextManager[Any]:
    """Return the context in which a network computes on a device, in the precision of `name_precision`."""
    import torch

    if name_precision(device) == "float32":
        return contextlib.nullcontext()
    return torch.autocast(device, dtype=torch.bfloat16)  # its exponents are float32's: no loss need be scaled
