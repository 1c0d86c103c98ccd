"""The command as a user calls it, and real input: where it is not there, the tests that need it skip and say so."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from hypothesis import Phase, settings

if TYPE_CHECKING:
    from tests.flows.calling import Ended, Fabula

# A shell starts its background jobs with Ctrl-C ignored, nohup with hanging up, and what they start ignores it too; some tests
# send both.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# No test asks the network for a model or a dataset. Set here: the libraries read it once, when they are first imported.
os.environ["HF_HUB_OFFLINE"] = "1"

# One key of pseudonyms: results that are recorded hold pseudonyms. Tests of the key in the store unset it.
os.environ["FABULA_PSEUDONYM_KEY"] = "a key for the tests only"

# Prefect starts no server of its own: the test of a flow that has not asked for one fails.
os.environ["PREFECT_SERVER_ALLOW_EPHEMERAL_MODE"] = "false"

# One thread for linear algebra, as in the command (`flows/cli/main.py`) and on Dask's workers, here and in child processes.
# With more, threads wait busily for each other: the matrices are small.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

# No deadline an example: a busy machine is no failure. With CI set, Hypothesis draws the same examples each time. What fails is
# not explained: that traces each line, and a process in which numba has compiled never comes to an end of it.
settings.register_profile(
    "fabula",
    settings.get_profile("ci" if os.environ.get("CI") else "default"),
    deadline=None,
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
settings.load_profile("fabula")


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what imports and the collection of tests made: it lives to the end.

    A corpus that is read makes the collector look at everything several times, which took a third of the reading.
    """
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let it be collected at the exit: libraries in C++ report what they find left as leaks."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def one_compiler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Of several workers one at a time compiles kernels; the others wait, and load from numba's cache what it has compiled."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    lock, compile_now = FileLock(tmp_path_factory.getbasetemp().parent / "compiler.lock"), Dispatcher.compile

    def compile_in_turn(dispatcher: Dispatcher, signature: object) -> object:
        with global_compiler_lock, lock:  # in this order, so that no thread waits for one that waits for it
            return compile_now(dispatcher, signature)

    with pytest.MonkeyPatch.context() as patch:
        if "PYTEST_XDIST_WORKER" in os.environ:
            patch.setattr(Dispatcher, "compile", compile_in_turn)
        yield


REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the working tree."""
    return REPOSITORY


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of corpora that nobody on this project wrote: see the environment variable FABULA_CORPORA."""
    named = os.environ.get("FABULA_CORPORA")
    if not named:
        pytest.skip("FABULA_CORPORA is unset: set it to the folder of corpora to run this test on real input")
    folder = Path(named)
    if not folder.is_dir():
        pytest.fail(f"FABULA_CORPORA names {folder}, which is not a folder")
    return folder.resolve()


@pytest.fixture(scope="session")
def wordnet() -> Path:
    """A folder with WordNet's noun index: WNSEARCHDIR, the corpora's own, or Debian's wordnet-base."""
    places = [os.environ.get("WNSEARCHDIR"), f"{os.environ.get('FABULA_CORPORA', '')}/wordnet", "/usr/share/wordnet"]
    for place in places:
        if place and (Path(place) / "index.noun").is_file():
            return Path(place)
    pytest.skip("no WordNet dictionary: set WNSEARCHDIR or FABULA_CORPORA, or install Debian's wordnet-base")


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which neither the user's Prefect nor the user's settings play a part."""
    foreign = ("PREFECT_", "FABULA_", "DASK_", "AWS_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return kept | {"PREFECT_HOME": str(tmp_path_factory.mktemp("prefect"))}


@pytest.fixture(scope="session")
def fabula(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> "Fabula":
    """Call `fabula` in this process, through the same function as the installed command.

    It works in an empty folder unless `cwd` names one. Runs need `--in-process`.
    """
    from tests.flows.calling import call_here

    def call(*arguments: object, cwd: Path | None = None, **variables: str) -> "Ended":
        return call_here([str(word) for word in arguments], environment | variables, cwd or tmp_path_factory.mktemp("cwd"))

    return call


@pytest.fixture(scope="session")
def fabula_process(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> "Fabula":
    """Run the installed `fabula` in a process of its own, with Prefect and Dask, and wait for it."""
    from tests.flows.calling import Ended

    def call(*arguments: object, **variables: str) -> "Ended":
        command = [Path(sys.executable).with_name("fabula"), *map(str, arguments)]
        place = {"env": environment | variables, "cwd": tmp_path_factory.mktemp("cwd")}
        ended = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False, **place)
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return call
