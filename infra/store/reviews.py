"""Decisions of annotators, and comparisons with gold. A decision is one small object, so that nothing can be lost or torn.

`reviews/<dataset>/<annotator>/<time>-<digest>.jsonl` holds an annotator's answers about one item, a line each: object stores can
neither append nor lock. Files of many lines, `reviews/<dataset>/<annotator>.jsonl`, are read as well: people may put them there.
`evaluations/<dataset>/<kind>.json` is the last comparison of its kind (gold, reviews).
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from pydantic import TypeAdapter

from core.dataset.report import Quality
from core.errors import ConfigError
from core.review.judgements import Judgement, Reviews, find_moment, read_judgements, write_judgements
from infra.store.objects import Store

_QUALITY = TypeAdapter(Quality)
_ANNOTATOR = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


def check_annotator(name: str) -> str:
    """Return an annotator's name; ConfigError where it cannot be a file's name."""
    if not _ANNOTATOR.fullmatch(name) or ".." in name:
        raise ConfigError(f"annotator {name!r}: expected letters, digits and . _ @ -, at most 64, such as anna, or a pseudonym")
    return name


def add_judgements(store: Store, judgements: Iterable[Judgement]) -> list[str]:
    """Write judgements, each as an object of its own, and return their keys; the same judgement twice is one object."""
    return [add_answers(store, [judgement]) for judgement in judgements]


def add_answers(store: Store, answers: Sequence[Judgement]) -> str:
    """Write the answers of one annotator about one item as one object, all or none of them; return its key."""
    lines = write_judgements(answers)
    first = answers[0]
    time = re.sub(r"[^0-9T]", "", first.at)[:21]
    digest = hashlib.sha256(lines).hexdigest()[:16]
    key = f"reviews/{first.dataset}/{check_annotator(first.annotator)}/{time}-{digest}.jsonl"
    store.write(key, lines)
    return key


def read_reviews(store: Store, dataset: str) -> Reviews:
    """Return all judgements of a dataset in the order of their times.

    A line that is none is refused alone, and one that stands twice counts once.
    """
    keys = [key for key in store.list_keys(f"reviews/{dataset}") if key.endswith(".jsonl")]
    found: dict[Judgement, None] = {}
    refused: list[str] = []
    for key, content in sorted(store.read_all(keys).items()):
        read = read_judgements(content.splitlines(), key)
        found |= dict.fromkeys(entry for entry in read.judgements if entry.dataset == dataset)
        refused += read.refused
        others = sum(entry.dataset != dataset for entry in read.judgements)
        refused += [f"{key}: {others} judgement(s) of another dataset than {dataset}"] if others else []
    return Reviews(tuple(sorted(found, key=lambda entry: (find_moment(entry), entry.annotator, entry.item))), tuple(refused))


def write_evaluation(store: Store, dataset: str, kind: str, quality: Quality) -> None:
    """Keep a comparison, in the place of the one before of this kind."""
    store.write_json(f"evaluations/{dataset}/{kind}.json", asdict(quality))


def read_evaluations(store: Store, dataset: str) -> dict[str, Quality]:
    """Return the comparisons of a dataset by kind; a damaged one is passed over, with a warning."""
    found = {}
    for key in store.list_keys(f"evaluations/{dataset}"):
        quality = store.read_derived(key, _QUALITY, "the card goes without it; evaluate again with --record")
        if quality is not None:
            found[key.rsplit("/", 1)[-1].removesuffix(".json")] = quality
    return found
