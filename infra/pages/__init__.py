"""Pages that fabula serves on this machine or puts into releases: their files, and the small server behind them."""

from functools import cache
from importlib import resources
from pathlib import PurePosixPath


@cache
def read_asset(path: str) -> bytes:
    """Return a file of `infra/pages` by its path there: `common.css`, `report/report.js`."""
    return resources.files("infra").joinpath("pages", *PurePosixPath(path).parts).read_bytes()
