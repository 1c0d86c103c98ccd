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
