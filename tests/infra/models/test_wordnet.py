from pathlib import Path

import pytest

from core.errors import ConfigError
from core.text.tokens import NounDictionary
from infra.models import wordnet as adapter
from infra.models.wordnet import find_wordnet, read_nouns


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.noun").write_text("  1 licence\ndog n 7 5 @\nwolf n 5 4 @\n", encoding="utf-8")
    (tmp_path / "noun.exc").write_text("wolves wolf\n", encoding="utf-8")
    return tmp_path


def test_reads_a_folder_once(folder: Path) -> None:
    nouns = read_nouns(folder)
    assert [nouns.lemma(word) for word in ("wolves", "dogs", "keyleth")] == ["wolf", "dog", "keyleth"]
    assert read_nouns(folder) is nouns


def test_explicit_folder_then_environment_then_debian(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "DEBIAN_FOLDER", folder)
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    assert find_wordnet() == folder
    monkeypatch.setenv("WNSEARCHDIR", "/nowhere")
    assert find_wordnet(folder) == folder
    with pytest.raises(ConfigError, match=r"/nowhere has no index\.noun and no noun\.exc"):
        find_wordnet()


def test_a_missing_file_is_named_with_the_remedy(folder: Path) -> None:
    (folder / "noun.exc").unlink()
    with pytest.raises(ConfigError, match=r"has no noun\.exc; .*apt-get install wordnet-base.*--wordnet DIR.*WNSEARCHDIR"):
        read_nouns(folder)


@pytest.mark.parametrize(("name", "content"), [("index.noun", b"<html>"), ("noun.exc", b""), ("index.noun", b"\xff\xfe")])
def test_a_corrupt_file_is_named(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(ConfigError, match=name.replace(".", r"\.")):
        read_nouns(folder)


def test_the_real_dictionary(wordnet: Path) -> None:
    nouns: NounDictionary = read_nouns(wordnet)
    assert len(nouns.lemmas) > 117_000
    words = ("wolves", "was", "us", "adventures", "dwarves")
    assert [nouns.lemma(word) for word in words] == ["wolf", "wa", "u", "adventure", "dwarf"]
