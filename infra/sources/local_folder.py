"""Lists a folder of this machine. Links within it are followed; what is no regular file is named and never opened."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.dataset.units import SourceFile
from infra.named_files import find_kind

MAX_LINKED = 1000
"""Folders that are entered by links; folders full of links to each other would otherwise be listed without an end."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder on the way down: its place, its path below the root, its number on the disk, and the folder above it."""

    place: str
    path: str
    number: tuple[int, int]
    above: "_Folder | None"


def list_local(root: str, follows: bool = False) -> Iterator[SourceFile]:
    """Yield everything below a folder that is no folder; a link has the size and version of what it points to.

    A link that leads back to a folder that it lies in is yielded with a fault, and not followed. So is one that leaves `root`,
    unless `follows`. A folder that cannot be listed is an OSError.
    """
    linked = 0
    waiting = [_Folder(root, "", _number(Path(root).stat()), None)]
    while waiting:
        folder = waiting.pop()
        with os.scandir(folder.place) as entries:
            for entry in entries:
                path = f"{folder.path}{entry.name}"
                try:
                    info = entry.stat(follow_symlinks=False)
                    if entry.is_symlink():
                        info = Path(entry.path).stat()
                except FileNotFoundError:
                    if entry.is_symlink():
                        yield SourceFile(path, 0, "broken link")
                    continue  # it vanished just now
                except OSError:  # a link to itself, or to what may not be looked at
                    yield SourceFile(path, 0, "broken link")
                    continue
                if kind := _describe_kind(path, info):
                    yield SourceFile(path, 0, str(info.st_mtime), fault=kind)
                    continue
                if entry.is_symlink() and not follows and (fault := _find_way_out(path, entry.path, root)):
                    yield SourceFile(path, 0, fault, fault=fault)
                    continue
                if not stat.S_ISDIR(info.st_mode):
                    yield SourceFile(path, info.st_size, str(info.st_mtime))
                    continue
                below = _Folder(entry.path, f"{path}/", _number(info), folder)
                if entry.is_symlink():
                    linked += 1
                    if fault := _find_loop(path, below, linked):
                        yield SourceFile(path, 0, fault, fault=fault)
                        continue
                waiting.append(below)


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


def _find_loop(path: str, folder: _Folder, linked: int) -> str:
    above = folder.above
    while above is not None:
        if above.number == folder.number:
            target = above.path.rstrip("/") or "the source itself"
            return f"{path} is a link to a folder that it lies in ({target}): it goes in circles; remove the link"
        above = above.above
    if linked > MAX_LINKED:
        return f"{path} is one of more than {MAX_LINKED:,} links to folders; expected fewer: put the folders themselves there"
    return ""


def _number(info: os.stat_result) -> tuple[int, int]:
    return info.st_dev, info.st_ino
