"""Lets spaCy be imported without torch, which takes most of that import and which rules and tokenizers do not use."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

TORCH_PARTS = ("spacy_curated_transformers", "spacy_experimental", "spacy_transformers")
"""Packages that bring parts of trained pipelines which compute with torch."""


@contextmanager
def without_torch() -> Iterator[None]:
    """Hide torch from what is imported inside the block; afterwards it can be imported as usual.

    spaCy imports torch wherever it is installed, which takes 2.0 of 3.4 s of processor time and 180 of 280 MiB (measured on a
    busy machine). Nothing is hidden where torch is imported already, or where one of `TORCH_PARTS` is installed. Other threads
    must not import torch while the block runs.
    """
    if "torch" in sys.modules or any(find_spec(name) for name in TORCH_PARTS):
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]  # so Python says that a module cannot be imported
    try:
        yield
    finally:
        sys.modules.pop("torch", None)
