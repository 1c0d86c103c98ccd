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


@pytest.mark.parametrize(
    ("request_", "result", "error", "last"),
    [
        ("good", "GOOD", None, (logging.WARNING, "odd")),
        ("bad", None, SourceError("bad.txt: it is empty"), (logging.ERROR, "core.errors.SourceError: bad.txt: it is empty")),
        ("unportable", None, RuntimeError("UnportableError: this and that"), None),
    ],
)
def test_a_result_and_an_error_come_with_the_lines_that_led_to_them_and_survive_the_way_back(
    request_: str, result: str | None, error: Exception | None, last: tuple[int, str] | None
) -> None:
    sent = answer_request(work, request_)
    answer = pickle.loads(pickle.dumps(sent))
    assert answer.result == result
    assert type(answer.error) is type(error)
    assert str(error or "") in str(answer.error)
    assert answer.lines == sent.lines
    first, *_, found = answer.lines
    assert first == (logging.INFO, f"reading {request_}")
    if last is not None:
        assert answer.lines == (first, last)
    else:  # an error that would not survive keeps its words and its place
        assert found[0] == logging.ERROR
        assert "in work" in found[1]
        assert found[1].endswith("UnportableError: this and that")


def test_logging_is_as_before_afterwards() -> None:
    loggers = [logging.getLogger(name) for name in ("core", "tasks", "infra")]
    before = [(each.level, list(each.handlers)) for each in loggers]
    answer_request(work, "bad")
    assert [(each.level, list(each.handlers)) for each in loggers] == before
