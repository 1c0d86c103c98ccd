"""Times the parsing of screenplays and transcripts against plain regular expressions on the same text, in one run, on one core.

    FABULA_CORPORA=DIR python -m lab.speed.parsing

The reference splits each text into lines and finds every word, which is the least that a parser has to do. Transcripts are read
by both rules for speaker labels: learned from the whole file, and CRD3's one pattern. Without FABULA_CORPORA the examples are
parsed, which are short.
"""

import re
from collections.abc import Callable, Mapping
from statistics import median
from time import process_time

from core.errors import SourceError
from core.scripts.screenplays.reader import read_screenplay
from core.text.decoding import decode_text
from core.transcripts.config import CleaningConfig
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.labels import LabelRule
from lab.corpora import find_source

ROUNDS = 3
_WORD = re.compile(r"\w+")

Reader = Callable[[str, bytes], object]


def find_words(name: str, content: bytes) -> int:
    """Return the number of words of a text, found line by line."""
    return sum(len(_WORD.findall(line)) for line in decode_text(name, content).splitlines())


def parse_screenplay(name: str, content: bytes) -> int:
    """Return the number of scenes of a screenplay, or 0 if it is refused."""
    try:
        return len(read_screenplay(name, decode_text(name, content)))
    except SourceError:
        return 0


def parse_transcript(rule: LabelRule) -> Reader:
    """Return a function that counts the turns of a transcript, whose labels are found by `rule`."""
    config = CleaningConfig(labels=rule)
    return lambda name, content: len(read_dialogue(name, content, config))


def report(kind: str, files: Mapping[str, bytes], readers: Mapping[str, Reader]) -> None:
    """Print how long each reader takes, and the ratio to the time that finding the words takes."""
    seconds: dict[str, list[float]] = {name: [] for name in ("words", *readers)}
    for _ in range(ROUNDS):
        for reader, read in {"words": find_words, **readers}.items():
            began = process_time()
            for name, content in files.items():
                read(name, content)
            seconds[reader].append(process_time() - began)
    size, words = sum(map(len, files.values())) / 1e6, median(seconds.pop("words"))
    print(f"{len(files)} {kind}, {size:.1f} MB; finding their words takes {words:.2f} s of processor time")
    for reader, times in seconds.items():
        taken = median(times)
        print(f"  {reader}: {taken:.2f} s, {size / taken:.1f} MB/s, {taken / words:.2f} times as long as finding the words")


def main() -> None:
    scripts = sorted(find_source("scripts", "scripts").glob("movies/*/script.txt"))
    report("screenplays", {path.parent.name: path.read_bytes() for path in scripts}, {"parsed": parse_screenplay})
    transcripts = sorted(find_source("crd3", "transcripts").glob("transcripts/*.txt"))
    rules: tuple[LabelRule, ...] = ("learned", "pattern")
    readers = {f"labels {rule}": parse_transcript(rule) for rule in rules}
    report("transcripts", {path.name: path.read_bytes() for path in transcripts}, readers)


if __name__ == "__main__":
    main()
