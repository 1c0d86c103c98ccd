"""What a worker sends back: a result or an error, and the lines that were logged on the way."""

import logging
import pickle
from threading import Lock

import pytest

from core.errors import SourceError
from infra.orchestration.worker_logs import answer_request

logger = logging.getLogger("tasks.example")


class UnportableError(Exception):
    """Holds on to what cannot be pickled, as errors of some libraries do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.lock = Lock()


def work(request: str) -> str:
    logger.debug("not for the user")
    logger.info("reading %s", request)
    logging.getLogger("elsewhere").warning("not ours")
    match request:
        case "bad":
            raise SourceError("bad.txt: it is empty")
        case "unportable":
            raise UnportableError("this and that")
    logger.warning("odd")
    return request.upper()


def test_a_result_comes_with_its_lines() -> None:
    answer = answer_request(work, "good")
    assert (answer.result, answer.error) == ("GOOD", None)
    assert answer.lines == ((logging.INFO, "reading good"), (logging.WARNING, "odd"))


def test_an_error_is_an_answer_with_the_lines_that_led_to_it() -> None:
    answer = answer_request(work, "bad")
    assert answer.result is None
    assert isinstance(answer.error, SourceError)
    assert str(answer.error) == "bad.txt: it is empty"
    assert answer.lines[:-1] == ((logging.INFO, "reading bad"),)
    assert answer.lines[-1] == (logging.ERROR, "core.errors.SourceError: bad.txt: it is empty")


def test_an_unexpected_error_keeps_its_words_and_its_place_where_it_would_not_survive() -> None:
    answer = answer_request(work, "unportable")
    assert isinstance(answer.error, RuntimeError)
    assert "UnportableError: this and that" in str(answer.error)
    level, message = answer.lines[-1]
    assert level == logging.ERROR
    assert "in work" in message
    assert message.endswith("UnportableError: this and that")


@pytest.mark.parametrize("request_", ["good", "bad", "unportable"])
def test_every_answer_survives_the_way_back(request_: str) -> None:
    answer = answer_request(work, request_)
    returned = pickle.loads(pickle.dumps(answer))
    assert type(returned.error) is type(answer.error)
    assert (returned.result, str(returned.error), returned.lines) == (answer.result, str(answer.error), answer.lines)


def test_logging_is_as_before_afterwards() -> None:
    loggers = [logging.getLogger(name) for name in ("core", "tasks", "infra")]
    before = [(each.level, list(each.handlers)) for each in loggers]
    answer_request(work, "bad")
    assert [(each.level, list(each.handlers)) for each in loggers] == before
