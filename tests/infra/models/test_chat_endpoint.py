"""The endpoint of a model: its settings, the time and the bytes that it may take, and when it is asked again."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from socket import create_server
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from core.errors import ConfigError
from core.reading.questions import NoAnswerError, Question
from infra.models.chat_endpoint import ChatEndpoint, find_endpoint
from tests.chat_stand_in import StandIn, stand_in


@pytest.fixture
def server() -> Iterator[StandIn]:
    with stand_in() as server:
        yield server


@contextmanager
def dripping(begin: bytes, drop: bytes) -> Iterator[ChatEndpoint]:
    """Yield an endpoint that sends `begin` at once and then `drop` again and again, ten seconds long."""
    with create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(2**16)
                connection.sendall(begin)
                for _ in range(200):
                    connection.sendall(drop)
                    sleep(0.05)

        Thread(target=drip, daemon=True).start()
        yield ChatEndpoint(url=f"http://127.0.0.1:{listener.getsockname()[1]}/v1", model="m", patience=0.5, tries=1)


NAMED = {"FABULA_MODEL_URL": "http://h/v1", "FABULA_MODEL": "m"}


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"FABULA_MODEL_URL": ""}, "FABULA_MODEL_URL"),
        *(({"FABULA_MODEL_URL": url}, "no address") for url in ("file:///x", "http://[::1", "http://h:port/v1", "http:///v1")),
        *(({"FABULA_MODEL_KEY": key}, "FABULA_MODEL_KEY") for key in ("schlüssel", "sec\nret")),
        *(
            ({"FABULA_MODEL_SECONDS": wrong}, "FABULA_MODEL_SECONDS is .*expected whole seconds from 1 to 3,600")
            for wrong in ("0", "-1", "1.5", "nan", "9" * 40, "\u00b2")
        ),
    ],
)
def test_wrong_settings_are_told_and_the_key_is_never_shown(variables: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        find_endpoint(NAMED | variables)
    assert variables.get("FABULA_MODEL_KEY", "no key") not in str(caught.value)


def test_nothing_is_on_by_default_and_the_deadline_is_short() -> None:
    with pytest.raises(ConfigError, match="FABULA_MODEL_URL"):
        find_endpoint({})
    with pytest.raises(ConfigError, match="FABULA_MODEL_URL"):
        ChatEndpoint(url=f"http://{'a' * 70}.example/v1", model="m").answer(QUESTION, 1)
    assert "secret" not in repr(find_endpoint(NAMED | {"FABULA_MODEL_KEY": "secret"}))
    assert [find_endpoint(NAMED | more).patience for more in ({}, {"FABULA_MODEL_SECONDS": "600"})] == [30, 600]


QUESTION = Question("test-kind", 1, "U1", "Answer with JSON.", "Which turns?", {"type": "object"}, 20)


@pytest.mark.parametrize(
    ("begin", "drop"),
    [
        (b"HTTP/1.1 200 OK\r\nX-A: ", b"a"),
        # Without a length, the end of the connection would be the end of the answer.
        (b'HTTP/1.1 200 OK\r\n\r\n{"choices": [{"message": {"content": "a"}}]}', b" "),
    ],
)
def test_an_endpoint_that_drips_is_not_waited_for_and_half_an_answer_is_none(begin: bytes, drop: bytes) -> None:
    with dripping(begin, drop) as endpoint:
        with pytest.raises(NoAnswerError, match="ReadTimeout") as caught:  # who waits sees the connection end
            endpoint.answer(QUESTION, 3)
        assert caught.value.billed == 1


def test_the_tries_of_a_question_have_one_deadline(server: StandIn) -> None:
    server.say('{"start": 1, "end": 2}')
    server.pause = 0.2  # each read comes in time, and the whole takes twenty seconds
    started = monotonic()
    with pytest.raises(NoAnswerError, match=r"after 1 tries .ReadTimeout within 0.5 s, which FABULA_MODEL_SECONDS"):
        replace(server.endpoint, tries=3).answer(QUESTION, 3)  # who waits gets the whole answer
    assert monotonic() - started < 5.0
    assert len(server.asked) == 1


def test_a_huge_answer_is_not_read_to_its_end(server: StandIn) -> None:
    server.answer = lambda _: (200, b" " * 2**24)
    with pytest.raises(NoAnswerError, match=r"more than 1,048,576 bytes"):
        replace(server.endpoint, patience=30).answer(QUESTION, 3)
    server.say("word " * 100_000)
    assert len(replace(server.endpoint, patience=30).answer(QUESTION, 3).text) == 500_000


@pytest.mark.parametrize(
    ("answers", "pauses"),
    [
        ([(429, "7"), (429, "7")], [7.0]),
        ([(429, ""), (429, "")], [2.0]),
        ([(429, "soon"), (429, "soon")], [2.0]),
        ([(429, "7"), (503, ""), (500, "")], [7.0, 4.0]),  # the pause of one try is not that of the next
        ([(429, "3600")], []),
    ],
)
def test_a_busy_endpoint_is_asked_again_when_it_says(
    server: StandIn, answers: list[tuple[int, str]], pauses: list[float]
) -> None:
    left = iter(answers)

    def answer(_: dict[str, Any]) -> tuple[int, bytes]:
        status, said = next(left)
        server.headers = {"retry-after": said} if said else {}
        return status, b"{}"

    server.answer = answer
    waited: list[float] = []
    told = "come back in 3,600 s" if answers[-1][1] == "3600" else f"status {answers[-1][0]}"
    with pytest.raises(NoAnswerError, match=told):
        replace(server.endpoint, tries=len(answers), wait=waited.append).answer(QUESTION, 3)
    assert waited == pauses
    assert len(server.asked) == len(answers)


def test_an_endpoint_is_asked_for_the_form_of_the_schema_and_its_answer_names_the_model(server: StandIn) -> None:
    server.say('{"spans": []}', 31, "model-2026")
    found = server.endpoint.answer(QUESTION, 3)
    assert (found.digest, found.text, found.model, found.tokens) == (QUESTION.digest, '{"spans": []}', "model-2026", 31)
    form = {"name": "test-kind", "strict": True, "schema": {"type": "object"}}
    assert server.asked[0]["response_format"] == {"type": "json_schema", "json_schema": form}


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "This response_format type is unavailable now"),
        (400, "failed to parse grammar"),
        (422, "Unsupported fields in the request: {'response_format'}"),
    ],
)
def test_a_server_that_refuses_the_form_is_asked_without_and_never_with_it_again(server: StandIn, status: int, told: str) -> None:
    server.say("{}")
    usual = server.answer
    refused = (status, json.dumps({"error": {"message": told}}).encode())
    server.answer = lambda body: refused if "response_format" in body else usual(body)
    endpoint = server.endpoint
    assert [endpoint.answer(QUESTION, 3).text for _ in range(3)] == ["{}"] * 3
    assert ["response_format" in body for body in server.asked] == [True, False, False, False]


def test_a_question_that_is_refused_for_another_reason_is_not_asked_again(server: StandIn) -> None:
    server.answer = lambda _: (400, b'{"error": {"message": "request (9031 tokens) exceeds the available context size"}}')
    with pytest.raises(NoAnswerError, match="status 400") as caught:
        server.endpoint.answer(QUESTION, 3)
    assert (caught.value.refused, len(server.asked)) == (True, 1)


def test_half_an_answer_is_none_and_may_have_cost_something(server: StandIn) -> None:
    server.say("{}")
    server.cut = 10
    with pytest.raises(NoAnswerError, match="RemoteProtocolError") as caught:
        server.endpoint.answer(QUESTION, 3)
    assert (caught.value.billed, caught.value.refused, len(server.asked)) == (2, False, 2)


def test_a_redirect_is_not_followed(server: StandIn) -> None:
    with stand_in() as other:
        server.headers = {"location": f"{other.endpoint.url}/chat/completions"}
        server.answer = lambda _: (307, b"")
        with pytest.raises(NoAnswerError, match="status 307"):
            server.endpoint.answer(QUESTION, 3)
        assert not other.asked
