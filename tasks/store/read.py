"""Questions about the landed units of a dataset, and the answers that come back."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from core.errors import ConfigError, SourceError
from core.reading.questions import MOST_ANSWER_CHARACTERS, Answer, Question, read_batch
from infra.models.chat_endpoint import Answer as EndpointAnswer
from infra.models.chat_endpoint import ChatEndpoint, NoAnswerError
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
    """The questions about a unit that have no answer yet, and how many have one."""

    unit: str
    questions: list[Question]
    known: int


@dataclass(slots=True)
class TakenAnswers:
    """What became of a file of answers: taken, known before, about no question of the dataset, and lines that are no answer."""

    taken: int = 0
    known: int = 0
    foreign: int = 0
    refused: list[str] = field(default_factory=list)
    answered_by: Counter[str] = field(default_factory=Counter)


def list_open_questions(store: Store, dataset: str, model: str) -> Iterator[AskedUnit]:
    """Yield the units of a dataset with the questions that a model has not answered, by the settings of its latest release.

    Raises:
        ConfigError: there is no such dataset, or its pipeline asks nothing.
        StoreError: the store failed.
    """
    name = find_pipeline_of(store, dataset)
    manifest = choose_release(store, dataset, None)
    pipeline = find_pipeline(name or dataset)
    list_questions = pipeline.find(LIST_QUESTIONS)
    if list_questions is None:
        raise ConfigError(f"the pipeline {pipeline.name} asks no model that reads; transcripts does")
    config = validate_config(pipeline.load(INGESTION).config, manifest.says["configuration"], f"release {manifest.version}")
    refuse_taken_down(store, dataset)
    for unit, entry in read_catalog(store, dataset, pipeline.name).items():
        if entry.reference is None or unit not in manifest.splits:
            continue
        questions = list(list_questions(store, entry.reference, config))
        known = find_answers(store, model, questions)
        yield AskedUnit(unit, [each for each in questions if each.digest not in known], len(known))


def take_answers(store: Store, dataset: str, model: str, name: str, lines: Iterable[str]) -> TakenAnswers:
    """Put the answers of a batch file into the store, those to questions of the dataset that have none.

    Raises:
        ConfigError: as in `list_open_questions`.
        StoreError: the store failed.
    """
    units = list(list_open_questions(store, dataset, model))
    open_questions = {question.digest: question for unit in units for question in unit.questions}
    outcome = TakenAnswers()
    known = sum(unit.known for unit in units)
    for answer in read_batch(name, lines):
        if isinstance(answer, SourceError):
            outcome.refused.append(str(answer))
        elif (question := open_questions.pop(answer.digest, None)) is not None:
            keep_answer(store, model, question, answer)
            outcome.taken += 1
            outcome.answered_by[answer.model] += 1
        else:
            outcome.foreign += 1
    outcome.known = min(known, outcome.foreign)
    outcome.foreign -= outcome.known
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

    Every answer is kept at once, so that a call that was broken off goes on where it ended.

    Raises:
        ConfigError: the endpoint refuses the key or the model.
        StoreError: the store failed.
    """
    outcome, silent = Asked(), 0
    left = list(questions)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while left and silent < MOST_SILENT:
            spent = outcome.tokens
            batch: list[Question] = []
            while left and len(batch) < AT_ONCE and spent + left[0].tokens + left[0].most_tokens <= budget:
                batch.append(left.pop(0))
                spent += batch[-1].tokens + batch[-1].most_tokens
            if not batch:
                break
            for question, answer in zip(batch, pool.map(partial(_ask, endpoint), batch), strict=True):
                outcome.questions += 1
                cost = question.tokens + question.most_tokens
                if isinstance(answer, NoAnswerError):
                    outcome.tokens += cost * answer.billed
                    outcome.failures.append(f"{question.unit}: {answer}")
                    silent = silent if answer.refused else silent + 1
                    continue
                outcome.tokens += cost * answer.billed + (cost if answer.tokens is None else answer.tokens)
                outcome.answers, silent = outcome.answers + 1, 0
                text = answer.text[:MOST_ANSWER_CHARACTERS]
                keep_answer(store, model, question, Answer(question.digest, text, answer.model, answer.tokens))
            tell(f"{outcome.answers:,} answers, {len(left):,} questions left, {outcome.tokens:,} tokens")
    outcome.given_up = silent >= MOST_SILENT
    return outcome


def _ask(endpoint: ChatEndpoint, question: Question) -> EndpointAnswer | NoAnswerError:
    try:
        return endpoint.ask(question.messages, question.most_tokens, form=question.form)
    except NoAnswerError as error:
        return error
