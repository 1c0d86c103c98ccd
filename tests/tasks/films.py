"""Made-up films, and a sentence model of a few words, for tests that need a source of scripts."""

import json
from pathlib import Path

from core.scripts.config import Weights

ROOMS = ("kitchen", "cellar", "garden", "attic", "harbour", "tower")
WORDS = Weights(bm25=0.75, roles=0.5)
"""Weights that need no sentence vectors."""
VECTORS = Weights(bm25=0.75, story_max=13.0, clause_max=10.0)


def write_film(source: Path, unit: str = "fox", cast: bool = True, speech: bool = True) -> Path:
    """Write a film of six scenes, each in a room of its own, and a synopsis of a sentence a room."""
    folder = source / "movies" / unit
    folder.mkdir(parents=True)
    scenes = []
    for place, room in enumerate(ROOMS):
        scenes.append(f"INT. {room.upper()} - NIGHT\n\nThey come into the {room} with key {place}.\n\n")
        if speech:
            scenes.append(f"JACK\nWhere is the lantern of the {room}?\n\nMARY ANN (CONT'D)\nUnder the stone of the {room}.\n\n")
    (folder / "script.txt").write_text("".join(scenes), encoding="utf-8")
    sentences = (f"Jack looks for a lantern in the {room}.\n" for room in ROOMS)
    (folder / "synopsis.txt").write_text("".join(sentences), encoding="utf-8")
    (folder / "meta.json").write_text('{"title": "The Fox", "year": "1999"}', encoding="utf-8")
    if cast:
        members = [{"actor": "A. B.", "character": "Jack Fox"}, {"actor": "C. D.", "character": "Mary Ann Moss"}]
        (folder / "cast.json").write_text(json.dumps(members), encoding="utf-8")
    return folder


def save_tiny_model(folder: Path) -> str:
    """Write a sentence-transformers model that knows the rooms by name, and return its folder."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import BoW

    SentenceTransformer(modules=[BoW(vocab=[*ROOMS, "lantern", "stone", "key"])], device="cpu").save(str(folder))
    return str(folder)
