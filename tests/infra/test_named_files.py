"""What a setting or an option names: whatever it is, the call ends at once with what was found and what to do."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from core.rooms.sentences import Rights, parse_rights
from core.threads.config import ScorerConfig, ThreadsConfig
from flows.cli.read import read as read_answers
from flows.cli.review import _exchange
from flows.cli.run import read_settings
from infra.models.sealed import StarterModel, read_model
from infra.models.wordnet import checksum_nouns, read_nouns
from infra.named_files import read_named, read_named_text
from infra.settings import load_config, read_toml
from infra.store.objects import Store
from lab.summarisation.meteor import checksum_synonyms, read_synonyms
from lab.training import starters as starter_training
from tasks.rooms.writer import open_sheet, rate_sheet
from tasks.threads.scorers import check_scorer

READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "scorer.model": ("layer.json", lambda path: check_scorer(ScorerConfig(kind="reply", model=str(path)))),
    "starter.classifier": ("starters.json", lambda path: read_model(StarterModel, str(path))),
    "--config": ("settings.toml", lambda path: read_toml(str(path))),
    "--labels": ("labels.tsv", lambda path: starter_training._find_labels([], ThreadsConfig(), str(path))),
    "--import": ("tasks.json", lambda path: _exchange(Store("memory://none"), "dialogues", None, path, "me", "priority", None)),
    "--from": ("answers.jsonl", lambda path: read_answers("transcripts", "model", store="memory://none", answers=path)),
    "sheet": ("sheet.jsonl", lambda path: open_sheet(str(path.with_suffix("")))),
    "rated sheet": ("sheet.jsonl", lambda path: rate_sheet(str(path.with_suffix("")), "")),
    "nouns": ("noun.exc", lambda path: read_nouns(path.parent)),
    "checksum of nouns": ("index.noun", lambda path: checksum_nouns(path.parent)),
    "synonyms": ("index.noun", lambda path: read_synonyms((path,))),
    "checksum of synonyms": ("index.noun", lambda path: checksum_synonyms((path,))),
}


def _put(path: Path, kind: str) -> None:
    match kind:
        case "device":
            path.symlink_to("/dev/zero")
        case "FIFO":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "socket":
            socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))
        case "10000000000 bytes":
            with path.open("wb") as stream:
                stream.truncate(10**10)  # with holes: it takes no room


@pytest.mark.parametrize("kind", ["device", "FIFO", "folder", "socket", "10000000000 bytes"])
@pytest.mark.parametrize("reader", READERS)
def test_no_file_is_read_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, kind: str) -> None:
    monkeypatch.setattr(starter_training, "read_posts", lambda *_: iter(()))
    monkeypatch.chdir(tmp_path)
    name, read = READERS[reader]
    _put(tmp_path / name, kind)
    for other in ("noun.exc", "index.noun"):
        if other != name:
            (tmp_path / other).write_text("")
    with pytest.raises(ConfigError) as caught:
        read(tmp_path / name)
    message = str(caught.value)
    assert name in message or "WordNet" in message
    assert kind in message.replace(",", "") or "WordNet's noun files are needed" in message


def test_a_file_that_may_be_read_is_read(tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_bytes(b"\xef\xbb\xbfwick")
    assert read_named_text(file, "note", "write one") == "wick"
    assert read_named(file, "note", "write one", 7) == file.read_bytes()
    with pytest.raises(ConfigError, match=r"note .*note.txt: 7 bytes, expected at most 6; write one"):
        read_named(file, "note", "write one", 6)
    with pytest.raises(ConfigError, match="No such file or directory; write one"):
        read_named(tmp_path / "absent", "note", "write one")
    file.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=r"not UTF-8 .* at byte 0"):
        read_named_text(file, "note", "write one")
    with pytest.raises(ConfigError, match="write one"):
        read_named("a\0b", "note", "write one")


@pytest.mark.parametrize("depth", [90, 400, 990, 100_000])
def test_toml_and_json_of_any_depth_are_told(tmp_path: Path, depth: int) -> None:
    settings = tmp_path / "settings.toml"
    for opening, closing in (("[", "]"), ("{a=", "}"), ("[", "")):
        text = f"alignment = {opening * depth}1{closing * depth}"
        settings.write_text(text)
        with pytest.raises(ConfigError, match=r"settings.toml|setting alignment"):
            load_config(ThreadsConfig, "threads", file=str(settings))
        with pytest.raises(ConfigError, match=r"sources.toml"):
            parse_rights(text, Rights("MIT", "us"))
        with pytest.raises(ConfigError, match="alignment"):
            load_config(ThreadsConfig, "threads", overrides=read_settings([text.replace(" ", "")]))
    for opening, closing in (("[", ""), ('{"a":', ""), ('{"a":', "}")):
        for name, read in READERS.values():
            if name in ("layer.json", "starters.json", "tasks.json", "sheet.jsonl"):
                (tmp_path / name).write_text(f"{opening * depth}1{closing * depth}" if closing else opening * depth)
                with pytest.raises(ConfigError, match=name):
                    read(tmp_path / name)


def test_a_number_without_an_end_is_told(tmp_path: Path) -> None:
    for number in ("9" * 5_000, "0x" + "f" * 5_000, str(2**64)):
        (tmp_path / "settings.toml").write_text(f"[scorer]\nmax_context = {number}\n")
        with pytest.raises(ConfigError, match=r"settings.toml"):
            load_config(ThreadsConfig, "threads", file=str(tmp_path / "settings.toml"))
