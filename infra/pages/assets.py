"""The files of fabula's pages, which are data of this package: HTML, CSS, JavaScript."""

from functools import cache
from importlib import resources
from pathlib import PurePosixPath

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".gz": "application/gzip",  # of chunks: the page unpacks them itself, as it must where no server says how they are packed
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""Media type by the end of a file's name."""


@cache
def read_asset(path: str) -> bytes:
    """Return a file of `infra/pages` by its path there: `common.css`, `report/report.js`."""
    return resources.files("infra").joinpath("pages", *PurePosixPath(path).parts).read_bytes()


def find_media_type(path: str) -> str:
    """Return the media type of a file by its name, `application/octet-stream` where it is not one of a page."""
    return MEDIA_TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")
