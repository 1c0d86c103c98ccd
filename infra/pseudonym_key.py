"""The secret key of pseudonyms, and of digests of private values."""

import hashlib
import os

from core.errors import ConfigError

KEY = "FABULA_PSEUDONYM_KEY"
"""Environment variable with the key."""
_PUBLIC_KEY = "fabula"


def read_pseudonym_key(expected: str | None = None) -> bytes:
    """Return the key of pseudonyms on this machine.

    Raises:
        ConfigError: it is not the one whose SHA-256 is `expected`, the one that the run was planned with.
    """
    key = (os.environ.get(KEY) or _PUBLIC_KEY).encode()
    if expected is not None and identify_key(key) != expected:
        raise ConfigError(f"{KEY} is another here than where the run was planned; set it to the same value on every worker")
    return key


def has_pseudonym_key() -> bool:
    """Tell whether this machine has a secret key; without one, a key is used that everybody knows."""
    return bool(os.environ.get(KEY))


def identify_key(key: bytes) -> str:
    """Return the SHA-256 of a key: by it processes tell whether they have the same one."""
    return hashlib.sha256(key).hexdigest()
