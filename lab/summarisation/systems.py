"""All systems that a benchmark can run. To add one: its module, and its line in `SYSTEMS`.

Names and help are known without importing what computes: `load` imports it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from core.errors import ConfigError

if TYPE_CHECKING:  # numpy, which a command that computes nothing does without
    from lab.summarisation.budget import Budget
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEntry:
    """A system as the command and a result name it. `version` goes up whenever its summaries change.

    `default`: it runs where no systems are named. `vectors`: it asks for sentence vectors, which are computed before, by unit.
    `pretrains`: it can learn from one dataset before another.
    """

    name: str
    summary: str
    role: SystemRole
    version: int
    load: Callable[[], Implementation]
    default: bool = True
    vectors: bool = False
    pretrains: bool = False


def _load_random() -> Implementation:
    from lab.summarisation.selecting.systems import RANDOM

    return RANDOM


def _load_lead() -> Implementation:
    from lab.summarisation.selecting.systems import LEAD

    return LEAD


def _load_longest() -> Implementation:
    from lab.summarisation.selecting.systems import LONGEST

    return LONGEST


def _load_textrank() -> Implementation:
    from lab.summarisation.selecting.systems import TEXTRANK

    return TEXTRANK


def _load_lexrank() -> Implementation:
    from lab.summarisation.selecting.systems import LEXRANK

    return LEXRANK


def _load_selector() -> Implementation:
    from lab.summarisation.selecting.trained_systems import SELECTOR

    return SELECTOR


def _load_bertsum() -> Implementation:
    from lab.summarisation.neural.systems import BERTSUM

    return BERTSUM


def _load_generation() -> Implementation:
    from lab.summarisation.neural.systems import GENERATION

    return GENERATION


def _load_crd3_extractive() -> Implementation:
    from lab.summarisation.neural.systems import CRD3_EXTRACTIVE

    return CRD3_EXTRACTIVE


def _load_crd3_combined() -> Implementation:
    from lab.summarisation.neural.systems import CRD3_COMBINED

    return CRD3_COMBINED


def _load_bertsum_oracle() -> Implementation:
    from lab.summarisation.selecting.systems import BERTSUM_ORACLE

    return BERTSUM_ORACLE


def _load_oracle() -> Implementation:
    from lab.summarisation.selecting.systems import ORACLE

    return ORACLE


SYSTEMS: tuple[SystemEntry, ...] = (
    SystemEntry(name="random", summary="Units drawn by chance.", role="baseline", version=1, load=_load_random),
    SystemEntry(name="lead", summary="The first units.", role="baseline", version=1, load=_load_lead),
    SystemEntry(
        name="longest",
        summary="The longest turns, each from its start.",
        role="baseline",
        version=1,
        load=_load_longest,
    ),
    SystemEntry(
        name="textrank",
        summary="The units most central in the graph of all cosines.",
        role="baseline",
        version=1,
        vectors=True,
        load=_load_textrank,
    ),
    SystemEntry(
        name="lexrank",
        summary="The units with the most central neighbours, by cosines above a threshold.",
        role="baseline",
        version=1,
        vectors=True,
        load=_load_lexrank,
    ),
    SystemEntry(
        name="selector",
        summary="A logistic regression on frozen sentence vectors, positions and speakers, trained on the oracle's units.",
        role="trained",
        version=1,
        vectors=True,
        load=_load_selector,
    ),
    SystemEntry(
        name="bertsum",
        summary="BertSumExt: any encoder of transformers, with inter-sentence layers, trained on the oracle's sentences.",
        role="trained",
        version=1,
        default=False,
        pretrains=True,
        load=_load_bertsum,
    ),
    SystemEntry(
        name="generation",
        summary="An encoder-decoder of transformers (BART, T5, PEGASUS, LED, …), fine-tuned.",
        role="trained",
        version=1,
        default=False,
        pretrains=True,
        load=_load_generation,
    ),
    SystemEntry(
        name="crd3-extractive",
        summary="CRD3's extractor: a pointer network over turns, trained by policy gradient (rnn-ext + RL).",
        role="trained",
        version=1,
        default=False,
        load=_load_crd3_extractive,
    ),
    SystemEntry(
        name="crd3-combined",
        summary="CRD3's extractor, and an abstractor that rewrites and copies, reranked (rnn-ext + abs + RL + rerank).",
        role="trained",
        version=1,
        default=False,
        load=_load_crd3_combined,
    ),
    SystemEntry(
        name="bertsum-oracle",
        summary="What BertSum's own oracle selects with the reference in hand.",
        role="oracle",
        version=1,
        load=_load_bertsum_oracle,
    ),
    SystemEntry(
        name="oracle",
        summary="What a greedy search selects that knows the reference and ROUGE: a bound for extractive systems.",
        role="oracle",
        version=1,
        load=_load_oracle,
    ),
)


def find_system(name: str) -> SystemEntry:
    """Return the system of a name.

    Raises:
        ConfigError: there is none; the message names those there are.
    """
    for entry in SYSTEMS:
        if entry.name == name:
            return entry
    raise ConfigError(f"system {name!r} is not known; the systems are {', '.join(each.name for each in SYSTEMS)}")


def make_settings(entry: SystemEntry, given: Mapping[str, Any]) -> Any:
    """Return the settings of a system: its defaults, changed by what is given.

    Raises:
        ConfigError: a setting does not exist or has a wrong value.
    """
    from infra.settings import validate_config

    return validate_config(entry.load().settings, dict(given), origin=f"settings of {entry.name}")
