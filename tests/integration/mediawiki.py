"""A real MediaWiki on loopback: Debian's package, PHP's own web server, SQLite."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration.conftest import starting_servers

CODE = Path("/usr/share/mediawiki")
PACKAGES = ("mediawiki", "php-cli", "php-sqlite3")
INSTALL_SECONDS = 240


@dataclass(frozen=True, slots=True)
class Wiki:
    """A running wiki; `api` is the address of its api.php."""

    api: str
    settings: Path

    def edit(self, title: str, text: str) -> None:
        """Write a page."""
        self._maintain("edit.php", "--user", "Keeper", "--summary", "test", title, text=text)

    def delete(self, title: str) -> None:
        """Delete a page."""
        self._maintain("deleteBatch.php", "-u", "Keeper", "-r", "test", text=f"{title}\n")

    def _maintain(self, script: str, *arguments: str, text: str) -> None:
        _run("php", str(CODE / "maintenance" / script), *arguments, text=text, MW_CONFIG_FILE=str(self.settings))


def require_mediawiki() -> None:
    """Install the packages where that is allowed; else skip the test and say why."""
    with (Path(tempfile.gettempdir()) / "fabula-mediawiki.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one at a time: several test processes may want them
        if _is_installed():
            return
        if os.getuid() != 0 or shutil.which("apt-get") is None:
            pytest.skip(f"no MediaWiki, and no right to install it: apt-get install {' '.join(PACKAGES)}")
        options = ("-o", f"DPkg::Lock::Timeout={INSTALL_SECONDS}", "-y", "-qq", "--no-install-recommends")
        try:
            subprocess.run(["apt-get", "update", "-qq"], capture_output=True, timeout=INSTALL_SECONDS, check=False)
            _run("apt-get", "install", *options, *PACKAGES, timeout=INSTALL_SECONDS, DEBIAN_FRONTEND="noninteractive")
        except (AssertionError, subprocess.TimeoutExpired) as error:
            pytest.skip(f"MediaWiki could not be installed: {error}")
        if not _is_installed():
            pytest.skip("MediaWiki's packages are installed, and php finds no SQLite or no wiki")


@contextmanager
def running_wiki(folder: Path, port: int) -> Iterator[Wiki]:
    """Set a wiki up in `folder` and serve it on `port` inside the block."""
    _run(
        "php", str(CODE / "maintenance" / "install.php"), "--dbtype=sqlite", f"--dbpath={folder}/db", "--dbname=tales",
        f"--confpath={folder}", "--pass=only-for-this-test", f"--server=http://127.0.0.1:{port}", "--scriptpath=",
        "Tales", "Keeper",
    )  # fmt: skip
    settings = folder / "LocalSettings.php"
    with settings.open("a") as lines:
        lines.write('$wgRightsUrl = "https://creativecommons.org/licenses/by-sa/4.0/";\n$wgRightsText = "CC BY-SA 4.0";\n')
        lines.write("$wgJobRunRate = 0;\n")
    php = shutil.which("php") or "php"
    with starting_servers(os.environ | {"MW_CONFIG_FILE": str(settings)}, folder) as start:
        start(php, "-S", f"127.0.0.1:{port}", "-t", str(CODE), port=port)
        yield Wiki(f"http://127.0.0.1:{port}/api.php", settings)


def _is_installed() -> bool:
    if not (CODE / "api.php").is_file() or shutil.which("php") is None:
        return False
    modules = subprocess.run(["php", "-m"], capture_output=True, text=True, timeout=60, check=False).stdout
    return "pdo_sqlite" in modules


def _run(*command: str, text: str = "", timeout: float = 120, **environment: str) -> None:
    ended = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=timeout, env=os.environ | environment, check=False
    )
    assert ended.returncode == 0, f"{' '.join(command[:3])}: {(ended.stdout + ended.stderr)[-500:]}"
