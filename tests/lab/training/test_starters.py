"""A classifier of discussion starters trained on posts of the test, and a run that reads it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from core.threads.config import ThreadsConfig
from core.threads.posts import Post
from infra.models.sealed import StarterModel, read_model
from infra.settings import load_config
from infra.store.objects import Store
from lab.training.reply_pairs import hash_post
from lab.training.starter_labels import label_weakly, read_labels, simplify_title
from lab.training.starters import train_starter_classifier
from tasks.pipelines import THREADS
from tests.tasks import in_process
from tests.tiny_transformer import save_tiny_transformer

THINGS = ("lamp", "boat", "goat", "tea", "clock", "snow", "kettle", "roof", "bread", "violin", "garden", "letter")


def write_posts(folder: Path, author: str = "keeper") -> str:
    """Write 24 posts with a matter of their own, and 12 that only ask everyone to tell; return the folder."""
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
            title = f"Tell everyone of the {thing} and the {other}!" if asks else f"The {thing} that I lost with the {other}"
            who = author if asks else "wick"
            record = {"sid": f"p{number}", "title:": title, "text": text, "author": who, "comments": comments}
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
    found = train_starter_classifier([source], str(out), settings, str(labels), 100, str(tmp_path / "vectors"), told.append)
    assert (found["labels"], found["unknown_labels"], found["trained_on"]) == ("given", 1, {"posts": 36, "starters": 12})
    assert found["classifier"]["f1"] > 0.9 > 0.1 > (found["rules"]["f1"] or 0)
    assert told[-1].startswith("cross-validating")
    assert read_model(StarterModel, str(out)).metrics["classifier"] == found["classifier"]
    store = Store(str(tmp_path / "store"))
    overrides: dict[str, Any] = {
        "scorer": {"kind": "words", "embedding_model": settings.scorer.embedding_model}, "postfilter": {"drop_share": 0.0},
    }  # fmt: skip
    in_process.run(THREADS, Path(source), store, **overrides)
    before = {row["id"] for row in in_process.read_rows(store, "threads", "rejects") if row["reason"] == "discussion starter"}
    in_process.run(THREADS, Path(source), store, **overrides, starter={"classifier": str(out)})
    after = {row["id"] for row in in_process.read_rows(store, "threads", "rejects") if row["reason"] == "discussion starter"}
    assert (before, after) == (set(), {f"t3_p{number}" for number in range(0, 36, 3)})
    for text, reason in (
        (out.read_text()[:-9], "is none"),
        (out.read_text().replace('"given"', '"weak"'), "not what was written"),
    ):
        (tmp_path / "odd.json").write_text(text)
        with pytest.raises(ConfigError, match=reason):
            in_process.run(THREADS, Path(source), store, **overrides, starter={"classifier": str(tmp_path / "odd.json")})


def test_weak_labels_come_from_moderators_and_missing_ones_are_told(settings: ThreadsConfig, tmp_path: Path) -> None:
    out = str(tmp_path / "starters.json")
    found = train_starter_classifier([write_posts(tmp_path / "posts", "AutoModerator")], out, settings, None, 100)
    assert (found["labels"], found["trained_on"]["starters"]) == ("weak", 12)
    assert found["classifier"]["recall"]["value"] > 0.8
    source = write_posts(tmp_path / "plain")
    with pytest.raises(ConfigError, match="give labels with --labels"):
        train_starter_classifier([source], out, settings, None, 100)
    (tmp_path / "few.tsv").write_text("t3_p0\t1\nt3_p1\t0\n")
    with pytest.raises(ConfigError, match="expected at least 5 of each"):
        train_starter_classifier([source], out, settings, str(tmp_path / "few.tsv"), 100)
    (tmp_path / "bare.tsv").write_text("p0\t1\n")
    with pytest.raises(ConfigError, match="found 'p0', expected `t3_` and the id in the source"):
        train_starter_classifier([source], out, settings, str(tmp_path / "bare.tsv"), 100)
    with pytest.raises(ConfigError, match="name a file of them"):
        train_starter_classifier([source], out, settings, str(tmp_path / "none.tsv"), 100)
    same = tmp_path / "same" / "posts.jsonl"
    same.parent.mkdir()
    records = [json.loads(line) for line in (tmp_path / "posts" / "posts.jsonl").read_text().splitlines()]
    threads = [record | {"title:": "The lamp"} if record["author"] == "AutoModerator" else record for record in records]
    same.write_text("".join(json.dumps(record) + "\n" for record in threads))
    with pytest.raises(ConfigError, match="label posts of more titles"):
        train_starter_classifier([str(same.parent)], out, settings, None, 100)


def post(name: str, title: str, text: str = "", author: str | None = "wick") -> Post:
    return Post(name, "odd", title, text, author, False, True, ())


def test_weak_labels_are_moderators_and_titles_that_recur_under_one_author() -> None:
    recurring = [post(f"t3_{day}", f"Lamps of the week, {day} May 2022", author="keeper") for day in (1, 8, 15)]
    others = [
        replace(post("t3_m", "Rules"), moderated=True),
        post("t3_o", "Lamps of the week, 22 May 2022"),
        post("t3_n", "A", author=None),
    ]
    unknown = [post(f"t3_u{place}", "My lamp", author=None) for place in range(4)]
    labels = label_weakly([*recurring, *others, *unknown])
    assert {name for name, label in labels.items() if label} == {"t3_1", "t3_8", "t3_15", "t3_m"}
    assert len(labels) == 10
    assert simplify_title("Simple Questions: February 22, 2022") == "simple questions"


def test_labels_are_read_and_odd_lines_are_told() -> None:
    assert read_labels(["t3_a\t1", "", "0123456789abcdef\t0\n"]) == {"t3_a": True, "0123456789abcdef": False}
    with pytest.raises(ValueError, match="line 2 is 't3_b yes'; expected a post's id, a tab, and 0 or 1"):
        read_labels(["t3_a\t1", "t3_b yes"])
    with pytest.raises(ValueError, match="t3_a has another label in a line before it"):
        read_labels(["t3_a\t1", "t3_a\t0"])
