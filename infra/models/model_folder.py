"""Models of others, in a folder or by a name: what identifies one, how it is loaded, where it computes, what if it is broken.

Nothing in a folder can run: no code that it brings, and no pickle. A broken model is the fault of no unit. It ends the run: in
`check_model` before anything is built, or where it is loaded.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from infra.named_files import find_kind, read_named

_REMEDY = "put the model there again, or name another"
_INDEX = ".index.json"  # how the files that say which weights are where end, as in `model.safetensors.index.json`


@contextmanager
def loading(what: str, remedy: str) -> Iterator[None]:
    """Let whatever goes wrong with a model inside the block end the run."""
    try:
        yield
    except (ConfigError, MemoryError):
        raise
    except Exception as error:  # every library has errors of its own for a broken file
        said = " ".join(str(error).split())[:300]
        raise ConfigError(f"{what} cannot be loaded ({type(error).__name__}: {said}); {remedy}") from error


def load_network(kind: Any, name: str, whole: bool = False) -> Any:
    """Return the network of a folder or name, from safetensors alone; ValueError where a `whole` one lacks weights."""
    found, told = kind.from_pretrained(name, trust_remote_code=False, use_safetensors=True, output_loading_info=True)
    if whole and (missing := sorted(told["missing_keys"])):
        raise ValueError(f"it lacks {len(missing)} weights, such as {missing[0]}")
    return found


def load_settings(kind: Any, name: str) -> Any:
    """Return the tokeniser or the configuration of a folder or name, as `kind` of transformers."""
    return kind.from_pretrained(name, trust_remote_code=False)  # where nothing is said, it asks whoever sits at the terminal


@contextmanager
def blaming(what: str, probe: Callable[[], object]) -> Iterator[None]:
    """Let a failure inside the block end the run where the model is to blame: it fails on plain words (`probe`) too."""
    try:
        yield
    except (ConfigError, MemoryError):
        raise
    except Exception:
        with loading(what, _REMEDY):
            probe()
        raise


def check_model(name: str, what: str) -> None:
    """Look at the files of a model's folder, without loading it; another name than that of a folder is not checked."""
    folder = Path(name)
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ConfigError(f"the {what} {name!r} is {find_kind(folder.stat()) or 'a file'}, expected a folder; {_REMEDY}")
    with loading(f"the {what} {name!r}", _REMEDY):
        for path in _list_files(folder):
            if path.suffix == ".json":
                _check_json(path)
            elif path.suffix == ".safetensors":
                from safetensors import safe_open

                with safe_open(path, "np") as weights:  # reads the header
                    weights.keys()


def _check_json(path: Path) -> None:
    try:
        told = json.loads(read_named(path, "the model's file", _REMEDY))
        named = list(told["weight_map"].values()) if path.name.endswith(_INDEX) else []
        named += [module["path"] for module in told] if path.name == "modules.json" else []
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ConfigError(f"the model's file {path} is damaged ({type(error).__name__}: {error}); {_REMEDY}") from error
    if missing := sorted(name for name in set(named) if not (path.parent / str(name)).exists()):
        raise ConfigError(f"the model's file {path} names {missing[0]!r}, which is not there; {_REMEDY}")


@lru_cache(maxsize=4)
def checksum_model(name: str) -> str:
    """Return the SHA-256 that identifies a model: of its folder's files, or of its name if it is no folder."""
    folder = Path(name)
    digest = hashlib.sha256(name.encode() if not folder.is_dir() else b"")
    for path in _list_files(folder) if folder.is_dir() else ():
        digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode())
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _list_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, by path; ConfigError where one is a device or a FIFO, which could be read for ever."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path
        elif path.exists() and not path.is_dir():
            raise ConfigError(f"the model's file {path} is {find_kind(path.stat())}, expected a regular file; {_REMEDY}")


def choose_device() -> str:
    """Return "cuda" where torch finds a GPU, else "cpu"."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def name_precision(device: str) -> str:
    """Return the precision of a training: bfloat16 with float32 weights on a GPU that has it, else float32."""
    import torch

    return "bfloat16" if device == "cuda" and torch.cuda.is_bf16_supported() else "float32"


def mixed_precision(device: str) -> AbstractContextManager[Any]:
    """Return the context in which a network computes on a device, in the precision of `name_precision`."""
    import torch

    if name_precision(device) == "float32":
        return nullcontext()
    return torch.autocast(device, dtype=torch.bfloat16)  # its exponents are float32's: no loss need be scaled
