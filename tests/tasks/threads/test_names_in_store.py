"""No file of a store but the key's own holds a name of the people whose posts it was made from."""

import gzip
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from core.people.names import is_common, split_name
from infra import pseudonym_key
from infra.pseudonym_key import FOLDER, KEY
from infra.store.objects import Store
from tasks.pipelines import THREADS
from tests.tasks import in_process

WORDS = {"scorer": {"kind": "words"}, "search": {"method": "insert"}}
FORMS = (
    "Hi {}, dry the lantern with a cloth before you light it.",
    "I think @{} is right that the lantern is damp in the boathouse.",
    "As u/{} said, the lantern flickers whenever it rains there.",
    "{}'s lantern was never damp, and mine flickers in rain too.",
    "See [{0}](https://example.org/user/{0}/comments/1) for another damp lantern.",
    "Ask r/u_{0} or /u/{0}/u/{0}, they know lanterns that flicker.",
    "From: {}\nLeave the lantern in the boathouse for a week or two.",
    "On Mon, 3 Jan 2022, {} <{}@example.org> wrote:\n> Is it damp?\nYes, the lantern is damp.",
    "Dear **{}**, *_{}_* you should put the lantern by the stove.",
    "{}",
)
NAMES = st.from_regex(r"\A[A-Z][a-z]{4,9}([_-]?[A-Z][a-z]{3,8}){0,2}[0-9]{0,4}\Z").filter(
    lambda name: not all(is_common(part) or part.isdigit() for part in split_name(name))
)


@st.composite
def draw_sources(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Return names, and the lines of a file: trees and single records, whole and broken, that hold them everywhere."""
    people = draw(st.lists(NAMES, min_size=3, max_size=5, unique_by=str.casefold))
    someone = st.sampled_from(people)
    said = st.builds(lambda form, name, other: form.format(name, other), st.sampled_from(FORMS), someone, someone)
    lines = []
    for number in range(draw(st.integers(2, 4))):
        opening = f"The lantern hung in the boathouse, {draw(someone)}. Now the lantern flickers whenever it rains. "
        comments: list[dict[str, Any]] = [{"id": f"a{at}", "author": name, "body": "Yes."} for at, name in enumerate(people)]
        for place in range(draw(st.integers(2, 6))):
            comment: dict[str, Any] = {"author": draw(someone), "body": draw(said)}
            name = draw(st.sampled_from([f"c{place}", None, f"{draw(someone)}-{place}"]))
            comments.append(comment if name is None else comment | {"id": name})
        broken = [7, {"author": people[0]}, {"id": people[1] * 9, "body": people[2]}]
        comments += draw(st.lists(st.sampled_from(broken), max_size=2))
        post = {
            "id": f"p{number}",
            "title": f"Is the lantern of {draw(someone)} damp?",
            "selftext": opening + draw(said),
            "author": draw(someone),
            "subreddit": draw(st.sampled_from(["odd", f"u_{draw(someone)}"])),
            "permalink": f"/user/{draw(someone)}/comments/p{number}/",
            "author_flair_text": draw(someone),
            "crosspost_parent_list": [{"author": draw(someone), "subreddit": f"u_{draw(someone)}"}],
            "comments": comments,
        }
        lines.append(json.dumps(post))
    lines += draw(
        st.lists(
            st.sampled_from(
                [
                    f'{{"author": "{people[0]}", ',
                    json.dumps({"author": people[0], "body": people[1]}),
                    json.dumps({"id": people[0] * 20, "title": people[1], "author": people[2]}),
                    json.dumps({"id": "p0", "title": people[0], "selftext": people[1], "author": people[2]}),
                    json.dumps({"id": "p9", "title": 7, "selftext": people[1], "author": people[2]}),
                    json.dumps({"id": "c", "link_id": "t3_gone", "parent_id": "t3_gone", "author": people[0], "body": people[1]}),
                ]
            ),
            max_size=4,
            unique=True,
        )
    )
    return people, lines


@settings(max_examples=6, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(draw_sources())
def test_no_file_of_a_store_holds_a_name(drawn: tuple[list[str], list[str]]) -> None:
    people, lines = drawn
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.delenv(KEY)
        patch.setattr(pseudonym_key, "_SETTLE", 0.0)
        source, store = Path(folder) / "source", Store(f"{folder}/store")
        source.mkdir()
        (source / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
        in_process.run(THREADS, source, store, **WORDS)
        held = [(key, name) for key, text in read_everything(store) for name in people if name.casefold() in text]
        assert held == []
        assert store.list_keys(FOLDER)
        assert store.list_keys("landing/threads")


def read_everything(store: Store) -> Iterator[tuple[str, str]]:
    """Yield the key and the contents of every object, in lower case: its bytes, what is packed in them, the cells of tables."""
    for key in store.list_keys(""):
        content = store.read(key)
        found = [key.encode(), content]
        if content[:2] == b"\x1f\x8b":
            found.append(gzip.decompress(content))
        if content[:4] == b"\x28\xb5\x2f\xfd":
            found.append(zstandard.ZstdDecompressor().decompressobj().decompress(content))
        if key.endswith(".parquet"):
            table = pq.read_table(io.BytesIO(content))
            found.append(json.dumps(table.to_pylist(), default=str, ensure_ascii=False).encode())
            found.append(repr(table.schema.metadata).encode())
        yield key, b"\n".join(found).decode("latin-1").casefold()
