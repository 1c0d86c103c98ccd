"""The type of a pipeline: one value that says what it is called, when it runs, and where its two halves are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a command that runs nothing does without them
    from tasks.frame.model import Ingestion
    from tasks.frame.release_spec import ReleaseSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A thing on the machine that some settings of a pipeline need; the command has an option of its name."""

    name: str
    help: str
    metavar: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """A pipeline: what a person and a scheduler need to know of it, and how to load what it does.

    `name` is also the name of its dataset, its deployment and its flow. `summary` and `source` are its help. `cron` (UTC) and
    `rhythm` are its schedule, for a program and for a person. `paper` is the profile of the paper's own method, which has a
    dataset and a deployment of its own; `needs` is what it needs on a machine. `names_people`: its data name people, by
    pseudonyms. `load_ingestion` imports how it makes units of its sources, `load_release` what it makes of the units. The first
    half knows nothing of the second.
    """

    name: str
    summary: str
    source: str
    cron: str
    rhythm: str
    load_ingestion: "Callable[[], Ingestion[Any]]"
    load_release: "Callable[[], ReleaseSpec[Any]]"
    paper: str | None = None
    needs: str = ""
    resources: tuple[Resource, ...] = ()
    names_people: bool = False

    @property
    def entrypoint(self) -> str:
        """The module path of its Prefect flow."""
        return f"flows.{self.name}.build_{self.name}"
