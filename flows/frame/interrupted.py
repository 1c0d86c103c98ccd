"""A run that Ctrl-C has stopped, in the UI: Cancelled, since nothing is wrong with it."""

from typing import Any

from prefect import Flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.states import Cancelled


def show_cancelled(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Show a run as Cancelled that an interrupt ended, a hook of `on_crashed`: Prefect knows crashes only."""
    if "interrupt signal" not in (state.message or ""):
        return
    message = f"{flow.name}: stopped by Ctrl-C; nothing that was finished is lost, the same call goes on"
    with get_client(sync_client=True) as client:
        client.set_flow_run_state(flow_run.id, Cancelled(message=message), force=True)
