"""A classifier of discussion starters trained on posts of the test, and a run that reads it."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from core.threads.config import ThreadsConfig
from infra.models.sealed import StarterModel, read_model
from infra.settings import load_config
from infra.store.objects import Store
from lab.training.reply_pairs import hash_post
from lab.training.starters import train_starter_classifier
from tasks.pipelines import THREADS
from tests.tasks import in_process
from tests.tiny_transformer import save_tiny_transformer

THINGS = ("lamp", "boat", "goat", "tea", "clock", "snow", "kettle", "roof", "bread", "violin", "garden", "letter")


def write_posts(folder: Path, title: str | None = None) -> str:
    """Write 24 posts with a matter of their own, and 12 that only ask everyone to tell, under `title`; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "posts.jsonl").open("w", encoding="utf-8") as stream:
        for number in range(36):
            thing, asks = THINGS[number % 12], number % 3 == 0
            other = THINGS[(number * 5 + number // 12) % 12]
            text = f"My {thing} broke in the rain and I do not know why. My {other} is well. It was {number} years old."
            if asks:
                text = f"What do you do with your {thing}? Share your stories below! Everyone may tell us of any {thing}."
            said = [f"The {thing} of mine has been here for {place} years now." for place in range(4)]
            comments = {f"c{number}_{place}": {"text": line, "author": "cat"} for place, line in enumerate(said)}
            asked = title or f"Tell everyone of the {thing} and the {other} you love!"
            record = {
                "sid": f"p{number}",
                "title:": asked if asks else f"The {thing} that I lost with the {other}",
                "text": text,
                "author": "keeper" if asks else "wick",
                "comments": comments,
            }
            stream.write(json.dumps(record) + "\n")
    return str(folder)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> ThreadsConfig:
    model = save_tiny_transformer(tmp_path_factory.mktemp("model"), *THINGS)
    return load_config(ThreadsConfig, "threads", overrides={"scorer": {"embedding_model": model}})


def test_a_classifier_trained_on_labels_is_read_by_a_run(settings: ThreadsConfig, tmp_path: Path) -> None:
    source, labels, out = write_posts(tmp_path / "posts"), tmp_path / "labels.tsv", tmp_path / "starters.json"
    names = [f"t3_p{number}" for number in range(36)]
    hashed = [hash_post(name).hex()[:16] if number % 2 else name for number, name in enumerate(names)]
    labels.write_text(
        "".join(f"{name}\t{int(number % 3 == 0)}\n" for number, name in enumerate(hashed)) + "t3_gone\t0\n", "utf-8-sig"
    )
    told: list[str] = []
    found = train_starter_classifier([source], str(out), settings, str(labels), str(tmp_path / "vectors"), told.append)
    assert (found["labels"], found["unknown_labels"], found["trained_on"]) == ("given", 1, {"posts": 36, "starters": 12})
    assert found["classifier"]["f1"] > 0.9 > 0.1 > (found["rules"]["f1"] or 0)
    assert told[-1].startswith("cross-validating")
    assert read_model(StarterModel, str(out)).metrics["classifier"] == found["classifier"]
    store = Store(str(tmp_path / "store"))
    overrides: dict[str, Any] = {
        "scorer": {"kind": "words", "embedding_model": settings.scorer.embedding_model}, "search": {"method": "insert"},
    }  # fmt: skip
    in_process.run(THREADS, Path(source), store, **overrides)
    before = {row["id"] for row in in_process.read_rows(store, "threads", "rejects") if row["reason"] == "discussion starter"}
    in_process.run(THREADS, Path(source), store, **overrides, starter={"classifier": str(out)})
    after = {row["id"] for row in in_process.read_rows(store, "threads", "rejects") if row["reason"] == "discussion starter"}
    assert (before, after) == (set(), {f"t3_p{number}" for number in range(0, 36, 3)})
    for text, reason in (
        (out.read_text()[:-9], "is none"),
        (out.read_text().replace('"given"', '"taken"'), "not what was written"),
    ):
        (tmp_path / "odd.json").write_text(text)
        with pytest.raises(ConfigError, match=reason):
            in_process.run(THREADS, Path(source), store, **overrides, starter={"classifier": str(tmp_path / "odd.json")})


def test_labels_that_do_not_fit_are_told(settings: ThreadsConfig, tmp_path: Path) -> None:
    out, source = str(tmp_path / "starters.json"), write_posts(tmp_path / "posts")
    one_title = write_posts(tmp_path / "same", title="The lamp")
    every = "".join(f"t3_p{number}\t{int(number % 3 == 0)}\n" for number in range(36))
    for posts, labels, message in (
        (source, "t3_p0\t1\nt3_p1\t0\n", "expected at least 5 of each"),
        (source, "p0\t1\n", "found 'p0', expected `t3_` and the id in the source"),
        (source, "t3_p0\t1\n\nt3_p1 yes\n", "line 3 is 't3_p1 yes'; expected a post's id, a tab, and 0 or 1"),
        (source, "t3_p0\t1\nt3_p0\t0\n", "t3_p0 has another label in a line before it"),
        (source, None, "name a file of them"),
        (one_title, every, "label posts of more titles"),
    ):
        file = tmp_path / "labels.tsv"
        file.unlink(missing_ok=True)
        if labels is not None:
            file.write_text(labels)
        with pytest.raises(ConfigError, match=message):
            train_starter_classifier([posts], out, settings, str(file))
