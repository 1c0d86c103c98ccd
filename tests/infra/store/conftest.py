"""An empty store on a disk."""

from pathlib import Path

import pytest

from infra.store.objects import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))
