"""Dialogues of our own writing, for tests of benchmarks."""

from lab.summarisation.dialogue import SpokenTurn, SummarisedDialogue

SAID = (
    ("ODILE", "You stand at the harbour. The gate of the old tower is open."),
    ("BRAM", "I light the lantern!"),
    ("PRIYA", "Is anyone there? We should go home."),
    ("ODILE", "A grey cat jumps from the wall and runs towards the sea."),
)
RECAP = ("Bram lights the lantern at the harbour.", "A grey cat jumps from the wall, says Nerissa.")


def make_dialogue(name: str = "S01E01_0", unit: str = "S01E01", said: tuple[tuple[str, str], ...] = SAID) -> SummarisedDialogue:
    turns = tuple(SpokenTurn((speaker,), text) for speaker, text in said)
    return SummarisedDialogue(id=name, unit=unit, split="test", turns=turns, sentences=RECAP)
