"""Named entities, counted by small pipelines that the tests build and save."""

import pytest
import spacy

from core.errors import ConfigError
from infra.models.trained_pipeline import count_entities


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


def test_no_texts(ruler):
    assert count_entities([], ruler).total() == 0


def test_a_missing_pipeline_says_how_to_get_one():
    with pytest.raises(ConfigError, match="python -m spacy download en_core_web_none"):
        count_entities(["Mira"], "en_core_web_none")
    with pytest.raises(ConfigError, match="python -m spacy download en_core_web_sm"):
        count_entities(["Mira"], "models/nowhere")


def test_a_pipeline_that_finds_no_entities(tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ConfigError, match="finds no entities"):
        count_entities(["Mira"], str(tmp_path / "blank"))


def test_a_folder_that_is_no_pipeline(tmp_path):
    with pytest.raises(ConfigError, match="cannot be loaded"):
        count_entities(["Mira"], str(tmp_path))
