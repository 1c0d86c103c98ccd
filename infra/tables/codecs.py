"""How a stage's value becomes bytes and comes back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Codec(Generic[Value]):
    """How a stage's value becomes bytes and comes back; `suffix` is the file name's, with its dot."""

    suffix: str
    encode: Callable[[Value], bytes]
    decode: Callable[[bytes], Value]
