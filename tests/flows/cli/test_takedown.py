"""`fabula takedown` as a user calls it: what is taken down, in any spelling and pipeline, is in no file of store or copies."""

import gzip
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from core.people.pseudonyms import pseudonymise
from tests.flows.calling import Ended, Fabula
from tests.flows.stories import write_episode
from tests.tasks.subtitled import write_film

REASON = ("--reason", "asked for")


def read_everything(folder: Path) -> str:
    """Return the text of every file below a folder: decompressed, and tables as their rows."""
    texts = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        if path.suffix == ".zst":
            content = zstandard.ZstdDecompressor().decompressobj().decompress(content)
        if path.suffix == ".parquet":
            texts.append(str(pq.read_table(pa.BufferReader(content)).to_pylist()))
        texts.append(content.decode("utf-8", "replace"))
    return "\n".join(texts)


def find_planted(folder: Path, planted: Iterable[str]) -> list[str]:
    text = read_everything(folder)
    return [sentence for sentence in planted if sentence in text or json.dumps(sentence)[1:-1] in text]


@dataclass(frozen=True, slots=True)
class Case:
    """A pipeline, how its source is written, what is taken down, how it may be spelt, and sentences that only it has."""

    pipeline: str
    write: Callable[[Path], None]
    listed: str
    spellings: tuple[str, ...]
    planted: tuple[str, ...]
    settings: tuple[str, ...] = ()


def write_episodes(source: Path) -> None:
    for number in range(1, 4):
        write_episode(source, f"S01E{number:02d}", "lantern" if number != 2 else "quixotic samovar")


def write_movies(source: Path) -> None:
    for name, thing in (("the-lamp", "lamp"), ("the-heron", "pewter heron"), ("the-kettle", "kettle")):
        folder = source / "movies" / name
        folder.mkdir(parents=True)
        scenes = (
            f"INT. ROOM {number} - DAY\n\n               ANNA\n     Where did you put the {thing} number {number}?\n\n"
            f"               BEN\n     The {thing} stands on shelf {number}, behind the door.\n"
            for number in range(1, 9)
        )
        (folder / "script.txt").write_text("\n\n".join(scenes))
        (folder / "synopsis.txt").write_text("\n".join(f"Anna asks Ben for the {thing} number {n}." for n in range(1, 9)))


def write_films(source: Path) -> None:
    for name, thing in (("tt99000001", "lamp"), ("tt99000002", "pewter heron")):
        write_film(source, name, thing)


def write_rooms(source: Path) -> None:
    source.mkdir()
    for name, thing in (("the-attic", "oak chest"), ("the_cellar", "pewter heron")):
        text = " ".join(f"You enter room {n}, with a {thing} on the floor and a door in the north wall." for n in range(1, 6))
        (source / f"{name}.txt").write_text(text)
    records = [
        {"id": "tower", "text": "You see a round room with a gilded samovar and a stone floor."},
        {"id": "vault", "text": "You see a low room with an iron door in the wall and a stone floor."},
    ]
    (source / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


PEOPLE = ("FrankFerryman99", "cat_lady", "dog_of_war")
ANSWERS = (
    "Rain and an old lantern do not go together, says the first of {0} who owns one.",
    "My own lantern did so whenever it rained, until the second of {0} mended the old thing. FrankFerryman99 is wrong.",
    "Whenever it rains nobody knows what an old lantern does, but the third of {0} does know it.",
)


def write_threads(source: Path) -> None:
    """Write posts as trees and as lines of dumps, each with people of its own and three whom all have."""
    source.mkdir()

    def tell(post: str) -> str:
        return f"My lantern hung in {post} for years. Now it flickers whenever it rains. What shall I do about it in {post}?"

    trees = []
    for post, author in (("p1", "PatThePoster"), ("p2", "GretaTheAsker")):
        comments = {
            f"{post}c{place}": {
                "text": answer.format(post),
                "author": name,
                "replies": {f"{post}r{place}": {"text": f"I thank reply {place} of {post}.", "author": author}},
            }
            for place, (answer, name) in enumerate(zip(ANSWERS, PEOPLE, strict=True))
        }
        own = {"sid": post, "title:": f"A lantern of {post}", "text": tell(post), "author": author, "_subreddit": "odd"}
        trees.append({**own, "comments": comments})
    post = {"id": "p3", "subreddit": "odd", "title": "A lantern of p3", "selftext": tell("p3"), "author": "wick", "is_self": True}
    lines = [
        {"id": f"p3c{n}", "link_id": "t3_p3", "parent_id": "t3_p3", "author": name, "body": answer.format("p3")}
        for n, (answer, name) in enumerate(zip(ANSWERS, PEOPLE, strict=True))
    ]
    (source / "trees.jsonl").write_text("".join(json.dumps(record) + "\n" for record in trees))
    (source / "RS_2020-01").write_text(json.dumps(post) + "\n")
    (source / "RC_2020-01").write_text("".join(json.dumps(record) + "\n" for record in lines))


WORDS = ("--set", "scorer.kind=words", "--set", "search.method=insert", "--set", "shards=2")
SAMOVAR = ("We carry the quixotic samovar to room 7", "They carry the quixotic samovar to room 8")
HERONS = ("The pewter heron stands on shelf 3", "Anna asks Ben for the pewter heron number 4")
HERON = ("Where have you put the pewter heron number 3", "They look for the pewter heron.")
KEY = "a key for tests alone"
FRANK = pseudonymise("FrankFerryman99", KEY.encode())
FRANKS = tuple(f"says the first of {post} who owns one" for post in ("p1", "p2", "p3"))
ONE = ("--set", "shards=1")
CASES = (
    Case("transcripts", write_episodes, "S01E02", ("s01e02", " S01E02 "), SAMOVAR),
    Case("scripts", write_movies, "the-heron", ("THE_HERON", "The heron"), HERONS),
    Case("subtitles", write_films, "tt99000002", ("99000002", "TT99000002"), HERON, ONE),
    Case("rooms", write_rooms, "the_cellar", ("The-Cellar", "the cellar"), ("You enter room 3, with a pewter heron",)),
    Case("rooms", write_rooms, "tower", ("TOWER",), ("a round room with a gilded samovar",), ONE),
    Case("threads", write_threads, "t3_p3", ("T3_p3",), ("My lantern hung in p3 for years",), WORDS),
    Case("threads", write_threads, "t3_p2_p2c1", ("t1_p2c1",), ("until the second of p2 mended the old thing",), WORDS),
    Case("threads", write_threads, FRANK, (FRANK.upper(), "frankferryman99", "/u/FrankFerryman99"), FRANKS, WORDS),
)
CELLAR, TOWER, POSTS = CASES[3], CASES[4], CASES[-1]


@pytest.fixture
def fabula(fabula: Fabula) -> Fabula:
    """Call `fabula` with the key of the tests."""
    return partial(fabula, FABULA_PSEUDONYM_KEY=KEY)


def run(fabula: Fabula, case: Case, source: Path, store: Path, *more: str) -> Ended:
    ended = fabula("run", case.pipeline, "--source", source, "--store", store, "--in-process", *case.settings, *more)
    assert ended.status == 0, ended.err
    return ended


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.pipeline}-{case.listed}")
def test_what_is_taken_down_is_refused_until_it_is_in_no_file(case: Case, fabula: Fabula, tmp_path: Path) -> None:
    source, store, copy = tmp_path / "source", tmp_path / "store", tmp_path / "copy"
    on = ("--store", store)
    case.write(source)
    run(fabula, case, source, store)
    assert find_planted(store, case.planted) == list(case.planted)
    assert fabula("publish", case.pipeline, copy, *on).status == 0
    assert find_planted(copy, case.planted)
    run(fabula, case, source, store, "--set", "provenance.license=CC0-1.0")  # another release that holds it
    for spelling in (case.listed, *case.spellings):
        added = fabula("takedown", "add", spelling, "--pipeline", case.pipeline, *REASON, *on)
        assert (added.status, f"({case.listed})" in added.out) == (0, True), added.err
    command = added.out.splitlines()[-1]
    assert command == f"fabula takedown apply --pipeline {case.pipeline} --store {store}"
    assert [entry["id"] for entry in fabula("takedown", "list", *on, "--json").json] == [case.listed]

    for words in (
        ("publish", case.pipeline, tmp_path / "other"),
        ("publish", case.pipeline, "hf://datasets/me/it"),
        ("export", "jsonl", case.pipeline, tmp_path / "lines"),
        ("export", "index", case.pipeline, tmp_path / "index"),
        ("report", case.pipeline, "--no-open"),
        ("show", case.pipeline, "--sample", "1"),
        ("review", case.pipeline, "--annotator", "anna", "--no-open"),
        ("benchmark", case.pipeline, "--in-process"),
        ("measure", case.pipeline, "--in-process"),
    ):
        refused = fabula(*words, *on)
        assert (refused.status, case.listed in refused.err, command in refused.err) == (2, True, True), (words, refused.err)
    assert not any((tmp_path / name).exists() for name in ("other", "lines", "index"))
    if not case.listed.startswith("author-"):
        assert fabula("show", case.spellings[0], *on).status == 2
    told = fabula("export", "jsonl", case.pipeline, tmp_path / "told", *on, "--with-taken-down")
    assert (told.status, bool(find_planted(tmp_path / "told", case.planted))) == (0, True)
    assert "is the latest: it stays until a run has made the next one" in fabula("prune", *on).err

    applied = fabula(*command.split()[1:])
    assert applied.status == 0, applied.err
    assert find_planted(store, case.planted) == []
    assert find_planted(copy, case.planted) == []
    assert fabula("export", "jsonl", case.pipeline, tmp_path / "after", *on).status == 0
    assert find_planted(tmp_path / "after", case.planted) == []
    assert fabula("verify", case.pipeline, *on).status == fabula("verify", case.pipeline, "--store", copy).status == 0
    assert fabula("prune", *on, "--json").json["parts"] == []
    run(fabula, case, source, store)
    assert find_planted(store, case.planted) == []
    assert "frankferryman99" not in read_everything(store).casefold()  # others still name him

    assert fabula("takedown", "remove", case.spellings[-1], "--pipeline", case.pipeline, *on).status == 0
    run(fabula, case, source, store)
    assert find_planted(store, case.planted) == list(case.planted)


def start(fabula: Fabula, case: Case, tmp_path: Path) -> tuple[Path, Path, tuple[str | Path, ...]]:
    """Run a case's source into a store; return both, and the options of `takedown add` and `remove`."""
    source, store = tmp_path / "source", tmp_path / "store"
    case.write(source)
    run(fabula, case, source, store)
    return source, store, ("--pipeline", case.pipeline, "--store", store)


def test_the_name_of_a_person_is_in_no_output_and_no_file(fabula: Fabula, tmp_path: Path) -> None:
    source, store, on = start(fabula, POSTS, tmp_path)
    unknown = fabula("takedown", "add", "u/PetraPrivate", *REASON, *on)
    assert (unknown.status, "no id and no author of the name that was given" in unknown.err) == (2, True)
    known = fabula("takedown", "add", "@FrankFerryman99", *REASON, *on)
    forced = fabula("takedown", "add", "/u/PetraPrivate", *REASON, *on, "--force")
    petra = pseudonymise("PetraPrivate", KEY.encode())
    assert f"note: {petra}: the latest release does not name it; it keeps out the posts and comments of the author" in forced.err
    absent = fabula("takedown", "remove", "quentin_hidden", *on)
    assert (absent.status, "is not on the takedown list" in absent.err) == (2, True)
    assert sorted(entry["id"] for entry in fabula("takedown", "list", "--store", store, "--json").json) == sorted([FRANK, petra])
    removed = fabula("takedown", "remove", "user/petraprivate", *on)
    assert (removed.status, fabula("takedown", "list", *on, "--json").json[0]["id"]) == (0, FRANK)
    said = "".join(ended.out + ended.err for ended in (unknown, known, forced, absent, removed)).casefold()
    lists = read_everything(store / "takedown").casefold()
    for name in ("petraprivate", "frankferryman99", "quentin"):
        assert name not in said + lists
    again = ("run", "threads", "--source", source, "--store", store, "--in-process", *POSTS.settings)
    other = fabula(*again, FABULA_PSEUDONYM_KEY="another key of 20 letters")
    assert (other.status, "the key that made these is not here" in other.err) == (2, True)
    everybody = fabula("takedown", "add", "author-unknown", *REASON, *on, "--force")
    assert (everybody.status, "stands for every author" in everybody.err) == (2, True)


def test_the_lists_of_all_pipelines_are_shown_together(fabula: Fabula, tmp_path: Path) -> None:
    on = ("--store", tmp_path / "store")
    assert fabula("takedown", "list", *on).err == "the takedown list of every pipeline is empty\n"
    for pipeline, name in (("scripts", "the-film"), ("rooms", "attic")):
        assert fabula("takedown", "add", name, "--pipeline", pipeline, *REASON, *on, "--force").status == 0
    listed = fabula("takedown", "list", *on, "--json").json
    assert [(entry["pipeline"], entry["id"]) for entry in listed] == [("rooms", "attic"), ("scripts", "the-film")]
    shown = fabula("takedown", "list", *on).out.splitlines()
    assert [line.split()[:2] for line in shown] == [["id", "pipeline"], ["attic", "rooms"], ["the-film", "scripts"]]


def test_the_last_unit_takes_the_dataset_with_it(fabula: Fabula, tmp_path: Path) -> None:
    source, store, on = start(fabula, TOWER, tmp_path)
    copy = tmp_path / "copy"
    assert fabula("publish", "rooms", copy, "--store", store).status == 0
    names = [entry.stem for entry in source.glob("*.txt")]
    assert fabula("takedown", "add", *names, "tower", "vault", *REASON, *on).status == 0
    applied = fabula("takedown", "apply", *on)
    assert applied.status == 0, applied.err
    everything = ("gilded samovar", "iron door", "pewter heron", "oak chest")
    assert find_planted(store, everything) == find_planted(copy, everything) == []
    assert "has no dataset" in fabula("export", "jsonl", "rooms", tmp_path / "lines", "--store", store).err
    assert fabula("takedown", "remove", "vault", *on).status == 0
    run(fabula, TOWER, source, store)
    assert find_planted(store, everything) == ["iron door"]


def test_a_release_whose_last_row_is_taken_down_goes_though_units_without_rows_stay(fabula: Fabula, tmp_path: Path) -> None:
    source, store, on = start(fabula, TOWER, tmp_path)
    for path in source.glob("*.txt"):
        path.unlink()
    tower, *_ = (source / "records.jsonl").read_text().splitlines()
    (source / "records.jsonl").write_text(tower + '\n{"id": "talk", "text": "It is shut, he said."}\n')
    run(fabula, TOWER, source, store, "--allow-removal")
    assert fabula("takedown", "add", "tower", *REASON, *on).status == 0
    applied = fabula("takedown", "apply", *on)
    assert applied.status == 0, applied.err
    assert find_planted(store, ["gilded samovar"]) == []


def test_a_run_that_cannot_be_made_again_is_named(fabula: Fabula, tmp_path: Path) -> None:
    source, _, on = start(fabula, CELLAR, tmp_path)
    assert fabula("takedown", "add", "the_cellar", *REASON, *on).status == 0
    source.rename(tmp_path / "elsewhere")
    failed = fabula("takedown", "apply", *on)
    assert failed.status == 2
    assert "The last run of rooms cannot be made here. Make it where its source is, and then this again: fabula run" in failed.err
