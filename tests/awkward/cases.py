"""The corpus of awkward inputs: files under `inputs/`, each with what must come out of it, and the table of them in the docs.

`cases.json` names each file and says why it is awkward. A file `*.names` lists the paths of a source; its units, waiting units,
refused files and duplicates are expected. A file `recap-*` is a recap: its title, blurb and paragraphs are expected, as
`heading: paragraph`. Every other file is a transcript: its turns are expected, as
`[start-end] SPEAKER: text`, or its error. All were written for this purpose.

Write the table anew with `python -m tests.awkward.cases`: it stays above what `docs/awkward-input.md` measures.
"""

import json
from pathlib import Path
from typing import Any

from core.dataset.units import SourceFile
from core.dialogue import Turn
from core.errors import SourceError
from core.text.decoding import decode_text
from core.text.sentences import split_by_rules
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.discovery import find_units
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap

FOLDER = Path(__file__).parent / "inputs"
CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))
_MAX_SHOWN = 3


def read_case(name: str) -> dict[str, Any]:
    """Return what comes out of an input: `turns`, `error`, or what discovery finds in a list of names."""
    content = (FOLDER / name).read_bytes()
    if name.endswith(".names"):
        found = find_units(SourceFile(path, 1, "v") for path in content.decode().splitlines())
        return {
            "units": [f"{unit.id}: {', '.join(file.path for file in (*unit.transcripts, *unit.recaps))}" for unit in found.units],
            "waiting": [f"{unit.id}: {unit.missing}" for unit in found.waiting],
            "refused": [f"{file.path}: {file.reason}" for file in found.refused],
            "same place": [[file.path for file in group] for unit in found.units for group in unit.duplicates],
        }
    try:
        if name.startswith("recap-"):
            return {"paragraphs": show_recap(read_recap(name, decode_text(name, content), split_by_rules))}
        return {"turns": [show_turn(turn) for turn in read_dialogue(name, content)]}
    except SourceError as error:
        return {"error": str(error)}


def show_turn(turn: Turn) -> str:
    """Return a turn as one line: its times, if it has any, its speakers and its text."""
    end = "" if turn.end is None else f"{turn.end:g}"
    time = "" if turn.start is None else f"[{turn.start:g}-{end}] "
    return f"{time}{' + '.join(turn.speakers)}: {turn.text}"


def show_recap(recap: Recap) -> list[str]:
    """Return a recap's title, its blurb and its paragraphs as lines."""
    told = [f"{section.subheading or section.heading}: {text}" for section in recap.sections for text in section.paragraphs]
    return [recap.title, recap.blurb, *told]


def render_table() -> str:
    """Return the first part of the page of the docs: a row an input, with the first lines of what comes out."""
    rows = [
        "# Awkward input",
        "",
        "Inputs of `tests/awkward/inputs/` and what comes out of them. `tests/awkward/cases.py` writes this table; a test",
        "checks it and every result. Below it stand the parsers' times on hostile input, and what becomes of the largest files.",
        "",
        "| file | what is awkward | what comes out |",
        "|---|---|---|",
    ]
    for case in CASES:
        outcome = [line for part in ("turns", "paragraphs", "units", "refused") for line in case.get(part, ())] or [
            case.get("error", "")
        ]
        more = f" … ({len(outcome)} in all)" if len(outcome) > _MAX_SHOWN else ""
        shown = "<br>".join(f"`{line[:90]}`" for line in outcome[:_MAX_SHOWN]).replace("|", "\\|") + more
        rows.append(f"| `{case['file']}` | {case['why']} | {shown} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    page = Path(__file__).parents[2] / "docs/awkward-input.md"
    _, heading, measured = page.read_text("utf-8").partition("\n## ")
    page.write_text(render_table() + heading + measured, "utf-8")
