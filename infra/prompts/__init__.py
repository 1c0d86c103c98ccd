"""The words of the questions to models that read, as plain files: `<kind>_<version>.md`, and what tests them."""

from importlib.resources import files


def read_prompt(kind: str, version: int) -> str:
    """Return the instructions of a kind of question."""
    return (files(__name__) / f"{kind}_{version}.md").read_text("utf-8")


def read_room_controls() -> str:
    """Return the sentences of our own among the questions about rooms (`core.rooms.reading.parse_controls`)."""
    return (files(__name__) / "room-controls_1.tsv").read_text("utf-8")
