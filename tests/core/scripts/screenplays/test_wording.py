import pytest

from core.scripts.screenplays.wording import sounds_spoken, sounds_told

NAMES = {"ANNA", "HARBOUR MASTER", "MASTER", "HARBOUR"}


@pytest.mark.parametrize(
    "text", ["I know.", "Give me the rope.", "Your lamp is out, and nobody came.", "Who?", "Boats!", "Let's go."]
)
def test_spoken(text):
    assert sounds_spoken(text)


@pytest.mark.parametrize(
    "text",
    ["Walks to the shore.", "leans over your chair.", 'Reads a sign: "I love you."',
     "BANG", "The rope snaps, and the boat is gone!",
     "World War I. Rain.", "They don't smile back."],
)  # fmt: skip
def test_not_spoken(text):
    assert not sounds_spoken(text)


@pytest.mark.parametrize("text", ["Anna laughs.", "Harbour Master sits down.", "She nods.", "Anna slowly turns to the sea."])
def test_told(text):
    assert sounds_told(text, NAMES)


@pytest.mark.parametrize("text", ["Anna looks like you.", "Oskar laughs.", "Anna wants the job.", "She counts steps.", "Smiles."])
def test_not_told(text):
    assert not sounds_told(text, NAMES)
