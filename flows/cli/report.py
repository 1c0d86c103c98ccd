"""The subcommand that shows a release in a browser."""

from typing import Annotated

import typer

from flows.cli.options import DEFAULT_STORE, StoreOption, TakenDownOption
from flows.cli.pages import show_site
from flows.cli.releases import DatasetArgument, VersionOption


def report(
    dataset: DatasetArgument,
    store: StoreOption = DEFAULT_STORE,
    version: VersionOption = None,
    with_taken_down: TakenDownOption = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of 127.0.0.1; 0: any that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser of this machine.")] = True,
) -> None:
    """Show the report of a release in a browser: figures, what was left out and why, every row with its dialogue. Ctrl-C ends it.

    The page is served to this machine only.

    Example: fabula report transcripts --store ./fabula-store
    """
    from infra.store.objects import Store
    from tasks.frame.taken_down import refuse_taken_down
    from tasks.store.report_site import make_report_site

    refuse_taken_down(Store(store), dataset, version, with_taken_down)
    site = make_report_site(Store(store), dataset, version)
    show_site(site, port, browser, "Ctrl-C ends it.")
