"""S3 with a limit on every wait; and buckets, which must exist before anything is written under them.

botocore limits only the time without a byte, and fsspec only single calls, not streams. Here a server that sends a
byte now and then is given up too, even in the middle of a stream.
"""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError
from fsspec.asyn import sync_wrapper
from s3fs import S3FileSystem

from core.errors import StoreError

Answer = TypeVar("Answer")


class PatientS3(S3FileSystem):  # type: ignore[misc]  # s3fs has no types
    """S3FileSystem whose requests, and whose reads of a reply's body, end after `most_seconds` with an OSError."""

    most_seconds = 900.0

    async def _call_s3(self, method: str, *arguments: Any, **options: Any) -> Any:
        what = f"{method} {options.get('Bucket', '')}/{options.get('Key', options.get('Prefix', ''))}".rstrip("/")
        answer = await _in_time(super()._call_s3(method, *arguments, **options), self.most_seconds, what)
        if isinstance(answer, dict) and hasattr(answer.get("Body"), "read"):
            answer["Body"] = _TimedBody(answer["Body"], self.most_seconds, what)
        return answer

    call_s3 = sync_wrapper(_call_s3)


class _TimedBody:
    """The body of a reply, each read of which has an end."""

    def __init__(self, body: Any, most_seconds: float, what: str) -> None:
        self._body = body
        self._most_seconds = most_seconds
        self._what = what

    async def read(self, *arguments: Any) -> bytes:
        """Read as the body does."""
        return await _in_time(self._body.read(*arguments), self._most_seconds, self._what)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._body, name)


async def _in_time(call: Awaitable[Answer], seconds: float, what: str) -> Answer:
    try:
        return await asyncio.wait_for(call, seconds)
    except TimeoutError as error:
        if str(error):  # a shorter limit, of a library
            raise
        # No TimeoutError: s3fs would ask again, five times.
        raise OSError(f"{what}: the reply had no end after {seconds:.0f} s") from error


def name_buckets(urls: Iterable[str]) -> list[str]:
    """Return the buckets that some URLs lie in, sorted and each once; folders and other protocols have none."""
    return sorted({url.removeprefix("s3://").split("/")[0] for url in urls if url.startswith("s3://")})


def make_bucket(name: str) -> bool:
    """Make a bucket at the S3 server that the environment names (AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, …); False if it is there.

    StoreError where the server is not reached, refuses the keys, or the bucket is somebody else's.
    """
    storage = PatientS3(skip_instance_cache=True)  # the environment may have changed
    try:
        try:
            # Not `exists`, which lists all buckets: the keys may be for one bucket, and an empty bucket may look missing.
            storage.call_s3("head_bucket", Bucket=name)
        except FileNotFoundError:
            storage.mkdir(name, create_parents=True)
        else:
            return False
    except FileExistsError:  # another call was faster
        return False
    except (OSError, BotoCoreError) as error:
        remedy = "check AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or make the bucket by hand"
        raise StoreError(f"bucket {name}: {error}; {remedy}") from error
    return True
