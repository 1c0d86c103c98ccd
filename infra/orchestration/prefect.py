"""Prefect: settings that make an embedded run keep every record, applied before Prefect is first imported."""

import os

EMBEDDED_SETTINGS = {
    # The embedded server ends with the process; records that wait for a larger batch would be lost (38 of 200 survived).
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    # What a server that is killed has not yet written is lost: at most this many seconds of it.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    # No call to the network, and no "database is locked" traceback from it.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # A unit's own log lines reach its task run without Prefect in core.
    "PREFECT_LOGGING_EXTRA_LOGGERS": "flows,tasks,core,infra",
}

JOB_ENVIRONMENT = {name: EMBEDDED_SETTINGS[name] for name in ("PREFECT_LOGGING_EXTRA_LOGGERS",)}
"""What a worker needs, and the processes of deployed runs by it; there the server is another process."""


def prepare_prefect(quiet: bool) -> None:
    """Set what an embedded run needs, leaving what the user has set; `quiet` keeps Prefect's own lines off the terminal.

    Call it before `prefect` is imported: Prefect reads its environment once.
    """
    for name, value in EMBEDDED_SETTINGS.items():
        os.environ.setdefault(name, value)
    if quiet:
        # The records still go to the server; only the console handler is turned down.
        os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
