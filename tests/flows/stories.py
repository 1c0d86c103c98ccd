"""Made-up episodes of any number, quick to align, for tests that need a source."""

import json
from pathlib import Path

PEOPLE = ("ANNA", "BEN", "CARA")


def write_episode(source: Path, unit: str, word: str = "lantern") -> None:
    """Write a transcript and a recap of an episode that both tell the same story; `word` makes it another one."""
    write_transcript(source, f"{unit}.txt", word)
    write_recap(source, f"{unit}.md", word=word)


def write_transcript(source: Path, name: str, word: str = "lantern") -> None:
    """Write 60 turns of three people."""
    turns = (f"{PEOPLE[turn % 3]}: We carry the {word} to room {turn} and look for key {turn}." for turn in range(60))
    _write(source / "transcripts" / name, "\n\n".join(turns) + "\n")


def write_recap(source: Path, name: str, sentences: int = 24, word: str = "lantern") -> None:
    """Write a recap in Markdown; fewer than 20 sentences make fewer than 10 chunks of 2."""
    text = " ".join(f"They carry the {word} to room {2 * place} and find key {2 * place}." for place in range(sentences))
    _write(source / "recaps" / name, f"# The {word}\n\n## Part I\n\n{text}\n")


def write_gold(folder: Path, unit: str, away: int = 0) -> None:
    """Write which turn each sentence of `write_recap` retells, as a person would who reads both; or one so far away."""
    rows = [
        {"text": f"They carry the lantern to room {turn} and find key {turn}.", "turn_start": gold, "turn_end": gold}
        for turn in range(0, 48, 2)
        for gold in [(turn + away) % 48]
    ]
    _write(folder / f"{unit}.json", json.dumps(rows))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
