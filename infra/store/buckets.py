"""Buckets: the part of an S3 URL that must be there before anything is written under it."""

from collections.abc import Iterable
from typing import Any

from botocore.exceptions import BotoCoreError

from core.errors import StoreError
from infra.store.patient_s3 import PatientS3


def name_buckets(urls: Iterable[str]) -> list[str]:
    """Return the buckets that some URLs lie in, sorted and each once; folders and other protocols have none."""
    return sorted({url.removeprefix("s3://").split("/")[0] for url in urls if url.startswith("s3://")})


def make_bucket(name: str) -> bool:
    """Make a bucket at the S3 server that the environment names (AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, …); False if it is there.

    Raises:
        StoreError: the server is not reached, refuses the keys, or the bucket is somebody else's.
    """
    storage = PatientS3(skip_instance_cache=True)  # the environment may have changed
    try:
        if _is_there(storage, name):
            return False
        storage.mkdir(name, create_parents=True)
    except FileExistsError:  # another call was faster
        return False
    except (OSError, BotoCoreError) as error:
        raise StoreError(
            f"bucket {name}: {error}; expected an S3 server that lets these keys use or make it; check AWS_ENDPOINT_URL, "
            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or make the bucket by hand"
        ) from error
    return True


def _is_there(storage: Any, name: str) -> bool:
    try:
        # Not `exists`, which lists: keys for one bucket may not list all of them, and an empty one may look like none.
        storage.call_s3("head_bucket", Bucket=name)
    except FileNotFoundError:
        return False
    return True
