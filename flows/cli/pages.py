"""A page that this machine serves to itself, shown until Ctrl-C."""

import sys
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from infra.pages.server import Site


def show_site(site: "Site", port: int, browser: bool, ending: str) -> None:
    """Serve a site on a port of loopback (0: any that is free) until Ctrl-C; print its address, then `ending`.

    Raises:
        ConfigError: the port is taken.
    """
    from infra.pages.server import open_socket, serve_site

    with open_socket(port) as listening:
        listening.listen(128)  # the browser may ask before the server does
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/{site.home}"
        print(address, flush=True)
        print(ending, file=sys.stderr)
        if browser:
            typer.launch(address)
        serve_site(site, listening)
