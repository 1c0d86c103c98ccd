"""The command and the examples, as the tests of `flows` and of `tasks` have them."""

from tests.flows.conftest import environment, fabula, fabula_process, prefect_home, prefect_server
from tests.tasks.conftest import descriptions, episodes, films, run_example, stories, threads

__all__ = [
    "descriptions",
    "environment",
    "episodes",
    "fabula",
    "fabula_process",
    "films",
    "prefect_home",
    "prefect_server",
    "run_example",
    "stories",
    "threads",
]
