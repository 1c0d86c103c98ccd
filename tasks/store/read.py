"""Questions about the landed units of a dataset, and the answers that come back."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from core.dataset.takedown import split_row
from core.errors import ConfigError, SourceError
from core.reading.questions import Answer, NoAnswerError, Question, Reader, name_model, read_batch
from infra.settings import validate_config
from infra.store.answers import find_answers, keep_answer, read_answers
from infra.store.catalog import find_pipeline_of, read_catalog
from infra.store.objects import Store
from infra.store.releases import choose_release
from infra.store.running import alone
from infra.store.takedown import read_takedown
from tasks.frame.asking import LIST_QUESTIONS
from tasks.frame.model import INGESTION
from tasks.frame.taken_down import refuse_taken_down
from tasks.pipelines import find_pipeline
from tasks.store.inspect import find_rows

MOST_SILENT = 5
"""Questions without an answer, one after the other, after which a reader is given up."""
LONGEST_WAIT = 5.0
"""Seconds after which a call ends that finds another one asking the same model: that one may take hours."""


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """The questions about a unit, and the answers to some of them by digest."""

    unit: str
    questions: list[Question]
    known: Mapping[str, Answer]

    @property
    def left(self) -> list[Question]:
        """The questions that have no answer yet."""
        return [each for each in self.questions if each.digest not in self.known]


@dataclass(frozen=True, slots=True)
class Cost:
    """What questions without an answer cost, about: tokens of questions and answers. `counted`: by what known ones have cost."""

    asked: int
    answered: int
    counted: bool

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.asked + self.answered

    def price(self, asked: float, answered: float) -> float:
        """Return the money, of the prices of a million tokens of questions and of answers."""
        return (self.asked * asked + self.answered * answered) / 1e6


def estimate_cost(units: Sequence[AskedUnit]) -> Cost:
    """Return what the open questions cost, measured by the tokens that the model has counted where it has answered some."""
    known = [(unit.known[each.digest], each) for unit in units for each in unit.questions if each.digest in unit.known]
    counts = [(answer.tokens, _estimate(question)) for answer, question in known if answer.tokens is not None]
    counted, estimated = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    scale = counted / estimated if counted else 1.0
    left = [question for unit in units for question in unit.left]
    asked, answered = sum(each.tokens for each in left), sum(each.answer_tokens for each in left)
    return Cost(round(asked * scale), round(answered * scale), bool(counted))


def _estimate(question: Question) -> int:
    return question.tokens + question.answer_tokens


def order_open(units: Iterable[AskedUnit]) -> list[Question]:
    """Return the questions without an answer, each once: first those about the units that gain most for what they still cost.

    The questions about a unit stay together: what a reader says of all of it tells how far he is believed.
    """

    def gain(unit: AskedUnit) -> float:
        return sum(question.doubt for question in unit.questions) / max(sum(question.cost for question in unit.left), 1)

    ordered = sorted(units, key=gain, reverse=True)
    return [*{question.digest: question for unit in ordered for question in unit.left}.values()]


def count_answerers(units: Sequence[AskedUnit]) -> dict[str, int]:
    """Count the known answers by the name that the server gives to the model that answered ("": none)."""
    return dict(Counter(answer.model for unit in units for answer in unit.known.values()))


def find_questions(store: Store, dataset: str, units: Sequence[AskedUnit], name: str) -> list[Question]:
    """Return the questions about a unit, those about a member of a shard, or those that ask about a row of a unit.

    Raises:
        ConfigError: no unit and no row has this name.
    """
    by_name = {unit.unit: unit.questions for unit in units}
    if name in by_name:
        return by_name[name]
    if about := [question for unit in units for question in unit.questions if name in question.unit.split()]:
        return about
    unit = next((start for start in split_row(name) if start in by_name), None)
    summaries = [" ".join(str(row.get("summary", "")).split()) for row in find_rows(store, dataset, name)] if unit else []
    if unit is None or not summaries:
        raise ConfigError(f"{dataset} has no unit and no row {name}; fabula show {dataset} --list names the units")
    said = max(summaries, key=len)
    return [question for question in by_name[unit] if any(" ".join(each.split()) in said for each in question.about)]


@dataclass(slots=True)
class TakenAnswers:
    """What became of a file of answers: taken, known before, about no question of the dataset, and lines that are no answer.

    `answered_by` counts all answers, those known before too, by the server's name of the model.
    """

    taken: int = 0
    known: int = 0
    foreign: int = 0
    refused: list[str] = field(default_factory=list)
    answered_by: dict[str, int] = field(default_factory=dict)


def list_asked(store: Store, dataset: str, model: str) -> Iterator[AskedUnit]:
    """Yield the units of a dataset with the questions about them, by the settings of its latest release.

    A unit, or member of a shard, with a row on the takedown list is in no question.

    Raises:
        ConfigError: there is no such dataset, or its pipeline asks nothing.
    """
    manifest = choose_release(store, dataset)
    pipeline = find_pipeline(find_pipeline_of(store, dataset) or dataset)
    list_questions = pipeline.find(LIST_QUESTIONS)
    if list_questions is None:
        raise ConfigError(f"the pipeline {pipeline.name} asks no model that reads")
    config = validate_config(pipeline.load(INGESTION).config, manifest.says["configuration"], f"release {manifest.version}")
    refuse_taken_down(store, dataset)
    takedown = read_takedown(store, pipeline.name)
    for unit, entry in read_catalog(store, dataset, pipeline.name).items():
        if entry.reference is not None and unit in manifest.splits:
            found = list(list_questions(store, entry.reference, config))
            listed = takedown.find_rows({name: (name,) for question in found for name in question.unit.split()})
            questions = [question for question in found if listed.keys().isdisjoint(question.unit.split())]
            yield AskedUnit(unit, questions, read_answers(store, model, questions))


def take_answers(store: Store, dataset: str, model: str, name: str, lines: Iterable[str]) -> TakenAnswers:
    """Put the answers of a batch file into the store, those to questions of the dataset that have none; `name` is the file's.

    Raises:
        ConfigError: as in `list_asked`.
    """
    units = list(list_asked(store, dataset, model))
    left = {question.digest: question for unit in units for question in unit.left}
    known = {digest for unit in units for digest in unit.known}
    outcome = TakenAnswers(answered_by=count_answerers(units))
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
    """What came of asking: questions, answers, tokens, and what was not answered. `given_up`: the reader fell silent.

    `spent` is what the budget was charged with. `counted` are those that the reader has counted, `estimated` what was expected
    of the same questions. `left` counts the questions for which the budget was too small.
    """

    asked: int = 0
    answered: int = 0
    spent: int = 0
    counted: int = 0
    estimated: int = 0
    left: int = 0
    given_up: bool = False
    failures: list[str] = field(default_factory=list)
    answered_by: dict[str, int] = field(default_factory=dict)

    def add(self, question: Question, answer: Answer | NoAnswerError) -> None:
        """Add what came of a question."""
        self.asked += 1
        self.spent += question.cost * answer.billed
        if isinstance(answer, NoAnswerError):
            self.failures.append(f"{question.unit}: {answer}")
            return
        self.answered += 1
        self.answered_by[answer.model] = self.answered_by.get(answer.model, 0) + 1
        self.spent += question.cost if answer.tokens is None else answer.tokens
        if answer.tokens is not None:
            self.counted += answer.tokens
            self.estimated += _estimate(question)


def ask_reader(store: Store, reader: Reader, questions: Iterable[Question], budget: int, tell: Callable[[str], None]) -> Asked:
    """Ask a reader until all questions have an answer, or the next one may cost more than is left of the budget.

    Each answer is kept as soon as it comes, so that a call that was broken off goes on where it ended. No other process asks the
    same model for this store meanwhile: two calls ask nothing twice, and none spends what the other one saves.

    Raises:
        ConfigError: the reader refuses the key or the model, or the budget is too small for one question.
        StoreError: another process is asking the same model.
    """
    with alone(store, name_model(reader.model), LONGEST_WAIT):
        asked = {question.digest: question for question in questions}
        known = find_answers(store, reader.model, [*asked.values()])  # another call may have ended since they were listed
        return _ask(store, reader, [question for digest, question in asked.items() if digest not in known], budget, tell)


def _ask(store: Store, reader: Reader, left: list[Question], budget: int, tell: Callable[[str], None]) -> Asked:
    def ask(question: Question, most_tries: int) -> Answer | NoAnswerError:
        try:
            answer = reader.answer(question, most_tries)
        except NoAnswerError as error:
            return error
        keep_answer(store, reader.model, question, answer.text, answer.model, answer.tokens)
        return answer

    outcome, silent = Asked(), 0
    if left and (least := min(question.cost for question in left)) > budget:
        raise ConfigError(f"--budget {budget:,} tokens: too few for one question; give at least {least:,}")
    with ThreadPoolExecutor(reader.at_once) as pool:
        while left and silent < MOST_SILENT:
            spent, batch = outcome.spent, list[Question]()
            while left and len(batch) < reader.at_once and spent + left[0].cost <= budget:
                batch.append(left.pop(0))
                spent += batch[-1].cost
            if not batch:
                break
            before, tries = outcome.answered, (budget - outcome.spent) // (spent - outcome.spent)  # of each, as all may cost
            for question, answer in zip(batch, pool.map(partial(ask, most_tries=tries), batch), strict=True):
                outcome.add(question, answer)
                if isinstance(answer, NoAnswerError) and not (answer.refused and outcome.answered):
                    silent += 1
            if outcome.answered > before:  # a slow server answers some of those that are sent together
                silent = 0
            tell(f"{outcome.answered:,} answers, {len(left):,} questions left, {outcome.spent:,} tokens")
    outcome.left, outcome.given_up = len(left), silent >= MOST_SILENT
    return outcome
