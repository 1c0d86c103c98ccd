"""`fabula rank rooms` as a user calls it, in this process."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError
from flows.cli.rooms import rank


def test_an_order_that_is_not_known_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--order best: expected useful or likely"):
        CliRunner().invoke(rank, ["--order", "best", "--store", str(tmp_path)], catch_exceptions=False)
