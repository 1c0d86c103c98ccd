"""Which requests a server answers: none of a page of another origin, and none by a name that was made to point here."""

import asyncio
import json
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ConfigError
from infra.orchestration.guarded_server import AUTH_STRING, ParameterGuard, check_listening
from infra.orchestration.request_guard import MAX_BYTES, AllowedHosts, RequestGuard, Scope, find_fault, read_allowed_hosts

LOCAL = AllowedHosts()
PROXIED = read_allowed_hosts("0.0.0.0", " fabula.example.org, server,")


def ask(host: str = "127.0.0.1:4200", kind: str = "http", method: str = "POST", path: str = "/api/x", **headers: str) -> Scope:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    listed = [(name.encode(), value.encode("latin-1")) for name, value in ({"host": host} | named).items()]
    return {"type": kind, "method": method, "path": path, "headers": listed}


PAGE = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
ALLOWED = [
    *(ask(host) for host in ("127.0.0.1:4200", "localhost:4200", "LOCALHOST", "[::1]:4200", "127.8.9.10:80")),
    ask(origin="http://127.0.0.1:4200", sec_fetch_site="same-origin"),  # the UI
    ask("localhost", origin="http://localhost"),
    ask(kind="websocket", origin="http://127.0.0.1:4200"),
    ask(sec_fetch_site="none", method="GET"),  # typed into the address bar
    ask(path="/runs", method="GET", sec_fetch_site="cross-site", **PAGE),  # a link
]
FOREIGN_HOSTS = (
    "evil.example:4200", "127.0.0.1.evil.example", "localhost.evil.example", "localhost.", "192.168.1.5:4200",
    "fabula.example.org", "", "127.0.0.1:4200@evil.example", "[::1",
)  # fmt: skip
FOREIGN_ORIGINS = (
    "http://evil.example", "null", "", "file://", "http://127.0.0.1:8080", "http://127.0.0.1", "http://localhost:4200",
    "http://127.0.0.1:4200/", "http://127.0.0.1:4200.evil.example", "http://[::1",
)  # fmt: skip
REFUSED = [
    *(ask(host) for host in FOREIGN_HOSTS),
    *(ask(origin=origin) for origin in FOREIGN_ORIGINS),
    *(ask(sec_fetch_site=site) for site in ("cross-site", "same-site", "anything")),
    ask("evil.example", origin="http://evil.example", sec_fetch_site="same-origin"),
    ask(kind="websocket", origin="http://evil.example"),
    ask("evil.example", kind="websocket"),
    ask(kind="websocket", sec_fetch_site="cross-site", **PAGE),
    ask(path="/api/x", method="GET", sec_fetch_site="cross-site", **PAGE),
    ask(path="/runs", method="POST", sec_fetch_site="cross-site", **PAGE),
    ask(path="/runs", method="GET", sec_fetch_site="cross-site", sec_fetch_mode="navigate", sec_fetch_dest="iframe"),
]


def test_own_pages_and_programs_are_answered_and_everything_else_is_refused() -> None:
    assert [scope for scope in ALLOWED if find_fault(scope, LOCAL) is not None] == []
    assert [scope for scope in REFUSED if not find_fault(scope, LOCAL)] == []


def test_a_header_may_not_stand_twice_or_be_left_out() -> None:
    twice = ask()
    twice["headers"].append((b"Host", b"evil.example"))
    assert find_fault(twice, LOCAL) == "expected one header Host, found 2"
    assert find_fault({**ask(), "headers": []}, LOCAL) == "expected one header Host, found 0"
    origins = ask(origin="http://127.0.0.1:4200")
    origins["headers"].append((b"Origin", b"http://evil.example"))
    assert "evil.example" in str(find_fault(origins, LOCAL))


@pytest.mark.parametrize(
    ("scope", "answered"),
    [
        (ask("fabula.example.org", origin="https://fabula.example.org"), True),
        (ask("127.0.0.1:4200", origin="https://fabula.example.org"), True),  # a proxy that ends TLS and sets Host anew
        (ask("server:4200"), True),
        (ask("192.168.1.5:4200", origin="http://192.168.1.5:4200"), True),
        (ask("evil.example"), False),
        (ask("fabula.example.org", origin="https://fabula.example.org:8443"), False),
        (ask("fabula.example.org", origin="https://evil.fabula.example.org"), False),
    ],
    ids=lambda value: str(value["headers"]) if isinstance(value, dict) else "",
)
def test_names_of_the_settings_are_answered_beside_addresses_in_digits(scope: Scope, answered: bool) -> None:
    assert (find_fault(scope, PROXIED) is None) == answered


@given(st.text(alphabet=st.characters(max_codepoint=255), max_size=40), st.sampled_from(["host", "origin", "sec-fetch-site"]))
def test_whatever_a_header_says_it_is_judged(value: str, name: str) -> None:
    scope = ask()
    scope["headers"] = [(found, given) for found, given in scope["headers"] if found != name.encode()]
    scope["headers"].append((name.encode(), value.encode("latin-1")))
    fault = find_fault(scope, LOCAL)
    if name == "origin":
        assert fault is not None or value.lower() == "http://127.0.0.1:4200"


@pytest.mark.parametrize("named", ["*", "http://fabula.example.org", "fabula.example.org:4200", "a b"])
def test_a_name_that_is_none_is_refused(named: str) -> None:
    with pytest.raises(ConfigError, match="FABULA_ALLOWED_HOSTS"):
        read_allowed_hosts("127.0.0.1", named)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.5", "fabula.example.org"])
@pytest.mark.parametrize("password", ["", "fabula:", "fabula:short", "a-long-one-without-a-colon", ":no-user-before-it"])
def test_beyond_loopback_a_password_is_needed(host: str, password: str) -> None:
    with pytest.raises(ConfigError, match=AUTH_STRING) as refused:
        check_listening(host, {AUTH_STRING: password} if password else {})
    assert not password.partition(":")[2] or password not in str(refused.value)
    check_listening(host, {AUTH_STRING: "fabula:correct-horse"})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_on_loopback_none_is_needed_but_a_short_one_is_refused(host: str) -> None:
    check_listening(host, {})
    with pytest.raises(ConfigError, match="at least 12 characters"):
        check_listening(host, {AUTH_STRING: "fabula:short"})


async def _echo(_: Scope, receive: Any, send: Any) -> None:
    """Answer with the body that has come, readable for every origin, as Prefect's server does by default."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"access-control-allow-origin", b"*")]})
    await send({"type": "http.response.body", "body": body})


def send(app: Any, scope: Scope, bodies: Iterator[MutableMapping[str, Any]]) -> list[MutableMapping[str, Any]]:
    """Return what an application sends; the parts of the body come as they are asked for."""
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return next(bodies)

    async def keep(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, keep))
    return sent


def call(app: Any, scope: Scope, *parts: bytes) -> tuple[int, bytes, dict[bytes, bytes]]:
    """Return status, body and headers of an application's answer to a body that comes in parts."""
    bodies = ({"type": "http.request", "body": part, "more_body": number < len(parts)} for number, part in enumerate(parts, 1))
    sent = send(app, scope, bodies)
    if sent[0]["type"] == "websocket.close":
        return 1008, b"", {}
    return sent[0]["status"], sent[1]["body"], dict(sent[0]["headers"])


def test_no_answer_can_be_read_by_another_origin_or_framed() -> None:
    guard = RequestGuard(_echo, LOCAL)
    status, body, headers = call(guard, ask(), b"hello")
    assert (status, body) == (200, b"hello")
    assert b"access-control-allow-origin" not in headers
    assert headers[b"x-frame-options"] == b"DENY"
    assert headers[b"content-security-policy"].startswith(b"default-src 'self' ")
    status, body, headers = call(guard, ask(origin="http://evil.example"), b"hello")
    assert status == 403
    assert "evil.example" in json.loads(body)["detail"]
    assert b"access-control-allow-origin" not in headers
    assert call(guard, ask(kind="websocket", origin="http://evil.example"), b"")[0] == 1008


@pytest.mark.parametrize(
    "path", ["/api/deployments/", "/api/deployments/ID/create_flow_run", "/api/flow_runs/", "/api/automations/"]
)
def test_parameters_with_a_password_are_refused_before_they_are_stored(path: str) -> None:
    guard = ParameterGuard(_echo)
    body = json.dumps({"parameters": {"source": ["s3://key:pass-1234@bucket/shows"]}}).replace("/", "\\/").encode()
    status, answer, _ = call(guard, ask(path=path), body[:20], body[20:])
    assert status == 422
    assert b"AWS_SECRET_ACCESS_KEY" in answer
    assert b"pass-1234" not in answer
    for fine in (b'{"parameters": {"source": ["s3://bucket/a"]}}', b"", b"no json"):
        assert call(guard, ask(path=path), fine[:7], fine[7:])[:2] == (200, fine)
    assert call(RequestGuard(guard, LOCAL), ask(path=path), b" " * MAX_BYTES, b" ")[0] == 413
    deep = b"[" * 100_000 + b"]" * 100_000
    assert call(guard, ask(path=path), deep)[0] == 422
    assert call(guard, ask(path="/api/logs/"), body)[:2] == (200, body)


def test_a_body_that_is_too_long_is_refused_before_it_is_read() -> None:
    guard, read = RequestGuard(_echo, LOCAL), []

    def read_on() -> Iterator[MutableMapping[str, Any]]:  # 300 MB, or without an end
        while True:
            read.append(len(read))
            yield {"type": "http.request", "body": b" " * 2**20, "more_body": True}

    assert send(guard, ask(content_length="300000000"), read_on())[0]["status"] == 413
    assert read == []
    told = send(guard, ask(), read_on())  # in chunks, whose sum nobody has told
    assert [message.get("status") for message in told] == [413, None]
    assert len(read) <= MAX_BYTES // 2**20 + 1
    assert call(guard, ask(content_length=str(MAX_BYTES)), b" " * MAX_BYTES)[0] == 200


def test_a_failure_of_the_application_stays_one() -> None:
    async def fail(_: Scope, __: Any, ___: Any) -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        call(RequestGuard(fail, LOCAL), ask(), b"")
