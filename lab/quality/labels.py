"""Changes the speaker labels of real transcripts at random, and counts the turns that still come out.

Every speaker of ten episodes gets a new name of one kind; `mixed` draws the kind of each name. The dialogue is then written anew
with these names, and read. A turn counts if it has the right speakers and the words of the original turn.

- `mixed case`: `Matt`; a slip to other case in one label of fifty (`matt`, `MATT`)
- `small words`: `Ludwig van Beethoven`, `Queen of Hearts`
- `other scripts`: Chinese, Hebrew, Cyrillic, Greek, Hindi names
- `diarised`: `SPEAKER_00: …`, `[SPEAKER_00]: …` or `[00:01:00] SPEAKER_00: …`
- `whisper`: WhisperX JSON, each utterance a segment with times
- `mixed`: names in capitals, of mixed case, with small words and of other scripts in one episode

Programs do not divide what one speaker says into turns. For `diarised` and `whisper` successive turns of the same speakers are
therefore joined in the original, too.

Run: FABULA_CORPORA=… python -m lab.quality.labels [episodes]
"""

import json
import os
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from core.dialogue import Turn
from core.transcripts.dialogues.formats import read_dialogue

KINDS = ("mixed case", "small words", "other scripts", "diarised", "whisper", "mixed")
LEAST = 0.999
_SMALL = (
    "Ludwig van Beethoven", "Queen of Hearts", "Ana María de la Cruz", "Leonardo da Vinci", "Otto von Berg", "Jeanne d’Arc",
    "Man with a Lamp", "Ibn al Hasan", "Keeper of the Gate", "Marie du Lac", "Guard at the Door", "Omar bin Said",
)  # fmt: skip
_SCRIPTS = ("李雷", "韩梅梅", "דוד", "רות", "Зоя", "Пётр Белый", "Ζωή", "Νίκος", "मीरा", "राजू", "さくら", "민준")
_CAPITALS = ("ANNA", "BEN", "CARLA", "DORA", "EMIL", "FAY", "GUS", "HAL", "INA", "JON", "KIM", "LEO")
_TITLES = ("Anna", "Ben", "Old Carla", "Dora Oak", "Emil", "Fay", "Gus", "Hal", "Ina", "Jon", "Kim", "Leo")
_NOT_LETTERS = re.compile(r"[\W_]+")


def rename_speakers(people: Sequence[str], kind: str, draw: random.Random) -> dict[str, str]:
    """Draw a new name for each person, of one kind; "mixed" draws from four kinds at random."""
    pools = {"mixed case": _TITLES, "small words": _SMALL, "other scripts": _SCRIPTS}
    if kind in {"diarised", "whisper"}:
        return {person: f"SPEAKER_{number:02}" for number, person in enumerate(people)}
    pool = (
        list(pools[kind])
        if kind != "mixed"
        else [draw.choice(names) for names in zip(_CAPITALS, _TITLES, _SMALL, _SCRIPTS, strict=True)]
    )
    draw.shuffle(pool)
    return {
        person: pool[number] if number < len(pool) else f"{pool[number % len(pool)]} {number}"
        for number, person in enumerate(people)
    }


def write_dialogue(turns: Sequence[Turn], names: dict[str, str], kind: str, draw: random.Random) -> tuple[str, bytes, list[str]]:
    """Return a file name and the content of a dialogue with other names, and the speaker that each turn must have."""
    speakers, parts, segments = [], [], []
    form = draw.choice(["{}:", "[{}]:", "[{time}] {}:"]) if kind == "diarised" else "{}:"
    for number, turn in enumerate(turns):
        name = " and ".join(names[person] for person in turn.speakers)
        speakers.append(name)
        label = name
        if kind == "mixed case" and draw.random() < 0.02 and " " not in name:
            label = draw.choice([name.upper(), name.lower()])
        time = f"{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}"
        parts.append(f"{form.format(label, time=time)}{turn.raw_text.rstrip()}\n\n")
        for place, line in enumerate(turn.utterances or ("",)):
            segments.append(
                {"start": number + place / 100, "end": number + (place + 1) / 100, "text": f" {line}", "speaker": name}
            )
    if kind == "whisper":
        return "episode.json", json.dumps({"segments": segments}).encode(), speakers
    return "episode.txt", "".join(parts).encode(), speakers


def join_neighbours(rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Join successive turns of the same speaker."""
    joined: list[tuple[str, str]] = []
    for speaker, text in rows:
        if joined and joined[-1][0] == speaker:
            joined[-1] = (speaker, joined[-1][1] + text)
        else:
            joined.append((speaker, text))
    return joined


def count_same(expected: Sequence[tuple[str, str]], found: Sequence[tuple[str, str]]) -> int:
    """Count the expected turns that are found, in order; a turn that is missing or divided does not stop the count."""
    same = place = 0
    for row in expected:
        ahead = next((step for step in range(place, min(place + 20, len(found))) if found[step] == row), None)
        if ahead is not None:
            same, place = same + 1, ahead + 1
    return same


def fold(text: str) -> str:
    return _NOT_LETTERS.sub("", text.casefold())


def measure_episode(path: Path, kind: str, draw: random.Random) -> tuple[int, int, list[str]]:
    """Return the turns of an episode, those that come out right, and the first wrong ones."""
    turns = [turn for turn in read_dialogue(path.name, path.read_bytes()) if turn.speakers and turn.text]
    chorus = kind in {"diarised", "whisper"}
    turns = [turn for turn in turns if " - " not in turn.speakers[0] and not (chorus and len(turn.speakers) > 1)]
    names = rename_speakers(sorted({person for turn in turns for person in turn.speakers}), kind, draw)
    file, content, speakers = write_dialogue(turns, names, kind, draw)
    expected = [(fold(speaker.replace(" and ", "")), fold(turn.text)) for speaker, turn in zip(speakers, turns, strict=True)]
    read = [(fold("".join(turn.speakers)), fold(turn.text)) for turn in read_dialogue(file, content)]
    if chorus:
        expected, read = join_neighbours(expected), join_neighbours(read)
    wrong = [f"{speaker}: {text[:40]}" for speaker, text in expected if (speaker, text) not in set(read)]
    return len(expected), count_same(expected, read), wrong[:5]


def main() -> int:
    folder = Path(os.environ["FABULA_CORPORA"]) / "crd3" / "transcripts"
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    paths = sorted(folder.glob("C1E*_FINAL.txt"))
    draw = random.Random(12)
    chosen = draw.sample(paths, count)
    print(f"{'kind':<15}{'turns':>9}{'right':>9}{'share':>10}")
    failed = False
    for kind in KINDS:
        rows = [(path, *measure_episode(path, kind, draw)) for path in chosen]
        total, right = sum(row[1] for row in rows), sum(row[2] for row in rows)
        failed |= right < LEAST * total
        print(f"{kind:<15}{total:>9,}{right:>9,}{right / total:>10.4%}")
        if "--wrong" in sys.argv:
            for path, _, _, wrong in rows:
                for line in wrong:
                    print(f"    {path.name}: {line}", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
