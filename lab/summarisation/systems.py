"""All systems that a benchmark can run. To add one: its module, and its entry in `SYSTEMS`, which imports nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from core.errors import ConfigError

if TYPE_CHECKING:  # numpy, which a command that computes nothing does without
    from lab.summarisation.dialogue import Budget
    from lab.summarisation.system import System, Workbench

SystemRole = Literal["baseline", "oracle", "trained"]


def depend_on_all(settings: Any, budget: "Budget") -> object:
    """Say that a training depends on every setting and on the whole length."""
    return {"settings": settings, "budget": budget}


@dataclass(frozen=True, slots=True, kw_only=True)
class Implementation:
    """What computes.

    Attributes:
        settings: the type of the settings, a frozen dataclass whose fields have defaults.
        make: makes a system from settings and a workbench.
        identify: returns what results depend on besides the settings, such as the checksum of a model.
        select_learned: returns the part of settings and length that a training depends on. Systems for which it is the same share
            one training.
    """

    settings: type
    make: Callable[[Any, "Workbench"], "System"]
    identify: Callable[[Any], str] = lambda _: ""
    select_learned: Callable[[Any, "Budget"], object] = depend_on_all


@dataclass(frozen=True, slots=True)
class SystemEntry:
    """A system as the command and a result name it; `place` is the module below this package and the constant that computes it.

    `default`: it runs where no systems are named. `vectors`: it asks for sentence vectors, which are computed before, by unit.
    `pretrains`: it can learn from one dataset before another. `version` goes up whenever its summaries change.
    """

    name: str
    summary: str
    role: SystemRole
    place: tuple[str, str]
    default: bool = True
    vectors: bool = False
    pretrains: bool = False
    version: int = 1

    def load(self) -> Implementation:
        """Import what computes."""
        module, constant = self.place
        found: Implementation = getattr(import_module(f"lab.summarisation.{module}"), constant)
        return found


_SELECTING, _TRAINED, _NEURAL = "selecting.selection", "selecting.trained_selection", "neural.systems"
SYSTEMS: tuple[SystemEntry, ...] = (
    SystemEntry("random", "Units drawn by chance.", "baseline", (_SELECTING, "RANDOM")),
    SystemEntry("lead", "The first units.", "baseline", (_SELECTING, "LEAD")),
    SystemEntry("longest", "The longest turns, each from its start.", "baseline", (_SELECTING, "LONGEST")),
    SystemEntry(
        "textrank", "The units most central in the graph of all cosines.", "baseline", (_SELECTING, "TEXTRANK"), vectors=True
    ),
    SystemEntry(
        "lexrank",
        "The units with the most central neighbours, by cosines above a threshold.",
        "baseline",
        (_SELECTING, "LEXRANK"),
        vectors=True,
    ),
    SystemEntry(
        "selector",
        "A logistic regression on frozen sentence vectors, positions and speakers, trained on the oracle's units.",
        "trained",
        (_TRAINED, "SELECTOR"),
        vectors=True,
    ),
    SystemEntry(
        "bertsum",
        "BertSumExt: any encoder of transformers, with inter-sentence layers, trained on the oracle's sentences.",
        "trained",
        (_NEURAL, "BERTSUM"),
        default=False,
        pretrains=True,
    ),
    SystemEntry(
        "generation",
        "An encoder-decoder of transformers (BART, T5, PEGASUS, LED, …), fine-tuned.",
        "trained",
        (_NEURAL, "GENERATION"),
        default=False,
        pretrains=True,
    ),
    SystemEntry(
        "crd3-extractive",
        "CRD3's extractor: a pointer network over turns, trained by policy gradient (rnn-ext + RL).",
        "trained",
        (_NEURAL, "CRD3_EXTRACTIVE"),
        default=False,
    ),
    SystemEntry(
        "crd3-combined",
        "CRD3's extractor, and an abstractor that rewrites and copies, reranked (rnn-ext + abs + RL + rerank).",
        "trained",
        (_NEURAL, "CRD3_COMBINED"),
        default=False,
    ),
    SystemEntry(
        "bertsum-oracle",
        "What BertSum's own oracle selects with the reference in hand.",
        "oracle",
        (_SELECTING, "BERTSUM_ORACLE"),
    ),
    SystemEntry(
        "oracle",
        "What a greedy search selects that knows the reference and ROUGE: a bound for extractive systems.",
        "oracle",
        (_SELECTING, "ORACLE"),
    ),
)


def find_system(name: str) -> SystemEntry:
    """Return the system of a name."""
    for entry in SYSTEMS:
        if entry.name == name:
            return entry
    raise ConfigError(f"system {name!r} is not known; the systems are {', '.join(each.name for each in SYSTEMS)}")


def make_settings(entry: SystemEntry, given: Mapping[str, Any]) -> Any:
    """Return the settings of a system: its defaults, changed by what is given."""
    from infra.settings import validate_config

    return validate_config(entry.load().settings, dict(given), origin=f"settings of {entry.name}")
