"""Made-up episodes of which the right alignment is known: what real ones are hard by, each part of it under control."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from core.dialogue import Turn
from core.transcripts.evaluation.gold import GoldSentence
from core.transcripts.recaps.recap import Recap, RecapSection, SectionKind

_SYLLABLES = tuple("".join(parts) for parts in product("bdfgklmnprstvz", "aeiou"))
_CAST = ("Borin", "Sela", "Tamsin", "Ulric", "Wendla")
_NARRATOR = "Narrator"
_MARK = 7  # a word of the vocabulary below this rank is so common that no event is told by it


@dataclass(frozen=True, slots=True)
class SyntheticConfig:
    """What a made-up episode is like. Shares are probabilities, lengths means of geometric distributions.

    The recap tells `events` in a sentence each; an event takes `event_turns` turns, with `gap_turns` of table talk before it. Its
    `event_words` are said in pairs, and `repeats` times again; the sentence has each, or with `paraphrase` any other word. A
    stretch of `distractor_turns` that speak in the words of another event follows with the share `distractors`, a long turn of
    the narrator, full of words of all events, with `magnets`. Neighbouring sentences change places with `swaps`; sentences that
    nobody speaks of come in with `unspoken`. Before all that the narrator retells `retold` earlier events, three in a turn, and
    the recap does so in a section of its own.
    """

    events: int = 48
    vocabulary: int = 4_000
    zipf: float = 1.05
    event_words: int = 8
    repeats: float = 1.0
    event_turns: int = 9
    gap_turns: int = 8
    turn_words: int = 11
    paraphrase: float = 0.5
    distractors: float = 0.3
    distractor_turns: int = 6
    magnets: float = 0.1
    magnet_words: int = 160
    swaps: float = 0.1
    unspoken: float = 0.06
    retold: int = 6
    paragraph: int = 4


@dataclass(frozen=True, slots=True)
class SyntheticEpisode:
    """A dialogue, its recap (what is retold, then the plot), and the turns that each of the recap's sentences describes."""

    turns: tuple[Turn, ...]
    recap: Recap
    gold: tuple[GoldSentence, ...]


def make_episode(seed: int, config: SyntheticConfig | None = None) -> SyntheticEpisode:
    """Return the episode of that seed: the same one for the same seed and settings."""
    return _Maker(seed, config or SyntheticConfig()).make()


class _Maker:
    """Random numbers and vocabulary of one episode; it lives for one call."""

    def __init__(self, seed: int, config: SyntheticConfig) -> None:
        self.config = config
        self.random = np.random.default_rng(seed)
        self.words = self._invent_words(config.vocabulary)
        ranks = np.arange(1, config.vocabulary + 1, dtype=np.float64)
        self.frequencies = ranks**-config.zipf / (ranks**-config.zipf).sum()
        self.turns: list[Turn] = []

    def make(self) -> SyntheticEpisode:
        retold, plot = self._retell(), self._play()
        self._talk(self._length(self.config.gap_turns) + 1, [])
        for place in range(len(plot) - 1):
            if self._chance(self.config.swaps):
                plot[place], plot[place + 1] = plot[place + 1], plot[place]
        sections = (self._write_section("recap", "Previously", retold), self._write_section("plot", "Part I", plot))
        return SyntheticEpisode(tuple(self.turns), Recap("", "", sections), (*retold, *plot))

    def _retell(self) -> list[GoldSentence]:
        """Let the narrator tell what happened before; return the sentences about it."""
        self._talk(self._length(self.config.gap_turns), [])
        events = [self._pick_event() for _ in range(self.config.retold)]
        gold = []
        for first in range(0, len(events), 3):
            told = events[first : first + 3]
            common = self._common(len(told) * self.config.turn_words)
            self._say(_NARRATOR, [*(pair for words in told for pair in _pair_up(words)), *([word] for word in common)])
            turn = len(self.turns) - 1
            gold += [GoldSentence(self._tell(words, []), turn, turn) for words in told]
        return gold

    def _play(self) -> list[GoldSentence]:
        """Play all events with what stands between them; return the sentences about them in order."""
        config = self.config
        events = [self._pick_event() for _ in range(config.events)]
        gold = []
        for words in events:
            self._talk(self._length(config.gap_turns), [])
            start = len(self.turns)
            speakers = self._talk(1 + self._length(config.event_turns), words)
            gold.append(GoldSentence(self._tell(words, speakers), start, len(self.turns) - 1))
            if self._chance(config.distractors):
                other = events[int(self.random.integers(config.events))]
                self._talk(1 + self._length(config.distractor_turns), other if other is not words else [])
            if self._chance(config.magnets):
                heard = self.random.choice([word for event in events for word in event], config.magnet_words // 4).tolist()
                self._say(_NARRATOR, [[word] for word in (*heard, *self._common(config.magnet_words))])
            if self._chance(config.unspoken):
                gold.append(GoldSentence(self._tell(self._pick_event(), []), None, None))
        return gold

    def _invent_words(self, count: int) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            syllables = self.random.choice(_SYLLABLES, size=int(self.random.integers(2, 5)))
            found["".join(syllables)] = None
        return list(found)

    def _pick_event(self) -> list[str]:
        ranks = self.random.choice(len(self.words) - _MARK, self.config.event_words, replace=False, p=self._tail())
        return [self.words[_MARK + rank] for rank in ranks.tolist()]

    def _tail(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return how often the words of events are picked: their frequencies flattened, or all events would share theirs."""
        flat = np.sqrt(self.frequencies[_MARK:])
        return np.asarray(flat / flat.sum(), np.float64)

    def _talk(self, n_turns: int, words: list[str]) -> list[str]:
        """Speak so many turns, each with some of `words`, all of them by the end and most more than once; return who spoke."""
        pairs = [pair for pair in _pair_up(words) for _ in range(1 + self._length(self.config.repeats))]
        spoken_in = self.random.integers(0, max(n_turns, 1), len(pairs)).tolist()
        speakers: list[str] = []
        for number in range(n_turns):
            speaker = _NARRATOR if self._chance(0.3) else str(self.random.choice(_CAST))
            own = [pair for pair, place in zip(pairs, spoken_in, strict=True) if place == number]
            self._say(speaker, [*own, *([word] for word in self._common(1 + self._length(self.config.turn_words)))])
            speakers.append(speaker)
        return speakers

    def _say(self, speaker: str, phrases: list[list[str]]) -> None:
        text = self._mix(phrases)
        self.turns.append(Turn(len(self.turns), (speaker,), (text,), speaker.upper(), text))

    def _tell(self, words: list[str], speakers: list[str]) -> str:
        told = [str(self.random.choice(self.words)) if self._chance(self.config.paraphrase) else word for word in words]
        named = [[speaker] for speaker in dict.fromkeys(speakers) if speaker != _NARRATOR][:1]
        return self._mix([*named, *_pair_up(told), *([word] for word in self._common(self.config.event_words))])

    def _mix(self, phrases: list[list[str]]) -> str:
        """Return the phrases in any order as a sentence; the words of a phrase stay together."""
        order = self.random.permutation(len(phrases)).tolist()
        return " ".join(word for place in order for word in phrases[place]).capitalize() + "."

    def _common(self, count: int) -> list[str]:
        return [self.words[rank] for rank in self.random.choice(len(self.words), count, p=self.frequencies).tolist()]

    def _write_section(self, kind: SectionKind, heading: str, gold: list[GoldSentence]) -> RecapSection:
        sentences, size = [entry.text for entry in gold], self.config.paragraph
        paragraphs = tuple(" ".join(sentences[at : at + size]) for at in range(0, len(sentences), size))
        return RecapSection(kind, heading, "", paragraphs, tuple(sentences))

    def _length(self, mean: float) -> int:
        return int(self.random.geometric(1 / (mean + 1))) - 1

    def _chance(self, share: float) -> bool:
        return bool(self.random.random() < share)


def _pair_up(words: list[str]) -> list[list[str]]:
    return [words[at : at + 2] for at in range(0, len(words), 2)]
