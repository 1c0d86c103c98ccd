"""The words of the questions to models that read, as plain files: `<kind>_<version>.md`."""

from importlib.resources import files


def read_prompt(kind: str, version: int) -> str:
    """Return the instructions of a kind of question."""
    return (files(__name__) / f"{kind}_{version}.md").read_text("utf-8")
