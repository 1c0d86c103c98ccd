"""A real browser: headless Chromium, which a test tells what to run in a page, over its DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

PATIENCE = 300.0
"""Seconds for one answer of the browser; a busy machine takes long, and nothing takes this long."""


class Browser:
    """One page of a running browser."""

    def __init__(self, connection: ClientConnection) -> None:
        """Speak to a page over its connection."""
        self._connection = connection
        self._number = 0
        self.faults: list[str] = []

    def open(self, url: str) -> None:
        """Show a page, and return when it has loaded."""
        self.call("Page.enable")
        self._send("Page.navigate", url=url)
        self._await(lambda message: message.get("method") == "Page.loadEventFired")

    def watch(self) -> None:
        """Keep in `faults` from now on what pages write to the console as errors: their own, refused files, failed requests."""
        self.call("Runtime.enable")
        self.call("Log.enable")

    def show_on(self, dark: bool, width: int, height: int = 860) -> None:
        """Be a screen of so many pixels from now on, in a dark or a light room; one below 500 is that of a phone."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def press(self, key: str) -> None:
        """Press and release a key: a letter, or a name such as `Escape`."""
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **(text if kind == "keyDown" else {}))

    def photograph(self, name: str) -> None:
        """Keep a picture of the page as it is on the screen in the folder FABULA_SCREENSHOTS, where there is one."""
        if folder := os.environ.get("FABULA_SCREENSHOTS"):
            picture = self.call("Page.captureScreenshot", format="png")["data"]
            (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(picture))

    def wait(self, script: str) -> Any:
        """Return what an expression of the page is once it is true."""
        deadline = time.monotonic() + 60
        # An element comes as an empty object: it is there, which is all that is asked.
        while not (found := self.run(f"const found = {script}; return found instanceof Node ? true : found")):
            assert time.monotonic() < deadline, f"{script} is not true: {self.run('return document.body.innerText')[:2000]}"
            time.sleep(0.05)
        return found

    def find_violations(self) -> list[str]:
        """Return what axe-core calls serious or critical in the page as it is."""
        self.call("Page.setBypassCSP", enabled=True)  # the page's policy lets nobody put a script into it
        axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        self.call("Runtime.evaluate", expression=axe)
        found = self.run("return JSON.stringify((await axe.run(document, {resultTypes: ['violations']})).violations)")
        return [
            f"{each['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
            for each in json.loads(found)
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]

    def run(self, script: str) -> Any:
        """Return what an asynchronous function's body returns in the page."""
        found = self.call("Runtime.evaluate", expression=f"(async () => {{{script}}})()", awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the browser's answer to a call of its protocol."""
        number = self._send(method, **parameters)
        answer = self._await(lambda message: message.get("id") == number)
        assert "error" not in answer, answer
        return dict(answer["result"])

    def _send(self, method: str, **parameters: Any) -> int:
        self._number += 1
        self._connection.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        return self._number

    def _await(self, wanted: Any) -> dict[str, Any]:
        while True:
            message = json.loads(self._connection.recv(timeout=PATIENCE))
            self._note(message)
            if wanted(message):
                return dict(message)

    def _note(self, message: dict[str, Any]) -> None:
        said = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.faults.append(json.dumps(said["exceptionDetails"])[:500])
        elif message.get("method") == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
            self.faults.append(json.dumps(said["args"])[:500])
        elif message.get("method") == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.faults.append(f"{said['entry']['text']} {said['entry'].get('url', '')}")


@contextmanager
def browsing(folder: Path, hosts: str = "") -> Iterator[Browser]:
    """Start Chromium with a profile of its own inside the block; skip the test where it is not installed.

    Args:
        folder: for the profile; there may be none yet.
        hosts: names that it resolves without DNS: `MAP evil.example 127.0.0.1`.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    # The last: a page of a public address may not reach loopback anyway. What is tested is what the server does.
    options = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-proxy-server",
        "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
    ]  # fmt: skip
    options += [f"--user-data-dir={folder}", f"--host-resolver-rules={hosts}"]
    options += ["--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests"]
    process = subprocess.Popen([program, *options, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:  # ends with the process, where it does not start
            lines.append(line)
            if "DevTools listening on ws://" in line:
                break
        else:
            raise AssertionError(f"Chromium has ended: {''.join(lines)[-2000:]}")
        port = line.split("ws://")[1].split("/")[0]
        with urlopen(f"http://{port}/json/list", timeout=PATIENCE) as answer:
            address = next(page["webSocketDebuggerUrl"] for page in json.load(answer) if page["type"] == "page")
        with connect(address, max_size=None, open_timeout=PATIENCE, compression=None) as connection:
            yield Browser(connection)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
