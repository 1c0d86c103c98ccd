"""The folder of the corpora, which `FABULA_CORPORA` names, and the small examples that stand for them where it is not set."""

import os
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def find_corpora() -> Path:
    """Return the folder of the corpora; the program ends where the variable is not set."""
    corpora = os.environ.get("FABULA_CORPORA")
    if not corpora:
        raise SystemExit("FABULA_CORPORA is not set; set it to the folder of the corpora")
    return Path(corpora)


def find_source(place: str, example: str) -> Path:
    """Return a folder of the corpora; one of the examples, which say little, where the variable is not set."""
    if os.environ.get("FABULA_CORPORA"):
        return find_corpora() / place
    print("FABULA_CORPORA is not set: measuring the small examples, which say little", file=sys.stderr)
    return EXAMPLES / example
