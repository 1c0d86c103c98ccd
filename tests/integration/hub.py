"""A server that answers as the Hugging Face Hub does to what `huggingface_hub` asks when a dataset is published."""

import base64
import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.infra.sources.servers import Handler, serving


@dataclass
class Hub:
    """What the server holds: contents by SHA-256, a repository's files by path, its commits and tags; and what it was asked.

    It breaks off the uploads of which `broken` has the number, in the middle of the body. `reached` is set when one of them
    comes; those of `held` wait for `released`.
    """

    token: str
    url: str = ""
    contents: dict[str, bytes] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    large: set[str] = field(default_factory=set)
    commits: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    private: dict[str, bool] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    uploads: list[str] = field(default_factory=list)
    broken: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    reached: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def serving_hub(token: str) -> Iterator[Hub]:
    """Serve a Hub on a free port of this machine."""
    hub = Hub(token)
    with serving(type("_Served", (_Handler,), {"state": hub})) as hub.url:
        try:
            yield hub
        finally:
            hub.released.set()


class _Handler(Handler, BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Hub

    def say(self, value: Any, status: int = 200) -> None:
        self.answer(json.dumps(value).encode(), status, Content_Type="application/json")

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def allowed(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {self.state.token}":
            return True
        self.body()
        self.say({"error": "Invalid credentials in Authorization header"}, 401)
        return False

    def reply(self) -> None:
        hub = self.state
        if not self.allowed():
            return
        if "/tree/main" in self.path:
            hub.asked["tree"] += 1
            folders = {path.partition("/")[0] for path in hub.files if "/" in path} if "recursive=true" not in self.path else ()
            listed = [{"type": "directory", "path": path, "oid": "0", "size": 0} for path in sorted(folders)]
            self.say([*listed, *(self.describe(path, content) for path, content in sorted(hub.files.items()))])
            return
        _, _, name = self.path.partition("/resolve/main/")
        if name in hub.files:
            hub.asked["resolve"] += 1
            self.answer(hub.files[name], ETag=f'"{self.describe(name, hub.files[name])["oid"]}"', X_Repo_Commit="0" * 40)
            return
        if self.path == "/api/datasets/ada/letters":
            self.say({"id": "ada/letters", "sha": "0" * 40})
            return
        self.say({"error": f"no such place: {self.path}"}, 404)

    def describe(self, path: str, content: bytes) -> dict[str, Any]:
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        entry: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": blob}
        if path in self.state.large:
            entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
        return entry

    def do_POST(self) -> None:
        hub = self.state
        if not self.allowed():
            return
        content = self.body()
        name = self.path.split("?")[0]
        if name == "/api/repos/create":
            asked = json.loads(content)
            full = "/".join(filter(None, [asked.get("organization"), asked["name"]]))
            known = full in hub.private
            hub.private.setdefault(full, "private" in (asked.get("visibility"), asked.get("private") and "private"))
            url = f"{hub.url}/datasets/{full}"
            self.say({"url": url, "name": full, **({"error": "it is there"} if known else {})}, 409 if known else 200)
        elif name == "/api/validate-yaml":
            hub.asked["yaml"] += 1
            self.say({"errors": [], "warnings": []})
        elif "/preupload/" in name:
            files = json.loads(content)["files"]
            modes = {True: "lfs", False: "regular"}
            told = [{"path": file["path"], "uploadMode": modes[file["path"].endswith(".parquet")]} for file in files]
            self.say({"files": [each | {"shouldIgnore": False} for each in told]})
        elif name.endswith("/info/lfs/objects/batch"):
            asked = json.loads(content)
            objects = [
                {"oid": each["oid"], "size": each["size"]}
                | ({} if each["oid"] in hub.contents else {"actions": {"upload": {"href": f"{hub.url}/lfs/{each['oid']}"}}})
                for each in asked["objects"]
            ]
            self.say({"transfer": "basic", "objects": objects})
        elif "/commit/main" in name:
            self.commit([json.loads(line) for line in content.splitlines()])
        elif "/tag/main" in name:
            tag = json.loads(content)["tag"]
            known = tag in hub.tags
            hub.tags += [] if known else [tag]
            self.say({}, 409 if known else 200)
        else:
            self.say({"error": f"no such place: {self.path}"}, 404)

    def commit(self, lines: list[dict[str, Any]]) -> None:
        hub = self.state
        for line in lines:
            value = line["value"]
            match line["key"]:
                case "header":
                    hub.commits.append(value["summary"])
                case "file":
                    hub.files[value["path"]] = base64.b64decode(value["content"])
                case "lfsFile":
                    hub.files[value["path"]] = hub.contents[value["oid"]]
                    hub.large.add(value["path"])
                case "deletedFile":
                    del hub.files[value["path"]]
        oid = f"{len(hub.commits):040x}"
        self.say({"success": True, "commitOid": oid, "commitUrl": f"{hub.url}/datasets/{next(iter(hub.private))}/commit/{oid}"})

    def do_PUT(self) -> None:
        hub = self.state
        oid = self.path.rsplit("/", 1)[-1]
        with hub.lock:
            number = len(hub.uploads)
            hub.uploads.append(oid)
        length = int(self.headers["Content-Length"])
        if number in hub.broken:
            self.rfile.read(length // 2)
            hub.reached.set()
            self.close_connection = True
            self.connection.close()
            return
        if number in hub.held:
            hub.reached.set()
            hub.released.wait(60)
        content = self.rfile.read(length)
        if hashlib.sha256(content).hexdigest() == oid:
            hub.contents[oid] = content
        self.answer()
