import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from core.errors import ConfigError, StoreError
from infra.pages import read_asset
from infra.pages.server import Site, make_app, open_socket


def answer_or_refuse(parameters: Any) -> Any:
    if "wrong" in parameters:
        raise ConfigError("wrong is wrong; leave it out")
    return {"got": parameters}


def read_or_fail(path: str) -> bytes | None:
    if path == "broken.json":
        raise StoreError("the store does not answer")
    return {"page.html": b"<!doctype html>", "styled.html": b"<style></style>"}.get(path)


SITE = Site(
    home="page.html",
    assets={"common.css": "common.css"},
    read=read_or_fail,
    answers={"api/answer": answer_or_refuse},
    accepts={"api/accept": lambda said: {"said": said}},
    styled=frozenset({"styled.html"}),
)


def ask(method: str, path: str, **options: Any) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(make_app(SITE))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            return await client.request(method, path, **options)

    return asyncio.run(send())


def test_a_site_serves_its_pages_its_assets_and_its_answers() -> None:
    assert ask("GET", "/").headers["location"] == "/page.html"
    page = ask("GET", "/page.html")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert ask("GET", "/common.css").headers["content-type"].startswith("text/css")
    assert ask("GET", "/common.css").content == read_asset("common.css")
    assert ask("GET", "/api/answer?a=1").json() == {"got": {"a": "1"}}
    assert ask("POST", "/api/accept", json=[1]).json() == {"said": [1]}


def test_every_answer_forbids_foreign_scripts_and_frames() -> None:
    def read_policies(path: str) -> list[str]:
        return ask("GET", path).headers.get_list("content-security-policy")

    for path in ("/page.html", "/common.css", "/api/answer", "/absent"):
        policies = read_policies(path)
        assert any("script-src 'self'" in policy and "default-src 'none'" in policy for policy in policies), path
        assert any("frame-ancestors 'none'" in policy for policy in policies), path
    styled, plain = (
        next(policy for policy in read_policies(path) if "default-src 'none'" in policy)
        for path in ("/styled.html", "/page.html")
    )
    assert "style-src 'self' 'unsafe-inline'" in styled
    assert "script-src 'self';" in styled
    assert "unsafe-inline" not in plain


def test_what_is_not_there_or_wrong_is_told() -> None:
    assert ask("GET", "/absent.js").status_code == 404
    wrong, broken = ask("GET", "/api/answer?wrong=1"), ask("GET", "/broken.json")
    assert (wrong.status_code, wrong.json()["detail"]) == (400, "wrong is wrong; leave it out")
    assert (broken.status_code, broken.json()) == (502, {"detail": "the store does not answer"})
    for content in (b"{", b"[" * 200_000, b"\xff"):
        assert ask("POST", "/api/accept", content=content, headers={"content-type": "application/json"}).status_code == 400
    assert ask("POST", "/api/accept", content=b"1", headers={"content-type": "text/plain"}).status_code == 415


def test_a_body_that_is_too_long_and_a_taken_port_are_refused() -> None:
    async def stream() -> AsyncIterator[bytes]:
        for _ in range(300):
            yield b" " * 10**6

    for content in (b" " * 10**7, stream()):
        answer = ask("POST", "/api/accept", content=content, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["detail"][:29]) == (413, "the request has more than 4,1")
    with open_socket() as first:
        first.listen()
        with pytest.raises(ConfigError, match="choose another"):
            open_socket(first.getsockname()[1])


@pytest.mark.parametrize(
    "headers",
    [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}],
    ids=["host", "origin", "site"],
)
def test_pages_of_other_origins_get_no_answer(headers: dict[str, str]) -> None:
    assert ask("GET", "/api/answer", headers=headers).status_code == 403
    assert ask("POST", "/api/accept", content=json.dumps(1), headers=headers).status_code in (403, 415)
