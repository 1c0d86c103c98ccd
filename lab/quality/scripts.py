"""The gold movies and episodes, and an embedder that keeps its vectors; `fabula evaluate scripts --gold` prints their rates."""

from collections.abc import Iterator
from pathlib import Path

from core.scripts.json_files import list_episodes, read_episode, read_gold
from core.scripts.story import Story
from core.text.sentences import split_by_rules
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.store.objects import Store
from lab.readings.films import read_film

KEPT_BACK = (
    "die-hard", "moon-film", "panic-room", "soldier-1998-american-film", "the-breakfast-club",
    "the-last-temptation-of-christ-film", "the-silence-of-the-lambs-film", "total-recall-1990-film",
)  # fmt: skip
"""Films that nobody reads and nothing is chosen on: they are for measuring."""
MOVIES = ("tripod", "the-apartment", "juno-film")
GROUPS = ("friends", *MOVIES)


def open_embedder(folder: Path | None) -> StoredEmbedder:
    """Return the packaged embedder, which embeds a text once: its vectors are kept in a folder, or in memory without one."""
    return StoredEmbedder(Store(str(folder) if folder else "memory://vectors"), "scripts", "read", SentenceEmbedder())


def read_units(scripts: Path) -> Iterator[tuple[str, Story]]:
    """Yield the movies and episodes with gold links, each with its name: GROUP/MOVIE."""
    for group in MOVIES:
        links = read_gold(group, (scripts / "gold" / f"{group}.jsonl").read_text("utf-8"))
        for movie in dict.fromkeys(link.unit for link in links):
            gold = tuple(link for link in links if link.unit == movie)
            yield f"{group}/{movie}", read_film(scripts / "movies" / movie, split_by_rules, gold=gold)
    for path in sorted((scripts / "friends").glob("*.json")):
        text = path.read_text("utf-8")
        for name in list_episodes(path.name, text):
            yield f"friends/{name}", read_episode(path.name, text, name)
