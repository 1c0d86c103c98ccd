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
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

WORDS = (
    "the a of and to in that it was on with his her they at from one lamp boat rope kettle storm letter harbour stair window "
    "ferry goat road lantern captain baker sister village money morning silver table garden mountain knife promise winter door "
    "found carried asked whispered followed broke hid opened counted crossed remembered sold climbed lost mended warned lit rowed"
)
NAMES = ("ANNA", "BEN", "CARLA", "DORIAN", "ELSA", "FINN")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of file: the pipeline that reads it, its path in the source, and how to write one of so many bytes."""

    pipeline: str
    path: str
    write: Callable[[int], str]
    beside: Mapping[str, str]
    settings: Mapping[str, Any]


def make_sentences(seed: int = 0) -> Iterator[str]:
    """Yield sentences of 6 to 16 common words, the same each time."""
    draw = random.Random(seed)
    while True:
        words = draw.choices(WORDS.split(), k=draw.randint(6, 16))
        yield f"{' '.join(words).capitalize()}."


def fill(size: int, piece: Callable[[int, str], str], head: str = "", tail: str = "") -> str:
    """Return a text of nearly `size` bytes: pieces made of their number and a sentence, between a head and a tail."""
    parts, length, sentences = [head], len(head) + len(tail), make_sentences(size)
    for number in count():
        part = piece(number, next(sentences))
        length += len(part)
        if length > size:
            break
        parts.append(part)
    return "".join([*parts, tail])


def name(number: int) -> str:
    """Return the name of the speaker of a turn."""
    return NAMES[number * number % len(NAMES)]


def tell_time(seconds: int, mark: str = ",") -> str:
    """Return a time as captions write it."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}000"


def write_plain(size: int) -> str:
    """Return a plain transcript."""
    return fill(size, lambda number, said: f"{name(number)}: {said}\n\n")


def write_srt(size: int) -> str:
    """Return subtitles with labels."""
    return fill(
        size,
        lambda number, said: f"{number + 1}\n{tell_time(number)} --> {tell_time(number + 1)}\n{name(number)}: {said}\n\n",
    )


def write_speech(size: int) -> str:
    """Return a recogniser's JSON with a speaker a segment."""
    segment = '{{"start": {0}, "end": {1}, "text": "{2}", "speaker": "SPEAKER_0{3}"}},'
    end = '{"start": 0, "end": 1, "text": "End.", "speaker": "SPEAKER_00"}]}'
    return fill(size, lambda n, said: segment.format(n, n + 1, said, n * n % 5), '{"segments": [', end)


def write_paragraphs(size: int) -> str:
    """Return prose in paragraphs of a sentence."""
    return fill(size, lambda _, said: f"{said}\n\n")


def write_page(size: int) -> str:
    """Return a saved page of a wiki."""
    head = "<html><head><title>E</title></head><body><div id='mw-content-text'><h2>Synopsis</h2>"
    return fill(size, lambda _, said: f"<p>{said}</p>\n", head, "</div></body></html>")


def write_screenplay(size: int) -> str:
    """Return a screenplay with a scene every 20 speeches."""
    return fill(
        size,
        lambda n, said: (f"INT. BARN {n // 20} - DAY\n\n" if n % 20 == 0 else "") + f"{' ' * 20}{name(n)}\n{' ' * 10}{said}\n\n",
    )


def write_book(size: int) -> str:
    """Return a book with a chapter every 200 paragraphs."""
    return fill(size, lambda n, said: (f"CHAPTER {n // 200 + 1}\n\n" if n % 200 == 0 else "") + f'"{said}" she said.\n\n')


def write_series(size: int) -> str:
    """Return a series of one episode."""
    scene = '{{"scene_id": "s{0}", "utterances": [{{"speakers": ["{1}"], "transcript": "{2}"}}], "plots": []}},'
    head = '{"season_id": "s01", "episodes": [{"episode_id": "s01_e01", "scenes": ['
    end = '{"scene_id": "e", "utterances": [{"speakers": ["ANNA"], "transcript": "End."}], "plots": ["Anna ends it."]}]}]}'
    return fill(size, lambda n, said: scene.format(n, name(n), said), head, end)


def write_posts(size: int) -> str:
    """Return posts with ten comments each, a record a line."""

    def piece(number: int, said: str) -> str:
        post = number // 10
        if number % 10 == 0:
            record = {"id": f"p{post}", "title": said, "subreddit": "s", "selftext": said, "author": "a", "is_self": True}
        else:
            place = {"link_id": f"t3_p{post}", "parent_id": f"t3_p{post}"}
            record = {"id": f"c{number}", **place, "body": said, "author": f"b{number}"}
        return json.dumps(record) + "\n"

    return fill(size, piece)


def write_one_post(size: int) -> str:
    """Return one post with all the comments."""

    def piece(number: int, said: str) -> str:
        parent = f"t1_c{number // 2}" if number > 3 else "t3_p"
        record = {"id": f"c{number}", "link_id": "t3_p", "parent_id": parent, "body": said, "author": f"b{number}"}
        return json.dumps(record) + "\n"

    post = {"id": "p", "title": "The lamp.", "subreddit": "s", "selftext": "The lamp is lost.", "author": "a", "is_self": True}
    return fill(size, piece, json.dumps(post) + "\n")


def write_records(size: int) -> str:
    """Return records of a sentence."""
    return fill(size, lambda number, said: json.dumps({"id": f"r{number}", "text": said, "license": "MIT"}) + "\n")


def list_kinds() -> Iterator[Kind]:
    """Yield the kinds of files that are large text."""
    recap = {"recaps/C1E001.md": "# E\n\n## Synopsis\n\n" + write_paragraphs(4_000)}
    spoken = {"transcripts/C1E001.txt": write_plain(40_000)}
    show: dict[str, object] = {}
    for suffix, write in (
        ("txt", write_plain),
        ("srt", write_srt),
        ("json", write_speech),
        ("md", lambda size: fill(size, lambda n, said: f"**{name(n)}:** {said}\n\n")),
    ):
        yield Kind(pipeline="transcripts", path=f"transcripts/C1E001.{suffix}", write=write, beside=recap, settings=show)
    for suffix, write in (("html", write_page), ("md", write_paragraphs), ("txt", write_paragraphs)):
        yield Kind(pipeline="transcripts", path=f"recaps/C1E001.{suffix}", write=write, beside=spoken, settings=show)
    no_vectors = dict.fromkeys(("story_max", "clause_max", "story_masked", "clause_masked"), 0.0)
    words = {"alignment": {"weights": {"bm25": 0.75, "roles": 0.5, "osj": 1.0, **no_vectors}}}
    told = {"synopsis.txt": write_paragraphs(4_000)}
    for folder, file, write in (("movies", "script.txt", write_screenplay), ("books", "text.txt", write_book)):
        beside = {f"{folder}/a-film/{path}": text for path, text in told.items()}
        yield Kind(pipeline="scripts", path=f"{folder}/a-film/{file}", write=write, beside=beside, settings=words)
    film = {"movies/a-film/script.txt": write_screenplay(40_000)}
    yield Kind(pipeline="scripts", path="movies/a-film/synopsis.txt", write=write_paragraphs, beside=film, settings=words)
    yield Kind(pipeline="scripts", path="series/a.json", write=write_series, beside={}, settings=words)
    subtitles = {"a-film/synopsis.txt": write_paragraphs(4_000)}
    whole = {"limits": {"max_captions": 10**7, "max_bytes": 64 * 2**20}}
    yield Kind(pipeline="subtitles", path="a-film/film.srt", write=write_srt, beside=subtitles, settings={"shards": 1})
    yield Kind(
        pipeline="subtitles", path="a-film/film.en.srt", write=write_srt, beside=subtitles, settings={"shards": 1, **whole}
    )
    posts = {"shards": 4, "scorer": {"kind": "words"}}
    yield Kind(pipeline="threads", path="posts.ndjson", write=write_posts, beside={}, settings=posts)
    yield Kind(pipeline="threads", path="one.ndjson", write=write_one_post, beside={}, settings=posts)
    for path, write in (
        ("text.txt", write_paragraphs),
        ("table.csv", lambda size: fill(size, lambda _, said: f'"{said}",MIT\n', "text,license\n")),
        ("records.jsonl", write_records),
    ):
        yield Kind(pipeline="rooms", path=path, write=write, beside={}, settings={"shards": 4})


def run_one(kind: Kind, folder: Path, megabytes: int, seconds: float) -> dict[str, Any]:
    """Write the file and what belongs to it, run the pipeline in this process, and return what became of it."""
    from flows.frame.ingestion import InProcessMapper
    from flows.frame.observer import Nobody
    from flows.frame.run import run_pipeline
    from tasks.frame.ledger import RunCall
    from tasks.pipelines import PIPELINES

    source, store = folder / "source", folder / "store"
    for path, text in {**kind.beside, kind.path: kind.write(megabytes * 2**20)}.items():
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
    """Run every kind in a process of its own; return 1 where one ended without an answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--gib", type=int, default=12, help="the most memory that a process may ask for")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    kinds = list(list_kinds())
    if chosen.child is not None:
        resource.setrlimit(resource.RLIMIT_AS, (chosen.gib * 2**30,) * 2)
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(run_one(kinds[chosen.child], Path(folder), chosen.megabytes, chosen.seconds)))
        return 0
    print("| file | what became of it | wall s | processor s | MiB |\n|---|---|---|---|---|", flush=True)
    unanswered = 0
    for number, kind in enumerate(kinds):
        if chosen.only not in f"{kind.pipeline}: {kind.path}":
            continue
        child = [sys.executable, "-m", "lab.hostile.largest_files", "--child", str(number)]
        options = ["--megabytes", str(chosen.megabytes), "--seconds", str(chosen.seconds), "--gib", str(chosen.gib)]
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
