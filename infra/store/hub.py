"""Dataset repositories of the Hugging Face Hub: what they hold, and one commit that makes them hold a release.

The token comes from the environment (HF_TOKEN), the server too (HF_ENDPOINT), as with every other program that uses the Hub.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import ConfigError, StoreError

TOKEN = "HF_TOKEN"
_URL = re.compile(r"hf://datasets/([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)/?")
_REFUSED = (401, 403)
_PLAIN = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
"""Files go to the Hub by HTTP, which proxies let through and a test server can play; whoever sets these decides otherwise."""


def is_hub_url(url: str) -> bool:
    """Tell whether a URL names something on the Hub."""
    return url.startswith("hf://")


class HubRepository:
    """A dataset repository: `hf://datasets/USER/NAME`."""

    def __init__(self, url: str) -> None:
        """Open it; nothing is asked of the server yet."""
        named = _URL.fullmatch(url)
        if named is None:
            raise ConfigError(f"{url} names no dataset of the Hub; expected hf://datasets/USER/NAME")
        token = os.environ.get(TOKEN, "").strip()
        if not token:
            raise ConfigError(f"{TOKEN} is not set; make a token that may write at https://huggingface.co/settings/tokens")
        os.environ.update({name: value for name, value in _PLAIN.items() if name not in os.environ})
        try:
            from huggingface_hub import HfApi
        except ModuleNotFoundError as error:
            raise ConfigError("publishing to the Hub needs an extra: pip install 'fabula[hub]'") from error
        self.name = named[1]
        self._token = token
        self._api: Any = HfApi(token=token, library_name="fabula")
        self.url = f"{self._api.endpoint}/datasets/{self.name}"

    def create(self) -> None:
        """Make the repository where it is not there. It is private: whoever owns it decides who may read it."""
        with self._reported():
            self._api.create_repo(self.name, repo_type="dataset", private=True, exist_ok=True)

    def list_files(self) -> dict[str, str]:
        """Return the checksums of the repository's files by path: SHA-256 of large ones, Git's of others."""
        with self._reported():
            entries = self._api.list_repo_tree(self.name, repo_type="dataset", recursive=True)
            return {
                entry.path: entry.lfs.sha256 if entry.lfs is not None else entry.blob_id
                for entry in entries
                if hasattr(entry, "blob_id")
            }

    def commit(self, files: Mapping[str, Path], removed: Sequence[str], message: str) -> str:
        """Put files into the repository, and take others out, in one commit, and return its address; what broke off goes on."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        operations = [CommitOperationAdd(path, str(place)) for path, place in sorted(files.items())]
        with self._reported():
            done = self._api.create_commit(
                self.name,
                [*operations, *(CommitOperationDelete(path) for path in removed)],
                commit_message=message,
                repo_type="dataset",
            )
        return str(done.commit_url)

    def tag(self, name: str) -> None:
        """Give the latest commit a tag, if none has that name."""
        with self._reported():
            self._api.create_tag(self.name, tag=name, repo_type="dataset", exist_ok=True)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        from huggingface_hub.errors import HfHubHTTPError

        try:
            yield
        except HfHubHTTPError as error:
            status = error.response.status_code if error.response is not None else 0
            if status in _REFUSED:
                told = f"{self._api.endpoint} refuses the token of {TOKEN} for {self.name} (HTTP {status})"
                raise ConfigError(f"{told}; it needs the right to write to this dataset") from None  # the cause shows the request
            raise StoreError(f"{self.url}: {self._hide(error)}") from None
        except Exception as error:  # each HTTP library has its own errors, and some are wrapped
            raise StoreError(f"{self.url}: {self._hide(error)}. What has arrived is kept: the same call goes on") from None

    def _hide(self, error: BaseException) -> str:
        """Return on one line what went wrong and why, without the token."""
        causes = [error]
        while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and len(causes) < 4:
            causes.append(cause)
        told = "; ".join(" ".join(str(each).split()) or type(each).__name__ for each in causes)
        return told.replace(self._token, "…")[:500]


def has_checksum(place: Path, checksum: str) -> bool:
    """Tell whether a file has the checksum by which a repository names it: SHA-256, or Git's SHA-1 of a blob."""
    digest = hashlib.sha256() if len(checksum) == 64 else hashlib.sha1(b"blob %d\0" % place.stat().st_size, usedforsecurity=False)
    with place.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: digest).hexdigest() == checksum
