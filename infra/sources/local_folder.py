"""Lists a folder of this machine. Links within it are followed; what is no regular file is named and never opened."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from core.dataset.units import SourceFile
from infra.named_files import find_kind

MAX_LINKED = 1000
"""Folders that are entered by links; folders full of links to each other would otherwise be listed without an end."""


def list_local(root: str, follows: bool = False) -> Iterator[SourceFile]:
    """Yield everything below a folder that is no folder; a link has the size and version of what it points to.

    A link that leads back to a folder that it lies in is yielded with a fault, and not followed. So is one that leaves `root`,
    unless `follows`. A folder that cannot be listed is an OSError.
    """
    linked = 0
    waiting = [(root, "", {_number(Path(root).stat()): ""})]  # a folder's place, its path below the root, and those above it
    while waiting:
        place, before, above = waiting.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                path = f"{before}{entry.name}"
                try:
                    info = entry.stat(follow_symlinks=False)
                    if entry.is_symlink():
                        info = Path(entry.path).stat()
                except OSError as error:  # a link to nothing, to itself, or to what may not be looked at
                    if entry.is_symlink() or not isinstance(error, FileNotFoundError):
                        yield SourceFile(path, 0, "broken link")
                    continue  # without a link: it vanished just now
                if kind := _describe_kind(path, info):
                    yield SourceFile(path, 0, str(info.st_mtime), fault=kind)
                    continue
                fault = _find_way_out(path, entry.path, root) if entry.is_symlink() and not follows else ""
                if entry.is_symlink() and stat.S_ISDIR(info.st_mode) and not fault:
                    linked += 1
                    fault = _find_loop(path, above.get(_number(info)), linked)
                if fault:
                    yield SourceFile(path, 0, fault, fault=fault)
                elif stat.S_ISDIR(info.st_mode):
                    waiting.append((entry.path, f"{path}/", {**above, _number(info): path}))
                else:
                    yield SourceFile(path, info.st_size, str(info.st_mtime))


def find_fault(path: str, place: str, root: str | None = None) -> str:
    """Return why the file at a place must not be opened, "" where it may be; `root` is a folder that its links must not leave."""
    return _describe_kind(path, Path(place).stat()) or ("" if root is None else _find_way_out(path, place, root))


def _find_way_out(path: str, place: str, root: str) -> str:
    """Return why a place is not read, if it lies outside of the folder `root` once links are followed; "" if it lies inside."""
    if Path(os.path.realpath(place)).is_relative_to(os.path.realpath(root)):
        return ""
    return (
        f"{path} is a link that leaves its source, and is not followed; put there what it leads to, or, where you trust whoever "
        f"can write there, name the source links+file://{Path(root).absolute()}"
    )


def _describe_kind(path: str, info: os.stat_result) -> str:
    kind = "" if stat.S_ISDIR(info.st_mode) else find_kind(info)
    return f"{path} is {kind}, and reading it could wait for ever; expected a regular file: put one in its place" if kind else ""


def _find_loop(path: str, target: str | None, linked: int) -> str:
    """Return why a link to a folder is not followed; `target` is the path of that folder where the link lies in it."""
    if target is not None:
        return (
            f"{path} is a link to a folder that it lies in ({target or 'the source itself'}): it goes in circles; remove the link"
        )
    if linked > MAX_LINKED:
        return f"{path} is one of more than {MAX_LINKED:,} links to folders; expected fewer: put the folders themselves there"
    return ""


def _number(info: os.stat_result) -> tuple[int, int]:
    return info.st_dev, info.st_ino
