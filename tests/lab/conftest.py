"""The examples, as the tests of `tasks` have them."""

from tests.tasks.conftest import descriptions, episodes, run_example

__all__ = ["descriptions", "episodes", "run_example"]
