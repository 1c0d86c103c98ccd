"""Directory listings of web servers: the files below one address, whatever else their pages link to."""

from urllib.parse import unquote, urljoin, urlsplit

from fsspec import AbstractFileSystem

MAX_DEPTH = 32
"""Folders within each other. A server that answers every address with the same page would be followed for ever."""


def list_below(filesystem: AbstractFileSystem, root: str) -> list[str]:
    """Return the addresses of all files below `root`, sorted. Links with a query and links that lead out of it do not count.

    Raises:
        OSError, aiohttp.ClientError: a folder could not be listed, or folders go too deep.
    """
    files: set[str] = set()
    seen = {f"{root}/"}
    waiting = [f"{root}/"]
    while waiting:
        folder = waiting.pop()
        for link in filesystem.ls(folder, detail=False):
            address = _resolve(link, root)
            if address is None or address in seen:
                continue
            if not address.endswith("/"):
                files.add(address)
                continue
            if address.count("/", len(root)) > MAX_DEPTH:
                raise OSError(
                    f"{address}: more than {MAX_DEPTH} folders within each other; does every address show the same page?"
                )
            seen.add(address)
            waiting.append(address)
    return sorted(files)


def _resolve(link: str, root: str) -> str | None:
    """Return a link without `.` and `..`, by the root's own scheme; None where it leads out of the root or has a query."""
    if {"?", "#"} & set(link):
        return None
    address = urljoin(f"{root}/", urlsplit(link).path)
    # An encoded `..` would be taken for one when it is asked for.
    outside = not address.startswith(f"{root}/") or ".." in unquote(address).split("/")
    return None if outside else address
