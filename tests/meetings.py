"""Makes a corpus of meetings or chats in QMSum's form, of made-up words; the same seed always gives the same one.

Four meetings in a row are of one project: they share its words, and may share topics. A topic has points, which are talked of one
after the other. A query asks about a topic or a point; queries are in no order. Answers say most things in other words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SYLLABLES = tuple("".join(parts) for parts in product("bdfgklmnprstvz", "aeiou"))
_FILLERS = tuple("the of to and we that is it so you in this for on be not was with".split())  # noqa: SIM905
_NODS = ("Mm-hmm.", "Okay.", "Yeah.", "Right.", "{vocalsound}", "Hmm?")
_ROLES = ("Chair", "Designer", "Marketing", "Engineer", "Clerk")


@dataclass(frozen=True, slots=True)
class MeetingConfig:
    """What a meeting is like; ranges are inclusive. `said`: share of an answer's content words that its topic or point has."""

    topics: tuple[int, int] = (3, 7)
    points: tuple[int, int] = (2, 4)
    point_turns: tuple[int, int] = (8, 22)
    queries: tuple[int, int] = (4, 9)
    sentences: tuple[int, int] = (1, 4)
    said: float = 0.45
    nods: float = 0.4
    whole_first: float = 0.5  # share of meetings whose first query sums up all, as if it were one about a part

    named: bool = False  # two people with names of their own speak, in place of people in their roles


CHAT = MeetingConfig((1, 1), (1, 2), (5, 9), (0, 0), (1, 2), said=0.6, nods=0.1, named=True)


def make_meetings(count: int, seed: int = 0, config: MeetingConfig | None = None) -> list[dict[str, Any]]:
    """Return that many records."""
    return [_Meeting(seed, number, config or MeetingConfig()).record for number in range(count)]


@cache
def _draw_words(seed: int) -> NDArray[np.str_]:
    words = np.random.default_rng(seed)
    drawn = ("".join(words.choice(_SYLLABLES, size)) for size in words.integers(2, 5, 9_000).tolist())
    return np.array(list(dict.fromkeys(drawn)))


class _Meeting:
    """Makes one record. Words are drawn by the seed, those of a project by the project, the rest by the meeting."""

    def __init__(self, seed: int, number: int, config: MeetingConfig) -> None:
        vocabulary = _draw_words(seed)
        rare = vocabulary[400:]
        project = np.random.default_rng((seed, 1, number // 4))
        self._random, self._config = np.random.default_rng((seed, 2, number)), config
        self._common, self._all = vocabulary[:400], vocabulary
        self._project = project.choice(rare, 25).tolist()
        topics = [project.choice(rare, 12).tolist() for _ in range(10)]
        chosen = [topics[at] for at in self._random.choice(10, self._draw(config.topics), replace=False)]
        self._speakers = self._random.choice(rare, 2).tolist() if config.named else list(_ROLES)
        self._turns: list[dict[str, str]] = []
        asked: list[tuple[list[str], tuple[int, int]]] = []
        for topic in chosen:
            start, points = len(self._turns), []
            for _ in range(self._draw(config.points)):
                point = self._random.choice(rare, 8).tolist()
                points.append((point, (len(self._turns), self._talk(topic, point, chosen))))
            asked += [*points, (topic + [word for point, _ in points for word in point[:2]], (start, len(self._turns) - 1))]
        order = self._random.permutation(len(asked))[: self._draw(config.queries)]
        queries = [self._answer(*asked[place]) for place in order]
        whole = self._answer([word for topic in chosen for word in topic[:4]], (0, len(self._turns) - 1))
        if self._random.random() < config.whole_first:
            queries.insert(0, whole)
        self.record = {
            "meeting_id": f"meeting-{number:03}",
            "meeting_transcripts": self._turns,
            "specific_query_list": queries,
            "general_query_list": [whole] if not queries or queries[0] is not whole else [],
        }

    def _draw(self, bounds: tuple[int, int]) -> int:
        return int(self._random.integers(bounds[0], bounds[1] + 1))

    def _talk(self, topic: list[str], point: list[str], topics: list[list[str]]) -> int:
        """Add the turns about a point; return the number of the last."""
        for _ in range(self._draw(self._config.point_turns)):
            text = str(self._random.choice(_NODS))
            if self._random.random() > self._config.nods:
                elsewhere = topics[int(self._random.integers(len(topics)))]
                sources, chances = (self._common, topic, point, self._project, elsewhere), (0.4, 0.2, 0.25, 0.1, 0.05)
                text = self._write(sources, chances, 1 + int(self._random.geometric(0.12)))
            self._turns.append({"speaker": str(self._random.choice(self._speakers)), "content": text})
        return len(self._turns) - 1

    def _answer(self, told: list[str], span: tuple[int, int]) -> dict[str, Any]:
        said = self._config.said
        sources, chances = (told, self._all, self._project), (said, 0.85 - said, 0.15)
        sentences = [self._write(sources, chances, 10) for _ in range(self._draw(self._config.sentences))]
        sentences = [f"{self._random.choice(self._speakers)} {sentence[0].lower()}{sentence[1:]}" for sentence in sentences]
        return {
            "query": f"What about {told[0]}?",
            "answer": " ".join(sentences),
            "relevant_text_span": [[str(end) for end in span]],
        }

    def _write(self, sources: tuple[Sequence[str] | NDArray[np.str_], ...], chances: tuple[float, ...], count: int) -> str:
        """Return a sentence with that many content words, and as many that say nothing."""
        drawn = [sources[at] for at in self._random.choice(len(sources), count, p=chances)]
        words = [word for source in drawn for word in (str(self._random.choice(_FILLERS)), str(self._random.choice(source)))]
        return " ".join(words).capitalize() + "."
