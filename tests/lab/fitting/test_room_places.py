"""Weights that are fitted on labels: they know descriptions of episodes that they have not seen."""

import json
from pathlib import Path

import numpy as np

from core.rooms.places import rate_sentences
from lab.fitting.room_places import calibrate, hold_out, make_weights, read_labels, tell_figures

STUFF = ("oak", "brick", "chalk", "slate", "marble", "clay", "cedar", "granite", "copper", "straw")


def write_labels(path: Path) -> None:
    """Write labels by which a sentence describes a place, unless somebody speaks or asks in it."""
    lines = []
    for number, kind in enumerate(STUFF):
        texts = {
            f"A low wall of {kind} runs round the dark chamber and its floor.": 1.0,
            f"The tall tower has a roof of {kind} and small windows.": 1.0,
            f"I think we should sell them the {kind} today, don't you?": 0.0,
            f"He takes my {kind} and asks me what we want for it.": 0.0,
        }
        lines += [
            json.dumps({"text": text, "label": label, "episode": f"e{number}", "kind": "judged", "written": number % 2 == 0})
            for text, label in texts.items()
        ]
    path.write_text("\n".join(lines))


def test_fitted_weights_tell_descriptions_of_other_episodes(tmp_path: Path) -> None:
    write_labels(tmp_path / "labels.jsonl")
    labels = read_labels(tmp_path / "labels.jsonl")
    values = hold_out(labels)
    assert values[labels.right].min() > values[~labels.right].max()
    calibration = calibrate(labels, values)
    assert (
        "speech: 20 sentences, 10 descriptions; by probability: average precision 1.000"
        in tell_figures(labels, values, calibration)[0]
    )
    weights = make_weights(labels, calibration)
    texts = ["A low wall of tin runs round the dark tower.", "I think you want my tin today, don't you?"]
    described, talk = rate_sentences(texts, [(), ()], [True, True], weights)
    assert described > 0.5 > talk
    assert np.isfinite(weights.words).all()
