"""A film of invented words whose true links are known, long enough for a reader to be weighed."""

from pathlib import Path
from random import Random

from core.dialogue import Turn
from core.scripts.config import SceneAlignmentConfig, ScriptsConfig, Weights
from core.scripts.story import Scene, Story

CONFIG = ScriptsConfig(alignment=SceneAlignmentConfig(weights=Weights(bm25=1.0, coverage=6.0)))
"""Settings that need no sentence vectors."""
_PLAIN = ("then", "there", "they", "went", "slowly", "along", "over", "the", "old", "quiet", "road", "again", "while", "it")


def make_film(seed: int, n_sentences: int = 44) -> tuple[Story, list[tuple[int, ...]]]:
    """Return a film and the scenes that tell each sentence; every third sentence shares no rare word with them."""
    random = Random(seed)
    scenes: list[Scene] = []
    sentences, gold = [], []
    for number in range(n_sentences):
        names = [
            f"{chr(97 + number % 26)}{random.choice('aeiou')}{random.choice('klmnprst')}o{number}x{part}" for part in "abcdef"
        ]
        told = range(len(scenes), len(scenes) + random.choice((1, 1, 1, 2)))
        for place in told:
            text = " ".join([*random.sample(_PLAIN, 6), *random.sample(names, 4), *random.sample(_PLAIN, 6)]).capitalize() + "."
            turn = Turn(place, ("ADA",), (text,), "ADA", text)
            action = " ".join(random.choices(_PLAIN, k=200)).capitalize() + "."
            scenes.append(Scene(place, place, f"INT. ROOM {place} - DAY", (turn,), (action,)))
        words = random.choices(_PLAIN, k=5) if number % 3 == 2 else [*random.sample(names, 3), *random.choices(_PLAIN, k=4)]
        sentences.append(" ".join(words).capitalize() + ".")
        gold.append(tuple(told))
    return Story("invented", "movie", "Invented", "", tuple(scenes), tuple(sentences), None), gold


def write_film(source: Path, story: Story) -> None:
    """Write a film as a source of `scripts`."""
    folder = source / "movies" / story.unit
    folder.mkdir(parents=True)
    scenes = (f"{scene.heading}\n\n{scene.narration[0]}\n\nADA\n{scene.turns[0].text}\n\n" for scene in story.scenes)
    (folder / "script.txt").write_text("".join(scenes), "utf-8")
    (folder / "synopsis.txt").write_text("".join(f"{sentence}\n" for sentence in story.sentences), "utf-8")
