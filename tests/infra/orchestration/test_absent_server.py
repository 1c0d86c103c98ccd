"""Prefect's own client against what answers in a lost server's place: states are taken, anything else fails without a retry."""

import socket
from collections.abc import Iterator
from uuid import uuid4

import pytest
from prefect.client.orchestration import SyncPrefectClient
from prefect.exceptions import PrefectHTTPStatusError
from prefect.states import Cancelled, Completed

from infra.orchestration.absent_server import AbsentServer


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[SyncPrefectClient]:
    monkeypatch.setattr("prefect.client.base.time.sleep", lambda _: pytest.fail("the client tries again"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        absent = AbsentServer(listener)
        with SyncPrefectClient(f"http://127.0.0.1:{listener.getsockname()[1]}/api") as client:
            yield client
        absent.close()


def test_a_state_is_agreed_to(client: SyncPrefectClient) -> None:
    answer = client.set_flow_run_state(uuid4(), Completed(message="done"))
    assert answer.status.value == "ACCEPT"
    assert answer.state is not None
    assert answer.state.is_completed()
    forced = client.set_flow_run_state(uuid4(), Cancelled(), force=True)
    assert forced.state is not None
    assert forced.state.is_cancelled()


def test_anything_else_fails_without_another_try(client: SyncPrefectClient) -> None:
    with pytest.raises(PrefectHTTPStatusError, match="410"):
        client.read_flow_run(uuid4())
    with pytest.raises(PrefectHTTPStatusError, match="410"):
        client.create_flow_from_name("tales")
    with pytest.raises(PrefectHTTPStatusError, match="410"):
        client.set_flow_run_name(uuid4(), "tales")
