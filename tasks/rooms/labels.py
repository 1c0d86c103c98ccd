"""Labelled sentences: gold files, and judgements of people on rows of a release."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import ConfigError
from core.review.decisions import is_hasty
from core.review.judgements import Judgement, digest_row, digest_texts, keep_latest, read_judgements
from core.rooms.sentences import clean_text
from core.text.decoding import decode_text
from infra.sources.opening import list_sources, read_file
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.tables.parquet import read_rows

QUESTION = "room"
"""What raters are asked: does the sentence describe a room or a place? The answer is true or false."""
_FILE_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence with its label; `apart`: its label is unsure, so that it is neither trained on nor rated."""

    text: str
    room: bool
    kind: str
    episode: str
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Labels:
    """Labelled sentences in order, and what was refused with the reasons."""

    sentences: tuple[LabelledSentence, ...]
    refused: tuple[str, ...]

    @property
    def checksum(self) -> str:
        """SHA-256 of the sentences and their labels."""
        lines = [json.dumps([each.text, each.room, each.kind, each.episode]) for each in self.sentences]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def read_gold(url: str) -> Labels:
    """Read `*.jsonl` of a folder: `text`, `label` (0 or 1), and where known `kind` and `episode`.

    Kinds that begin with `unlabelled` are kept apart. Sentences without an episode count as an episode each.
    """
    found: list[LabelledSentence] = []
    refused: list[str] = []
    for file in (file for file in list_sources([url]) if file.path.endswith(".jsonl")):
        for number, line in enumerate(decode_text(file.path, read_file(file, _FILE_BYTES)).split("\n"), 1):
            if line.strip():
                try:
                    found.append(_read_label(line))
                except (ValueError, TypeError, KeyError, RecursionError) as error:
                    refused.append(f"{file.path}, line {number}: found no label ({error!r}); expected text, and label 0 or 1")
    if not found:
        raise ConfigError(f"--gold {url}: found no labelled sentences; expected *.jsonl with text and label")
    return Labels(tuple(found), tuple(refused))


def _read_label(line: str) -> LabelledSentence:
    entry = json.loads(line)
    if not isinstance(entry["text"], str):
        raise TypeError(f"the text is {type(entry['text']).__name__}")
    text, label, kind = clean_text(entry["text"]), entry["label"], str(entry.get("kind") or "")
    if label not in (0, 1) or not text:
        raise ValueError(label)
    episode = entry.get("episode") or f"text {hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return LabelledSentence(text, bool(label), kind, str(episode), kind.startswith("unlabelled"))


def read_judged(store: Store, dataset: str, folder: str | None = None) -> Labels:
    """Return the sentences of a release that people have judged: files of the store's `reviews/<dataset>/`, and of a folder.

    A sentence counts as a room where more than half of its raters say so; a tie is left out. Of a rater's answers the last
    counts, whatever the release. Answers that were too fast, and answers about another text, do not count.
    """
    lines: list[tuple[str, list[bytes]]] = [
        (key, store.read(key).splitlines()) for key in store.list_keys(f"reviews/{dataset}") if key.endswith(".jsonl")
    ]
    if folder is not None:
        files = [file for file in list_sources([folder]) if file.path.endswith(".jsonl")]
        lines += [(file.path, read_file(file, _FILE_BYTES).splitlines()) for file in files]
    judgements: list[Judgement] = []
    refused: list[str] = []
    for name, content in lines:
        read = read_judgements(content, name)
        judgements += read.judgements
        refused += read.refused
    given = [each for each in judgements if each.question == QUESTION and each.dataset == dataset and not is_hasty(each)]
    items = {each.item for each in given}
    texts = {row["id"]: row for row in read_sentences(store, dataset, _JUDGED) if row["id"] in items} if items else {}
    refused += [f"{item}: judged, and no row of dataset {dataset} with a text" for item in sorted(items - texts.keys())]
    digests = {item: ("", digest_row(row["text"], digest_texts(()))) for item, row in texts.items()}
    answers: dict[str, list[bool]] = {}
    for each in keep_latest(replace(each, version="") for each in given if each.digest in digests.get(each.item, ())):
        if isinstance(each.answer, bool):
            answers.setdefault(each.item, []).append(each.answer)
    sentences = tuple(
        LabelledSentence(texts[item]["text"], sum(said) * 2 > len(said), "judged", texts[item]["document"])
        for item, said in answers.items()
        if sum(said) * 2 != len(said)
    )
    return Labels(sentences, tuple(refused))


_JUDGED = ("rooms", "sentences", "rejects")
"""The tables with what people may have judged."""


def read_sentences(store: Store, dataset: str, tables: Sequence[str] = ("sentences", "rejects")) -> list[dict[str, str]]:
    """Return id, document and text of every sentence of the latest release that has a text, the reason and the score."""
    manifest = read_manifest(store, dataset)
    if manifest is None:
        raise ConfigError(f"store {store.url} has no dataset {dataset!r}; make it with fabula run rooms --store {store.url}")
    folder = release_key(dataset, manifest.version)
    rows = []
    for file in manifest.tables:
        if file.table in tables:
            found = read_rows(store, f"{folder}/{file.path}", ("id", "document", "text", "score"), ("reason",))
            rows += [row for row in found if row["text"] is not None]
    return rows
