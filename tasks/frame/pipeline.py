"""The type of a pipeline: one value that says what it is called and when it runs, and finds its parts by their names."""

from dataclasses import dataclass
from importlib import import_module
from typing import Generic, TypeVar

from core.errors import ConfigError

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Part(Generic[Value]):
    """Something that a pipeline may have: a `name` in one of some `modules` of its package.

    A small pipeline is one module with all its parts.
    """

    name: str
    modules: tuple[str, ...] = ("release",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A thing on the machine that some settings of a pipeline need; the command has an option of its name."""

    name: str
    help: str
    metavar: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """A pipeline: what a person and a scheduler need to know of it. What it does is imported when it is asked for.

    The first half, which makes units of sources, knows nothing of the second, which makes releases of units.
    """

    name: str
    """Also the name of its dataset, its deployment, its flow, and of its package in `tasks`."""
    summary: str
    """What it does, as help."""
    source: str
    """What its sources are, as help."""
    cron: str
    """When it runs (UTC), for a scheduler."""
    rhythm: str
    """When it runs, for a person."""
    paper: str | None = None
    """The profile of the paper's own method, which has a dataset and a deployment of its own."""
    needs: str = ""
    """What it needs on a machine."""
    resources: tuple[Resource, ...] = ()
    """The same, where the command has an option for the place."""
    names_people: bool = False
    """Whether its data name people, by pseudonyms."""

    @property
    def entrypoint(self) -> str:
        """The module path of its Prefect flow."""
        return f"flows.{self.name}.build_{self.name}"

    def find(self, part: Part[Value]) -> Value | None:
        """Import one of its parts; None where it has none of this name."""
        package = f"tasks.{self.name}"
        for module in (*(f"{package}.{module}" for module in part.modules), package):
            try:
                found = import_module(module)
            except ModuleNotFoundError as error:
                if error.name != module:  # the module is there, and something that it imports is not
                    raise
                continue
            if hasattr(found, part.name):
                value: Value = getattr(found, part.name)
                return value
        return None

    def load(self, part: Part[Value]) -> Value:
        """Import one of its parts; ConfigError where it has none of this name."""
        found = self.find(part)
        if found is None:
            raise ConfigError(
                f"pipeline {self.name} has no {part.name}; expected it in tasks/{self.name}/{part.modules[0]}.py, or in "
                f"tasks/{self.name}.py"
            )
        return found
