"""WordNet's files, and pipelines that name entities: read from a folder, and told where they cannot be."""

from pathlib import Path

import pytest
import spacy

from core.errors import ConfigError
from core.text.tokens import NounDictionary
from infra.models import wordnet as adapter
from infra.models.trained_pipeline import count_entities
from infra.models.wordnet import find_wordnet, read_nouns


@pytest.fixture
def wordnet_files(tmp_path: Path) -> Path:
    (tmp_path / "index.noun").write_text("  1 licence\ndog n 7 5 @\nwolf n 5 4 @\n", encoding="utf-8")
    (tmp_path / "noun.exc").write_text("wolves wolf\n", encoding="utf-8")
    return tmp_path


def test_reads_a_folder_once(wordnet_files: Path) -> None:
    nouns = read_nouns(wordnet_files)
    assert [nouns.lemma(word) for word in ("wolves", "dogs", "keyleth")] == ["wolf", "dog", "keyleth"]
    assert read_nouns(wordnet_files) is nouns


def test_explicit_folder_then_environment_then_debian(wordnet_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "DEBIAN_FOLDER", wordnet_files)
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    assert find_wordnet() == wordnet_files
    monkeypatch.setenv("WNSEARCHDIR", "/nowhere")
    assert find_wordnet(wordnet_files) == wordnet_files
    with pytest.raises(ConfigError, match=r"/nowhere has no index\.noun and no noun\.exc"):
        find_wordnet()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("index.noun", b"<html>", r"index\.noun"),
        ("noun.exc", b"", r"noun\.exc"),
        ("index.noun", b"\xff\xfe", r"index\.noun"),
        ("noun.exc", None, r"has no noun\.exc; .*apt-get install wordnet-base.*--wordnet DIR.*WNSEARCHDIR"),
    ],
)
def test_a_corrupt_or_missing_file_is_named(wordnet_files: Path, name: str, content: bytes | None, message: str) -> None:
    (wordnet_files / name).unlink() if content is None else (wordnet_files / name).write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read_nouns(wordnet_files)


def test_the_real_dictionary(wordnet: Path) -> None:
    nouns: NounDictionary = read_nouns(wordnet)
    assert len(nouns.lemmas) > 117_000
    words = ("wolves", "was", "us", "adventures", "dwarves")
    assert [nouns.lemma(word) for word in words] == ["wolf", "wa", "u", "adventure", "dwarf"]


@pytest.fixture(scope="module")
def ruler(tmp_path_factory):
    pipeline = spacy.blank("en")
    rules = pipeline.add_pipe("entity_ruler")
    rules.add_patterns([{"label": "PERSON", "pattern": "Mira"}, {"label": "GPE", "pattern": "Low Harbour"}])
    folder = tmp_path_factory.mktemp("models") / "ruler"
    pipeline.to_disk(folder)
    return str(folder)


def test_counts_by_label(ruler):
    texts = ["Mira sails to Low Harbour.", "", "Nobody follows Mira."]
    assert count_entities(texts, ruler) == {"PERSON": 2, "GPE": 1}
    assert count_entities([], ruler).total() == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("en_core_web_none", "python -m spacy download en_core_web_none"),
        ("models/nowhere", "python -m spacy download en_core_web_sm"),
        ("{}/blank", "finds no entities"),
        ("{}", "cannot be loaded"),
    ],
)
def test_what_is_no_pipeline_or_finds_no_entities_is_told(name, message, tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ConfigError, match=message):
        count_entities(["Mira"], name.format(tmp_path))
