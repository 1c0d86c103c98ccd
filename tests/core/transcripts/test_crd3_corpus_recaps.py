"""Compares our reading of CRD3's wiki pages with CRD3's published data."""

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.text.sentences import make_splitter
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap

ROOT = Path(os.environ.get("FABULA_CORPORA", "")) / "crd3"
pytestmark = pytest.mark.skipif(
    "FABULA_CORPORA" not in os.environ, reason="FABULA_CORPORA is not set: no CRD3 pages to compare with"
)

RESIDUE = re.compile(r"\[ ?(?:Expand|edit|Edit|src|!h|\d+|art \d+) ?\]|^Edit$")
"""Wiki marks that CRD3 left in the text and that we remove."""


def fold(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def squeeze(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def recaps() -> dict[str, Recap]:
    """Every third page, and those with gold."""
    gold = {path.stem for path in (ROOT / "gold").glob("*.json")}
    pages = {path.name.split("_")[0]: path for path in sorted((ROOT / "raw summary data").glob("*.html"))}
    chosen = {*list(pages)[::3], *gold}
    splitter = make_splitter("spacy")
    return {unit: read_recap(pages[unit].name, pages[unit].read_text("utf-8"), splitter) for unit in sorted(chosen)}


def read_metadata(episode: str) -> list[dict[str, Any]]:
    synopsis: list[dict[str, Any]] = json.loads((ROOT / "cleaned data" / f"{episode}.json").read_text("utf-8"))["METADATA"][
        "Synopsis"
    ]
    return synopsis


def read_chunks(episode: str) -> list[list[str]]:
    """Return CRD3's chunks of two sentences at both offsets; [] for an episode that CRD3 left out."""
    paths = [ROOT / "aligned data" / "c=2" / f"{episode}_2_{offset}.json" for offset in (0, 1)]
    return [[row["CHUNK"] for row in json.loads(path.read_text("utf-8"))] for path in paths if path.exists()]


def test_headings_equal_crd3s(recaps: dict[str, Recap]) -> None:
    equal = 0
    for episode, recap in recaps.items():
        theirs = [
            (squeeze(s["heading"]), [squeeze(b["sub-heading"]) for b in s["content"] if b["sub-heading"]])
            for s in read_metadata(episode)
        ]
        ours: list[tuple[str, list[str]]] = []
        for section in recap.sections:
            if not ours or (ours[-1][0] != section.heading):
                ours.append((section.heading, []))
            if section.subheading:
                ours[-1][1].append(section.subheading)
        if ours and ours[0][0] == "Synopsis":  # text directly under the synopsis heading, which CRD3 lost
            ours = ours[1:]
        equal += ours == theirs
    assert equal / len(recaps) >= 0.98


def test_words_equal_crd3s(recaps: dict[str, Recap]) -> None:
    shares = []
    for episode, recap in recaps.items():
        ours: dict[tuple[str, str], Counter[str]] = {}
        for section in recap.sections:
            words = ours.setdefault((section.heading, section.subheading), Counter())
            words.update(re.findall(r"\w+", " ".join(section.paragraphs)))
        for section_row in read_metadata(episode):
            for part in section_row["content"]:
                theirs = Counter(re.findall(r"\w+", RESIDUE.sub("", part["content"])))
                mine = ours.get((squeeze(section_row["heading"]), squeeze(part["sub-heading"])), Counter())
                longer = max(theirs.total(), mine.total())
                shares.append((theirs & mine).total() / longer if longer else 1.0)
    assert sum(shares) / len(shares) >= 0.98


def test_no_wiki_marks_are_left_and_every_recap_has_announcements_a_recap_and_plot(recaps: dict[str, Recap]) -> None:
    chrome = re.compile(r"\[ ?(?:Expand|Collapse|edit|src|\d+|art \d+) ?\]|</?div|Fan Feed|FANDOM", re.IGNORECASE)
    found = [match[0] for recap in recaps.values() for sentence in recap.sentences if (match := chrome.search(sentence))]
    assert not found
    assert all({"announcements", "recap", "plot"} <= {section.kind for section in recap.sections} for recap in recaps.values())


@pytest.mark.parametrize("name", ["spacy", "regex"])
def test_sentence_boundaries_equal_crd3s(recaps: dict[str, Recap], name: str) -> None:
    """Compare the sentence boundaries inside paragraphs, where the splitter decides.

    A boundary counts if the 14 letters before it and the 14 letters after it occur in both texts.
    """
    splitter = make_splitter(name)  # type: ignore[arg-type]
    hits = ours_only = theirs_only = exact = folded = chunks = 0
    for episode, recap in recaps.items():
        published = read_chunks(episode)
        if not published:
            continue
        paragraphs = [paragraph for section in recap.sections for paragraph in section.paragraphs]
        sentences = [splitter(paragraph) for paragraph in paragraphs]
        ours, theirs = "".join(map(fold, paragraphs)), "".join(map(fold, published[0]))
        starts = contexts(ours, list(map(fold, paragraphs)))
        mine = {key for key in contexts(ours, [fold(s) for part in sentences for s in part]) - starts if "".join(key) in theirs}
        cuts = contexts(theirs, list(map(fold, published[0])))
        head = theirs.removesuffix("".join(map(fold, published[1])))
        cuts |= contexts(theirs, [head, *map(fold, published[1])])
        cuts = {key for key in cuts - starts if "".join(key) in ours}
        hits, ours_only, theirs_only = hits + len(mine & cuts), ours_only + len(mine - cuts), theirs_only + len(cuts - mine)
        flat = [s for part in sentences for s in part]
        texts = {squeeze(" ".join(flat[at : at + size])) for at in range(len(flat)) for size in (1, 2)}
        letters = set(map(fold, texts))
        wanted = [chunk for chunk in published[0] + published[1] if chunk.strip()]
        chunks, exact = chunks + len(wanted), exact + sum(squeeze(chunk) in texts for chunk in wanted)
        folded += sum(fold(chunk) in letters for chunk in wanted)
    f1 = 2 * hits / (2 * hits + ours_only + theirs_only)
    assert f1 >= 0.99
    assert exact / chunks >= 0.90


def contexts(text: str, parts: list[str]) -> set[tuple[str, str]]:
    keys, end = set(), 0
    for part in parts:
        end += len(part)
        if 14 <= end <= len(text) - 14:
            keys.add((text[end - 14 : end], text[end : end + 14]))
    return keys


def test_gold_sentences_are_in_our_chunks(recaps: dict[str, Recap]) -> None:
    for path in sorted((ROOT / "gold").glob("*.json")):
        sentences = recaps[path.stem].sentences
        chunks = [fold(" ".join(sentences[at : at + 2])) for at in range(len(sentences))]
        gold = {fold(row["text"]) for row in json.loads(path.read_text("utf-8")) if row["turn_start"] is not None}
        share = sum(any(sentence in chunk for chunk in chunks) for sentence in gold) / len(gold)
        assert share >= 0.98
