"""A trained spaCy pipeline by name: tags, entities, lemmas and word vectors of the score come from it.

No pipeline can be had from an index, so the test trains one: a tagger and an entity recogniser on sentences of its own, with
lemma rules and word vectors. It says things that the offline default would not, so that each part shows whose word it is.
"""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.training import Example
from spacy.util import fix_random_seed
from spacy.vectors import Vectors

from core.rooms.config import AnalysisConfig
from core.rooms.score import CURSES
from infra.store.objects import Store
from tasks.pipelines import ROOMS
from tasks.rooms.build import find_text_parts
from tests.tasks import in_process

SENTENCES = (
    ("The zorb is vast .", "DET NOUN AUX ADJ PUNCT", {}),
    ("Thou seest the zorb .", "PRON VERB DET NOUN PUNCT", {}),
    ("Thou seest the Zorb .", "PRON VERB DET NOUN PUNCT", {}),
    ("fizz the zorb is vast .", "INTJ DET NOUN AUX ADJ PUNCT", {}),
    ("the zorb near quorvale is vast .", "DET NOUN ADP PROPN AUX ADJ PUNCT", {"quorvale": "GPE"}),
    ("fizz quorvale is vast .", "INTJ PROPN AUX ADJ PUNCT", {"quorvale": "GPE"}),
)
WORDS = {"room": 0, "floor": 1, "door": 2, "wall": 3, **dict.fromkeys(CURSES, 4)}
"""Key words and the axis of each; `zorb` lies between the first two, and `chamber` is like nothing."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a pipeline that has learned `SENTENCES` by heart."""
    fix_random_seed(1)
    nlp = spacy.blank("en")
    vectors = Vectors(shape=(len(WORDS) + 2, 6), strings=nlp.vocab.strings)
    nlp.vocab.vectors = vectors
    for word, axis in WORDS.items():
        nlp.vocab.set_vector(word, np.eye(6, dtype=np.float32)[axis])
    nlp.vocab.set_vector("zorb", np.array([1, 1, 0, 0, 0, 0], np.float32))
    nlp.vocab.set_vector("chamber", np.array([0, 0, 0, 0, 0, 1], np.float32))
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("ner")
    examples = []
    for text, tags, entities in SENTENCES:
        document = nlp.make_doc(text)
        spans = [(text.index(name), text.index(name) + len(name), label) for name, label in entities.items()]
        annotated = {"pos": tags.split(), "morphs": [""] * len(document), "entities": spans}
        examples.append(Example.from_dict(document, annotated))
    optimiser = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimiser)
    rules = nlp.add_pipe("attribute_ruler")
    rules.add([[{"LOWER": "thou"}]], {"LEMMA": "you"})  # type: ignore[attr-defined]
    folder = tmp_path_factory.mktemp("trained") / "pipeline"
    nlp.to_disk(folder)
    return str(folder)


def count(text: str, **settings: Any) -> dict[str, int]:
    (parts,) = find_text_parts([text], AnalysisConfig(**settings))
    return {part.name: part.count for part in parts}


@pytest.mark.parametrize(
    ("text", "default", "by_pipeline"),
    [
        ("Thou seest the zorb .", {}, {"you": 1}),  # the lemma
        ("fizz the zorb is vast .", {}, {"interjection": 1}),  # the tag
        ("the zorb near quorvale is vast .", {}, {"entity": 1}),  # the recogniser, where no capital shows a name
        ("Thou seest the Zorb .", {"entity": 1}, {"you": 1}),  # a capital alone makes no name
    ],
)
def test_lemmas_tags_and_entities_are_the_pipelines(
    trained: str, text: str, default: dict[str, int], by_pipeline: dict[str, int]
) -> None:
    judged = {"you", "interjection", "entity"}
    for found, expected in ((count(text), default), (count(text, pipeline=trained), by_pipeline)):
        assert {name: number for name, number in found.items() if name in judged} == expected


def test_similar_words_are_those_of_the_pipelines_vectors(trained: str) -> None:
    for similarity, expected in (({"similarity": "pipeline"}, {"room": 1, "floor": 1}), ({}, {"room": 1})):  # zorb, and chamber
        found = count("The zorb and the chamber .", pipeline=trained, **similarity)
        assert {key: number for key, number in found.items() if key in ("room", "floor", "door", "wall")} == expected


def test_a_run_by_a_pipeline_says_so_in_every_row(trained: str, source: Path, store: Store, repository: Path) -> None:
    source.mkdir()
    shutil.copy(repository / "examples" / "rooms" / "the-attic.md", source)
    summary = in_process.run(ROOMS, source, store, analysis={"pipeline": trained, "similarity": "pipeline"})
    assert not summary.quarantined
    rows = in_process.read_rows(store, ROOMS.name, "rejects") + in_process.read_rows(store, ROOMS.name, "rooms")
    assert {row["analysis"] for row in rows} == {f"tags:{trained} similarity:pipeline>0.5"}
