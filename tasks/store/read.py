"""Questions about the landed units of a dataset, and the answers that come back."""

from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from core.errors import ConfigError, SourceError
from core.reading.questions import Question, read_batch
from infra.models.chat_endpoint import Answer, ChatEndpoint, NoAnswerError
from infra.settings import validate_config
from infra.store.answers import find_answers, keep_answer
from infra.store.catalog import find_pipeline_of, read_catalog
from infra.store.objects import Store
from infra.store.releases import choose_release
from tasks.frame.build import LIST_QUESTIONS
from tasks.frame.model import INGESTION
from tasks.frame.taken_down import refuse_taken_down
from tasks.pipelines import find_pipeline

AT_ONCE = 8
"""Questions that an endpoint is asked at the same time."""
MOST_SILENT = 5
"""Questions without an answer, one after the other, after which the endpoint is given up."""


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """The questions about a unit, and the digests of those that have an answer."""

    unit: str
    questions: list[Question]
    known: Collection[str]

    @property
    def left(self) -> list[Question]:
        """The questions that have no answer yet."""
        return [each for each in self.questions if each.digest not in self.known]


@dataclass(slots=True)
class TakenAnswers:
    """What became of a file of answers: taken, known before, about no question of the dataset, and lines that are no answer."""

    taken: int = 0
    known: int = 0
    foreign: int = 0
    refused: list[str] = field(default_factory=list)
    answered_by: dict[str, int] = field(default_factory=dict)


def list_asked(store: Store, dataset: str, model: str) -> Iterator[AskedUnit]:
    """Yield the units of a dataset with the questions about them, by the settings of its latest release.

    Raises:
        ConfigError: there is no such dataset, or its pipeline asks nothing.
    """
    manifest = choose_release(store, dataset)
    pipeline = find_pipeline(find_pipeline_of(store, dataset) or dataset)
    list_questions = pipeline.find(LIST_QUESTIONS)
    if list_questions is None:
        raise ConfigError(f"the pipeline {pipeline.name} asks no model that reads; transcripts and scripts do")
    config = validate_config(pipeline.load(INGESTION).config, manifest.says["configuration"], f"release {manifest.version}")
    refuse_taken_down(store, dataset)
    for unit, entry in read_catalog(store, dataset, pipeline.name).items():
        if entry.reference is not None and unit in manifest.splits:
            questions = list(list_questions(store, entry.reference, config))
            yield AskedUnit(unit, questions, find_answers(store, model, questions).keys())


def take_answers(store: Store, dataset: str, model: str, name: str, lines: Iterable[str]) -> TakenAnswers:
    """Put the answers of a batch file into the store, those to questions of the dataset that have none; `name` is the file's.

    Raises:
        ConfigError: as in `list_asked`.
    """
    units = list(list_asked(store, dataset, model))
    left = {question.digest: question for unit in units for question in unit.left}
    known = {digest for unit in units for digest in unit.known}
    outcome = TakenAnswers()
    for answer in read_batch(name, lines):
        if isinstance(answer, SourceError):
            outcome.refused.append(str(answer))
        elif (question := left.pop(answer.digest, None)) is not None:
            keep_answer(store, model, question, answer.text, answer.model, answer.tokens)
            known.add(answer.digest)
            outcome.taken += 1
            outcome.answered_by[answer.model] = outcome.answered_by.get(answer.model, 0) + 1
        elif answer.digest in known:
            outcome.known += 1
        else:
            outcome.foreign += 1
    return outcome


@dataclass(slots=True)
class Asked:
    """What came of asking: questions, answers, tokens, and what was not answered. `given_up`: the endpoint fell silent."""

    questions: int = 0
    answers: int = 0
    tokens: int = 0
    given_up: bool = False
    failures: list[str] = field(default_factory=list)


def ask_endpoint(
    store: Store, model: str, endpoint: ChatEndpoint, questions: Iterable[Question], budget: int, tell: Callable[[str], None]
) -> Asked:
    """Ask an endpoint until all questions have an answer, or the next one may cost more than is left of the budget.

    Each answer is kept as soon as it comes, so that a call that was broken off goes on where it ended.

    Raises:
        ConfigError: the endpoint refuses the key or the model, or the budget is too small for one question.
    """

    def ask(question: Question) -> Answer | NoAnswerError:
        try:
            answer = endpoint.ask(question.messages, question.most_tokens, form=question.form)
        except NoAnswerError as error:
            return error
        keep_answer(store, model, question, answer.text, answer.model, answer.tokens)
        return answer

    outcome, silent, left = Asked(), 0, list(questions)
    if left and (least := min(question.cost for question in left)) > budget:
        raise ConfigError(f"--budget {budget:,} tokens: too few for one question; give at least {least:,}")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while left and silent < MOST_SILENT:
            spent, batch = outcome.tokens, list[Question]()
            while left and len(batch) < AT_ONCE and spent + left[0].cost <= budget:
                batch.append(left.pop(0))
                spent += batch[-1].cost
            if not batch:
                break
            for question, answer in zip(batch, pool.map(ask, batch), strict=True):
                outcome.questions += 1
                outcome.tokens += question.cost * answer.billed
                if isinstance(answer, NoAnswerError):
                    outcome.failures.append(f"{question.unit}: {answer}")
                    silent = silent if answer.refused else silent + 1
                else:
                    outcome.tokens += question.cost if answer.tokens is None else answer.tokens
                    outcome.answers, silent = outcome.answers + 1, 0
            tell(f"{outcome.answers:,} answers, {len(left):,} questions left, {outcome.tokens:,} tokens")
    outcome.given_up = silent >= MOST_SILENT
    return outcome
