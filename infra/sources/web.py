"""Reads directory listings of web servers: the files below an address, without other links of the pages."""

from urllib.parse import unquote, urljoin, urlsplit

from fsspec import AbstractFileSystem

from infra.sources.robots import Robots

MAX_DEPTH = 32
"""Depth of nested folders. A server that answers every address with the same page would otherwise be followed for ever."""


def list_below(filesystem: AbstractFileSystem, root: str, robots: Robots) -> list[str]:
    """Return the addresses of all files below `root`, sorted.

    Links with a query, links out of `root`, and what the server's robots.txt forbids are left out.

    Raises:
        OSError, aiohttp.ClientError: a folder could not be listed, or folders are nested too deep.
    """
    files: set[str] = set()
    seen = {f"{root}/"}
    waiting = [f"{root}/"]
    while waiting:
        folder = waiting.pop()
        robots.wait()
        for link in filesystem.ls(folder, detail=False):
            address = _resolve(link, root)
            if address is None or address in seen or not robots.allows(address):
                continue
            if not address.endswith("/"):
                files.add(address)
                continue
            if address.count("/", len(root)) > MAX_DEPTH:
                raise OSError(
                    f"{address}: folders are nested more than {MAX_DEPTH} deep; check that not every address shows the same page"
                )
            seen.add(address)
            waiting.append(address)
    return sorted(files)


def _resolve(link: str, root: str) -> str | None:
    """Return a link without `.` and `..`, with the scheme of `root`; None if it leads out of `root` or has a query."""
    if {"?", "#"} & set(link):
        return None
    address = urljoin(f"{root}/", urlsplit(link).path)
    # A server would treat an encoded `..` as `..`.
    outside = not address.startswith(f"{root}/") or ".." in unquote(address).split("/")
    return None if outside else address
