"""The store: objects under one fsspec URL, written whole or not at all.

A reader never sees half an object: on a local disk it is written beside its place and renamed; elsewhere the backend puts a
whole object to its key. Nothing rests on conditional writes: keys name their content or their inputs, and pointers come last.
"""

import hashlib
import json
import logging
import math
import os
import re
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from pydantic import TypeAdapter, ValidationError

from core.credentials import refuse_credentials
from core.errors import ConfigError, DamagedObjectError, StoreError
from infra.store.filesystems import backend_errors, bound_wait, explain, is_bucket_missing, open_filesystem, telling

Value = TypeVar("Value")
logger = logging.getLogger(__name__)

LOCAL_TEMPORARY = ".writing-"  # prefix of files that are being written on a local disk; listings leave them out
_SEAL = re.compile(rb',\s*"seal": "([^"]*)"\s*\}\s*$')


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object in the store: its key, size in bytes and SHA-256 (64 hexadecimal digits)."""

    key: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ListedObject:
    """An object as a listing shows it: its key, size in bytes, and when it was last written (seconds since 1970, UTC).

    `modified` is infinite where the backend does not say: such an object is never old.
    """

    key: str
    size: int
    modified: float


def encode_json(value: object) -> bytes:
    """Return a value as readable JSON, keys in the given order."""
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def seal_json(content: bytes) -> bytes:
    """Return a JSON object with its seal: a last member with the SHA-256 of all before it, so that one changed bit is seen.

    A reader that knows nothing of it finds one member more. Somebody who edits such an object by hand removes the member. Other
    values, and an object without members, come back as they are.
    """
    body = content.rstrip()
    if not body.startswith(b"{") or body == b"{}":
        return content
    body = body[:-1].rstrip()
    return body + b',\n "seal": "' + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'


def open_seal(content: bytes) -> bytes:
    """Return the JSON without its seal; what has none comes back as it is. ValueError where the seal is not of this content."""
    match = _SEAL.search(content)
    if match is None:
        return content
    body = content[: match.start()]
    if hashlib.sha256(body).hexdigest().encode() != match[1]:
        raise ValueError("its seal is not of this content: it was damaged, or edited by hand without removing the member `seal`")
    return body + b"\n}\n"


def describe_damage(error: Exception) -> str:
    """Return in one line why an object cannot be what was written."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{place}: {first['msg']}" if place else first["msg"]
    return " ".join(str(error).split())[:200]


def _modified(info: dict[str, Any]) -> float:
    time = next((info[name] for name in ("mtime", "LastModified", "last_modified", "created") if info.get(name)), math.inf)
    return time.timestamp() if isinstance(time, datetime) else float(time)


def _find_local(place: str) -> dict[str, dict[str, Any]]:
    """Return size and time of every file below a local folder, by path; what cannot be listed is an OSError, as not in fsspec."""

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # such as a takedown list of another account, which would seem empty
            raise error

    found = {}
    for folder, _, names in os.walk(place, onerror=refuse):
        for path in (Path(folder, name) for name in names):
            with suppress(FileNotFoundError):
                info = path.stat() if path.exists() else path.lstat()  # the latter: a link to nothing
                found[str(path)] = {"size": info.st_size, "mtime": info.st_mtime}
    return found


class ObjectWriter:
    """A stream that counts and hashes what is written to it: `stored` is complete once the block that gave the stream ends."""

    closed = False

    def __init__(self, key: str, stream: IO[bytes]) -> None:
        self._key = key
        self._stream = stream
        self._hash = hashlib.sha256()
        self._size = 0

    def write(self, content: bytes) -> int:
        """Append `content`."""
        self._hash.update(content)
        self._size += len(content)
        return self._stream.write(content)

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._size

    def flush(self) -> None:
        """Do nothing: the bytes count when the object is whole."""

    @property
    def stored(self) -> StoredObject:
        """The object, as far as it was written."""
        return StoredObject(self._key, self._size, self._hash.hexdigest())


class Store:
    """Objects by key under `url`; keys are relative and use `/`."""

    def __init__(self, url: str) -> None:
        """Open the store at `url`; nothing is created until the first write."""
        if "::" in url:
            raise ConfigError(f"store {url}: '::' names a file within another one; expected a folder or one URL")
        if not url:  # it would mean the folder that the process happens to work in
            raise ConfigError("no store is named; is the environment variable unset that it was to come from (FABULA_STORE)?")
        refuse_credentials(url, "store")
        try:
            self._fs, root = open_filesystem(url)
        except (ImportError, ValueError) as error:
            raise ConfigError(f"store {url}: {error}; expected a folder or an fsspec URL such as s3://bucket/prefix") from error
        self._root = root.rstrip("/")
        self._errors = backend_errors(self._fs)
        self._local = isinstance(self._fs, LocalFileSystem)
        if not self._local and not {"*", "?", "["}.isdisjoint(root):
            raise ConfigError(f"store {url}: '*', '?' and '[' are patterns to a remote backend; give a prefix without them")
        self.url: str = self._root if self._local else self._fs.unstrip_protocol(self._root)
        self._bound = bound_wait(self._fs)
        self._told: set[tuple[str, str]] = set()

    def locate(self, key: str) -> str:
        """Return the path or URL at which another program finds the object."""
        return f"{self.url}/{key}"

    def read(self, key: str) -> bytes:
        """Return an object's bytes."""
        with self._reported("read", key):
            return cast(bytes, self._fs.cat_file(self._path(key), **self._bound))

    def read_if_there(self, key: str) -> tuple[bytes, str] | None:
        """Return an object's bytes and their SHA-256, or None where there is no such object."""
        try:
            content = self.read(key)
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None
            raise
        return content, hashlib.sha256(content).hexdigest()

    def read_all(self, keys: Collection[str]) -> dict[str, bytes]:
        """Return the bytes of several objects by key, without those that are gone meanwhile."""
        if not keys:
            return {}
        with self._reported("read", min(keys)):
            # Not `cat`: it would take a store's folder such as `tales [1]` for a pattern.
            found = self._fs.cat_ranges([self._path(key) for key in keys], None, None, on_error="return", **self._bound)
        contents = {}
        for key, content in zip(keys, found, strict=True):
            if isinstance(content, FileNotFoundError):
                continue
            with self._reported("read", key):
                if isinstance(content, Exception):
                    raise content
            contents[key] = content
        return contents

    def read_json(self, key: str) -> Any:
        """Return the value of a JSON object; DamagedObjectError where it is not the JSON that was written."""
        return self._parse(key, self.read(key))

    def read_all_json(self, keys: Collection[str]) -> dict[str, Any]:
        """Return the values of several JSON objects by key, without those that are gone meanwhile; errors as in `read_json`."""
        return {key: self._parse(key, content) for key, content in self.read_all(keys).items()}

    def write(self, key: str, content: bytes) -> StoredObject:
        """Put `content` at `key`, whole or not at all."""
        with self.writing(key) as writer:
            writer.write(content)
        return writer.stored

    def write_json(self, key: str, value: object) -> StoredObject:
        """Put a value as readable JSON, keys in the given order; an object gets a seal (`seal_json`)."""
        return self.write(key, seal_json(encode_json(value)))

    def read_derived(self, key: str, shape: TypeAdapter[Value], outcome: str | None = "it is made anew") -> Value | None:
        """Return the value of a JSON object that a run can make anew; None where there is none, or where it is damaged.

        A warning names a damaged object and the `outcome` (None: no warning), once for each opened store. The caller goes on as
        if it was missing.
        """
        found = self.read_if_there(key)
        if found is None:
            return None
        try:
            return shape.validate_json(open_seal(found[0]))
        except ValueError as error:
            if outcome is not None:
                self.tell_damage(key, describe_damage(error), outcome)
            return None

    def tell_damage(self, key: str, found: object, outcome: str = "it is made anew") -> None:
        """Warn that an object is damaged and what happens now; an opened store says the same of an object once."""
        said = str(found)
        if (key, said) not in self._told:
            self._told.add((key, said))
            logger.warning("store %s: %s is damaged (%s); %s", self.url, key, said, outcome)

    def exists(self, key: str) -> bool:
        """Tell whether an object stands at `key`."""
        with self._reported("look up", key):
            return bool(self._fs.exists(self._path(key), **self._bound))

    def delete(self, key: str) -> None:
        """Remove an object if it is there."""
        with self._reported("delete", key), suppress(FileNotFoundError):  # another run may have removed it just now
            self._fs.rm_file(self._path(key))

    def list_keys(self, prefix: str) -> list[str]:
        """Return the keys of all objects under the folder `prefix`, sorted."""
        return [listed.key for listed in self.list_objects(prefix)]

    def list_objects(self, prefix: str, temporary: bool = False) -> list[ListedObject]:
        """Return all objects under the folder `prefix` by key, with size and time; `temporary`: half-written files instead."""
        with self._reported("list", prefix):
            if self._local:
                found = _find_local(self._path(prefix))
            else:
                there = self._fs.exists(self._path(prefix), **self._bound)
                found = self._fs.find(self._path(prefix), detail=True, **self._bound) if there else {}
        return sorted(
            (
                ListedObject(path[len(self._root) + 1 :], int(info["size"] or 0), _modified(info))
                for path, info in found.items()
                if path.rsplit("/", 1)[-1].startswith(LOCAL_TEMPORARY) == temporary
            ),
            key=lambda listed: listed.key,
        )

    def list_folders(self, prefix: str) -> list[str]:
        """Return the names of the folders directly under the folder `prefix`, sorted."""
        found: list[dict[str, Any]] = []
        with self._reported("list", prefix), suppress(FileNotFoundError) if self._local else nullcontext():
            if self._local or self._fs.exists(self._path(prefix), **self._bound):
                found = self._fs.ls(self._path(prefix), detail=True, **self._bound)
        return sorted(info["name"].rstrip("/").rsplit("/", 1)[-1] for info in found if info["type"] == "directory")

    def delete_all(self, keys: Collection[str]) -> None:
        """Remove objects that may be gone already, in few requests; on a local disk folders that have become empty go too."""
        if not keys:
            return
        paths = [self._path(key) for key in keys]
        with self._reported("delete", min(keys)), suppress(FileNotFoundError):
            if not self._local:
                self._fs.rm(paths)
                return
            for path in paths:
                Path(path).unlink(missing_ok=True)
            for folder in {Path(path).parent for path in paths}:
                with suppress(OSError):  # it is not empty
                    while folder != Path(self._root):
                        folder.rmdir()
                        folder = folder.parent

    @contextmanager
    def reading(self, key: str) -> Iterator[IO[bytes]]:
        """Give a stream over an object, for readers that need only parts of it."""
        with self._reported("read", key), self._fs.open(self._path(key), "rb") as stream:
            yield stream

    def hash(self, key: str) -> tuple[str, int]:
        """Return an object's SHA-256 (64 hexadecimal digits) and its size in bytes."""
        with self.reading(key) as stream:
            digest = hashlib.file_digest(cast(Any, stream), "sha256").hexdigest()
            return digest, stream.seek(0, os.SEEK_END)

    @contextmanager
    def writing(self, key: str) -> Iterator[ObjectWriter]:
        """Give a stream whose bytes become the object at `key` when the block ends without an error."""
        path = self._path(key)
        with self._reported("write", key):
            if not self._local:
                stream = self._fs.open(path, "wb")
                try:
                    yield ObjectWriter(key, stream)
                    stream.close()
                except BaseException:
                    self._discard(stream, path)
                    raise
                return
            beside = Path(path).parent / f"{LOCAL_TEMPORARY}{uuid.uuid4().hex}"
            beside.parent.mkdir(parents=True, exist_ok=True)
            try:
                with beside.open("wb") as local:
                    yield ObjectWriter(key, cast(IO[bytes], local))
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)

    def _discard(self, stream: Any, path: str) -> None:
        stream.discard()
        if isinstance(self._fs, MemoryFileSystem):
            self._fs.rm_file(path)  # it stands there from the start
        else:
            stream.closed = True  # or its finaliser tries to upload what was given up

    def _parse(self, key: str, content: bytes) -> Any:
        try:
            return json.loads(open_seal(content))
        except ValueError as error:
            found = f"{key} is not the JSON that was written ({error})"
            raise DamagedObjectError(f"store {self.url}: {found}; remove it or restore it from a backup") from error

    def _path(self, key: str) -> str:
        if key.startswith("/") or ".." in key.split("/"):
            raise StoreError(f"store key {key!r} leaves the store; keys are relative and have no '..'")
        return f"{self._root}/{key}" if key else self._root

    @contextmanager
    def _reported(self, action: str, key: str) -> Iterator[None]:
        try:
            with telling(f"{action} {self.url}/{key}") if self._fs.async_impl else nullcontext():
                yield
        except FileNotFoundError as error:
            if is_bucket_missing(error):
                raise StoreError(f"store {self.url}: this bucket does not exist; make it, or correct the store's URL") from error
            again = "; the next run that needs it computes it again" if key.startswith("artifacts/") else ""
            raise StoreError(f"store {self.url}: no object {key}: it was removed, or never written{again}") from error
        except self._errors as error:
            failed = f"could not {action} {key}: {explain(error)}"
            raise StoreError(f"store {self.url}: {failed}; check space, permissions and network") from error
