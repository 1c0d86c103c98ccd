"""A run whose recaps are pages of a real MediaWiki: an edit computes one unit, a new page makes one, a removed one is told."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from infra.sources.mediawiki import MediaWikiSource
from tests.flows.calling import Fabula
from tests.flows.stories import write_transcript
from tests.integration.mediawiki import Wiki, require_mediawiki, running_wiki

pytestmark = pytest.mark.integration

TITLES = {1: "Low Tide", 2: "High Tide", 3: "Slack Water"}


def recap(number: int, word: str = "lantern") -> str:
    told = " ".join(f"They carry the {word} to room {2 * place} and find key {2 * place}." for place in range(24))
    box = f'{{| class="infobox"\n! Episode\n| Season 1, Episode {number} (#S1E{number})\n|-\n! Air date\n| 2020\n|}}'
    return f"{box}\n== Synopsis ==\n{told}\n\n== Trivia ==\nNothing.\n[[Category:Episodes]]\n"


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Wiki]:
    require_mediawiki()
    with running_wiki(tmp_path_factory.mktemp("wiki"), free_port()) as wiki:
        for number, title in TITLES.items():
            wiki.edit(title, recap(number))
        wiki.edit("The Low Tide", "#REDIRECT [[Low Tide]]\n[[Category:Episodes]]\n")  # counts once
        wiki.edit("S01E09", "#REDIRECT [[A Page That Nobody Wrote]]\n[[Category:Episodes]]\n")
        yield wiki


def test_pages_are_listed_with_their_revisions_and_read_as_saved_ones(wiki: Wiki) -> None:
    source = MediaWikiSource(f"mediawiki+{wiki.api}?category=Episodes&unit=S{{season:02}}E{{episode:02}}")
    files = {file.path: file for file in source.list_files()}
    faults = {path: file.fault for path, file in files.items() if file.fault}
    assert sorted(files.keys() - faults.keys()) == [
        "recaps/S01E01_Low Tide.html",
        "recaps/S01E02_High Tide.html",
        "recaps/S01E03_Slack Water.html",
    ]
    assert list(faults) == ["recaps/A Page That Nobody Wrote.html"]
    assert "no such page" in faults["recaps/A Page That Nobody Wrote.html"]
    assert "'S01E09' leads there" in faults["recaps/A Page That Nobody Wrote.html"]
    low = files["recaps/S01E01_Low Tide.html"]
    assert low.origin.endswith(f"/index.php?title=Low_Tide&oldid={low.version} (CC BY-SA 4.0)")
    content = source.read(low, 2**20)
    assert source.read(low, 2**20) == content
    assert b"They carry the lantern to room 46" in content
    # Many pages of a few at a time: the list is followed through the wiki's own continuation.
    narrow, _ = source._api.query_pages(
        {"generator": "categorymembers", "gcmtitle": "Category:Episodes", "gcmlimit": "2", "redirects": "1", "prop": "info"}
    )
    assert sorted(page["title"] for page in narrow) == ["A Page That Nobody Wrote", "High Tide", "Low Tide", "Slack Water"]


def test_only_what_changed_on_the_wiki_is_computed(wiki: Wiki, fabula: Fabula, tmp_path: Path) -> None:
    for number in range(1, 5):
        write_transcript(tmp_path / "spoken", f"S01E{number:02d}.txt")
    pages = f"mediawiki+{wiki.api}?category=Episodes&unit=S{{season:02}}E{{episode:02}}"
    call = ("run", "transcripts", "--source", tmp_path / "spoken", "--source", pages, "--store", tmp_path / "store")

    def run() -> tuple[dict[str, Any], str]:
        ended = fabula(*call, "--in-process", "--json")
        assert ended.status == 0, ended.err
        return ended.json, ended.err

    def counts(discovered: int, computed: int, reused: int, waiting: int, removed: int = 0) -> dict[str, int]:
        told = {"discovered": discovered, "computed": computed, "reused": reused, "waiting": waiting}
        return told | {"quarantined": 1, "removed": removed}  # the redirect to nowhere

    first, said = run()
    assert first["units"] == counts(5, 3, 0, 1)
    assert "S01E04: no recap yet" in said
    assert "the wiki has no such page" in said
    (pairs,) = Path(first["release"], "data", "pairs").glob("train-*.parquet")
    credits = set(pq.read_table(pairs, columns=["source"])["source"].to_pylist())
    assert all("index.php?title=" in source and "(CC BY-SA 4.0)" in source for source in credits)

    wiki.edit("High Tide", recap(2, "candle"))
    wiki.edit("Spring Tide", recap(4))
    second, _ = run()
    assert second["units"] == counts(5, 2, 2, 0)
    record = json.loads((tmp_path / "store" / "runs" / f"{second['run_id']}.json").read_text())
    assert record["computed"] == ["S01E02", "S01E04"]

    wiki.delete("Slack Water")
    (tmp_path / "spoken" / "transcripts" / "S01E03.txt").unlink()
    third, said = run()
    assert third["units"] == counts(4, 0, 3, 0, removed=1)
    assert "S01E03: no source has it any more" in said
