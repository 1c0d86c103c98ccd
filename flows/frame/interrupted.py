"""A run that Ctrl-C or another signal has stopped, in the UI: Cancelled, since nothing is wrong with it."""

from typing import Any

from prefect import Flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.states import Cancelled

from infra.orchestration.interrupts import ENDING


def show_cancelled(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Show a run as Cancelled that its user ended, a hook of `on_crashed`: Prefect knows crashes only."""
    if "interrupt signal" not in (state.message or "") and not ENDING.is_set():
        return
    message = f"{flow.name}: stopped by its user; nothing that was finished is lost, the same call goes on"
    with get_client(sync_client=True) as client:
        client.set_flow_run_state(flow_run.id, Cancelled(message=message), force=True)
