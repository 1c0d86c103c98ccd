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
