"""Loads models of transformers so that nothing in their folder can run: no code that it brings, and no pickle."""

from typing import Any


def load_network(kind: Any, name: str) -> Any:
    """Return the network of a folder or name, as `kind` of transformers; its weights are read from safetensors alone."""
    return kind.from_pretrained(name, trust_remote_code=False, use_safetensors=True)


def load_settings(kind: Any, name: str) -> Any:
    """Return the tokeniser or the configuration of a folder or name, as `kind` of transformers."""
    return kind.from_pretrained(name, trust_remote_code=False)  # where nothing is said, it asks whoever sits at the terminal
