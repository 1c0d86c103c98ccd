"""Runs the largest file of every kind through its pipeline: it lands or is refused, within the limits of time and memory.

Each file has `--megabytes` (MiB) of sentences of common words; what belongs to it (a recap for a transcript) is of ordinary size.
It is run as `fabula run --in-process` does, in a process of its own.

    python -m lab.hostile.largest_files [--only WORD] [--megabytes 64] [--seconds 1800]

Prints what became of each file, the wall and processor time, and the most memory. The exit status is 1 where a run ended without
landing the file or refusing it with a reason.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

WORDS = (
    "the a of and to in that it was on with his her they at from one lamp boat rope kettle storm letter harbour stair window "
    "ferry goat road lantern captain baker sister village money morning silver table garden mountain knife promise winter door "
    "found carried asked whispered followed broke hid opened counted crossed remembered sold climbed lost mended warned lit rowed"
)
MOST_MEMORY = 12 * 2**30  # that a process may ask for
NAMES = ("ANNA", "BEN", "CARLA", "DORIAN", "ELSA", "FINN")


def make_sentences(seed: int) -> Iterator[str]:
    """Yield sentences of 6 to 16 common words, the same each time."""
    draw = random.Random(seed)
    while True:
        words = draw.choices(WORDS.split(), k=draw.randint(6, 16))
        yield f"{' '.join(words).capitalize()}."


class Form(NamedTuple):
    """A form of text: how a piece is made of its number and a sentence, and what stands before and behind all pieces."""

    piece: Callable[[int, str], str]
    head: str = ""
    tail: str = ""

    def write(self, size: int) -> str:
        """Return a text of nearly `size` bytes."""
        parts, length, sentences = [self.head], len(self.head) + len(self.tail), make_sentences(size)
        for number in count():
            part = self.piece(number, next(sentences))
            length += len(part)
            if length > size:
                break
            parts.append(part)
        return "".join([*parts, self.tail])


class Kind(NamedTuple):
    """A kind of file: the pipeline that reads it, its path in the source, its form, other files by path, and settings."""

    pipeline: str
    path: str
    form: Form
    beside: Mapping[str, str]
    settings: Mapping[str, Any]


def name(number: int) -> str:
    """Return the name of the speaker of a turn."""
    return NAMES[number * number % len(NAMES)]


def tell_time(seconds: int) -> str:
    """Return a time as captions write it."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},000"


def write_comment(number: int, parent: str, post: str, said: str) -> str:
    """Return a comment as a line of JSON."""
    record = {"id": f"c{number}", "link_id": f"t3_{post}", "parent_id": parent, "body": said, "author": f"b{number}"}
    return json.dumps(record) + "\n"


def write_post(post: str, title: str, said: str) -> str:
    """Return a post as a line of JSON."""
    record = {"id": post, "title": title, "subreddit": "s", "selftext": said, "author": "a", "is_self": True}
    return json.dumps(record) + "\n"


def write_posts(n: int, said: str) -> str:
    """Return a post as the first of ten records, else a comment on it."""
    post = f"p{n // 10}"
    return write_comment(n, f"t3_{post}", post, said) if n % 10 else write_post(post, said, said)


PLAIN = Form(lambda n, said: f"{name(n)}: {said}\n\n")
BOLD = Form(lambda n, said: f"**{name(n)}:** {said}\n\n")
SRT = Form(lambda n, said: f"{n + 1}\n{tell_time(n)} --> {tell_time(n + 1)}\n{name(n)}: {said}\n\n")
SPEECH = Form(
    lambda n, said: f'{{"start": {n}, "end": {n + 1}, "text": "{said}", "speaker": "SPEAKER_0{n * n % 5}"}},',
    '{"segments": [',
    '{"start": 0, "end": 1, "text": "End.", "speaker": "SPEAKER_00"}]}',
)
PARAGRAPHS = Form(lambda _, said: f"{said}\n\n")
PAGE = Form(
    lambda _, said: f"<p>{said}</p>\n",
    "<html><head><title>E</title></head><body><div id='mw-content-text'><h2>Synopsis</h2>",
    "</div></body></html>",
)
SCREENPLAY = Form(
    lambda n, said: ("" if n % 20 else f"INT. BARN {n // 20} - DAY\n\n") + f"{' ' * 20}{name(n)}\n{' ' * 10}{said}\n\n"
)
BOOK = Form(lambda n, said: ("" if n % 200 else f"CHAPTER {n // 200 + 1}\n\n") + f'"{said}" she said.\n\n')
SERIES = Form(
    lambda n, said: (
        json.dumps({"scene_id": f"s{n}", "utterances": [{"speakers": [name(n)], "transcript": said}], "plots": []}) + ","
    ),
    '{"season_id": "s01", "episodes": [{"episode_id": "s01_e01", "scenes": [',
    '{"scene_id": "e", "utterances": [{"speakers": ["ANNA"], "transcript": "End."}], "plots": ["Anna ends it."]}]}]}',
)
POSTS = Form(write_posts)
ONE_POST = Form(
    lambda n, said: write_comment(n, f"t1_c{n // 2}" if n > 3 else "t3_p", "p", said),
    write_post("p", "The lamp.", "The lamp is lost."),
)
TABLE = Form(lambda _, said: f'"{said}",MIT\n', "text,license\n")
RECORDS = Form(lambda n, said: json.dumps({"id": f"r{n}", "text": said, "license": "MIT"}) + "\n")


def list_kinds() -> Iterator[Kind]:
    """Yield the kinds of files that are large text."""
    recap = {"recaps/C1E001.md": "# E\n\n## Synopsis\n\n" + PARAGRAPHS.write(4_000)}
    for suffix, form in (("txt", PLAIN), ("srt", SRT), ("json", SPEECH), ("md", BOLD)):
        yield Kind("transcripts", f"transcripts/C1E001.{suffix}", form, recap, {})
    spoken = {"transcripts/C1E001.txt": PLAIN.write(40_000)}
    for suffix, form in (("html", PAGE), ("md", PARAGRAPHS), ("txt", PARAGRAPHS)):
        yield Kind("transcripts", f"recaps/C1E001.{suffix}", form, spoken, {})
    no_vectors = dict.fromkeys(("story_max", "clause_max", "story_masked", "clause_masked"), 0.0)
    words = {"alignment": {"weights": {"bm25": 0.75, "roles": 0.5, "osj": 1.0, **no_vectors}}}
    told = PARAGRAPHS.write(4_000)
    for folder, file, form in (("movies", "script.txt", SCREENPLAY), ("books", "text.txt", BOOK)):
        yield Kind("scripts", f"{folder}/a-film/{file}", form, {f"{folder}/a-film/synopsis.txt": told}, words)
    film = {"movies/a-film/script.txt": SCREENPLAY.write(40_000)}
    yield Kind("scripts", "movies/a-film/synopsis.txt", PARAGRAPHS, film, words)
    yield Kind("scripts", "series/a.json", SERIES, {}, words)
    whole = {"limits": {"max_captions": 10**7, "max_bytes": 64 * 2**20}}
    for file, settings in (("film.srt", {}), ("film.en.srt", whole)):
        yield Kind("subtitles", f"a-film/{file}", SRT, {"a-film/synopsis.txt": told}, {"shards": 1, **settings})
    for file, form in (("posts.ndjson", POSTS), ("one.ndjson", ONE_POST)):
        yield Kind("threads", file, form, {}, {"shards": 4, "scorer": {"kind": "words"}})
    for file, form in (("text.txt", PARAGRAPHS), ("table.csv", TABLE), ("records.jsonl", RECORDS)):
        yield Kind("rooms", file, form, {}, {"shards": 4})


def run_one(kind: Kind, folder: Path, megabytes: int, seconds: float) -> dict[str, Any]:
    """Write the file and what belongs to it, run the pipeline in this process, and return what became of it."""
    from flows.frame.ingestion import InProcessMapper
    from flows.frame.observer import Nobody
    from flows.frame.run import run_pipeline
    from tasks.frame.ledger import RunCall
    from tasks.pipelines import PIPELINES

    source, store = folder / "source", folder / "store"
    for path, text in {**kind.beside, kind.path: kind.form.write(megabytes * 2**20)}.items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(text)
    pipeline = next(pipeline for pipeline in PIPELINES if pipeline.name == kind.pipeline)
    began, processor = perf_counter(), sum(os.times()[:2])
    call = RunCall(source=(str(source),), store=str(store), dataset="large", settings=kind.settings, unit_seconds=seconds)
    summary = run_pipeline(pipeline, call, InProcessMapper(), Nobody())
    return {
        "landed": len(summary.computed),
        "reasons": [failure.reason for failure in summary.quarantined],
        "rows": summary.rows,
        "seconds": perf_counter() - began,
        "processor": sum(os.times()[:2]) - processor,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    kinds = list(list_kinds())
    if chosen.child is not None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY,) * 2)
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(run_one(kinds[chosen.child], Path(folder), chosen.megabytes, chosen.seconds)))
        return 0
    print("| file | what became of it | wall s | processor s | MiB |\n|---|---|---|---|---|", flush=True)
    unanswered = 0
    for number, kind in enumerate(kinds):
        if chosen.only not in f"{kind.pipeline}: {kind.path}":
            continue
        child = [sys.executable, "-m", "lab.hostile.largest_files", "--child", str(number)]
        options = ["--megabytes", str(chosen.megabytes), "--seconds", str(chosen.seconds)]
        ended = subprocess.run([*child, *options], capture_output=True, text=True, check=False)
        if ended.returncode:
            unanswered += 1
            last = (ended.stderr.strip().splitlines() or ["no message"])[-1]
            print(f"| {kind.pipeline}: `{kind.path}` | **ended with {ended.returncode}: {last[:200]}** | | | |", flush=True)
            continue
        found = json.loads(ended.stdout.splitlines()[-1])
        rows = ", ".join(f"{count:,} {table}" for table, count in found["rows"].items() if count)
        told = "; ".join(found["reasons"])[:240] or f"landed: {rows}"
        used = f"{found['seconds']:.0f} | {found['processor']:.0f} | {found['mib']:,.0f}"
        print(f"| {kind.pipeline}: `{kind.path}` | {told} | {used} |", flush=True)
    return int(unanswered > 0)


if __name__ == "__main__":
    sys.exit(main())
