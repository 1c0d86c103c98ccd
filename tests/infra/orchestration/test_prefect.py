"""Whether Prefect's server can keep its records is said before it is started."""

import errno
import os
from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.orchestration import prefect
from infra.orchestration.prefect import check_home, find_home


def test_a_folder_with_room_is_made_and_a_file_in_its_place_is_told(tmp_path: Path) -> None:
    check_home(tmp_path / "new" / "home", "")
    assert list((tmp_path / "new" / "home").iterdir()) == []
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "home"):
        with pytest.raises(ConfigError, match=rf"^{place}: .* expected a folder that can be written, .* Name another$"):
            check_home(place, "Name another")


def test_a_disk_without_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = os.statvfs(tmp_path)
    monkeypatch.setattr(prefect, "NEEDED_BYTES", 2 * disk.f_blocks * disk.f_frsize)
    with pytest.raises(ConfigError, match=r"No space left on device|File too large") as refused:
        check_home(tmp_path, "")
    assert isinstance(refused.value.__cause__, OSError)
    assert refused.value.__cause__.errno in (errno.ENOSPC, errno.EFBIG)
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_may_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prefect.db").touch()
    # Root may write everything: what the system answers to everybody else.
    monkeypatch.setattr(os, "access", lambda path, mode: not (str(path).endswith("prefect.db") and mode == os.W_OK))
    with pytest.raises(ConfigError, match="it may not be written"):
        check_home(tmp_path, "")


def test_the_home_is_prefects_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_HOME", "~/elsewhere")
    assert find_home() == Path.home() / "elsewhere"
    monkeypatch.delenv("PREFECT_HOME")
    assert find_home() == Path.home() / ".prefect"
