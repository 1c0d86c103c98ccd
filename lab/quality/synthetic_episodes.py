"""Makes synthetic episodes with a known alignment. Each thing that makes real episodes hard is a setting."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from core.dialogue import Turn
from core.transcripts.evaluation import GoldSentence
from core.transcripts.recaps.recap import Recap, RecapSection, SectionKind

_SYLLABLES = tuple("".join(parts) for parts in product("bdfgklmnprstvz", "aeiou"))
_CAST = ("Borin", "Sela", "Tamsin", "Ulric", "Wendla")
_NARRATOR = "Narrator"
_MARK = 7  # words of a lower rank are too common to describe an event


@dataclass(frozen=True, slots=True)
class SyntheticConfig:
    """What a synthetic episode is like.

    `repeats`, `turn_words` and the numbers of turns are means of geometric distributions. The other numbers are exact.

    - The recap tells each of the `events` in one sentence. An event takes `event_turns` turns, after `gap_turns` turns of table
      talk. A turn has `turn_words` common words besides the event's words.
    - An event has `event_words` words. They are spoken in pairs, and each pair is repeated `repeats` times. The recap sentence
      uses the same words; each is replaced by a random word with probability `paraphrase`.
    - After an event follow, with probability `distractors`, `distractor_turns` turns in the words of another event.
    - After an event follows, with probability `magnets`, one long turn of the narrator with `magnet_words` common words and words
      of all events.
    - Neighbouring recap sentences are swapped with probability `swaps`. A sentence without turns is added after an event with
      probability `unspoken`.
    - Before the events, the narrator retells `retold` earlier events, three in a turn. The recap tells them in a section of their
      own.
    - A paragraph of the recap has `paragraph` sentences.

    `vocabulary` is the number of words; their frequencies follow Zipf's law with the exponent `zipf`.
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
    """A dialogue, its recap (a "previously" section, then the plot), and the gold turns of each recap sentence."""

    turns: tuple[Turn, ...]
    recap: Recap
    gold: tuple[GoldSentence, ...]


def make_episode(seed: int, config: SyntheticConfig | None = None) -> SyntheticEpisode:
    """Make a synthetic episode. The same seed and settings always give the same episode."""
    return _Maker(seed, config or SyntheticConfig()).make()


class _Maker:
    """Makes one episode; holds its random generator and its vocabulary."""

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
        """Add the turns in which the narrator retells earlier events; return the recap sentences about them."""
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
        """Add the turns of all events and the turns between them; return the recap sentences in order."""
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
        """Return the probabilities with which event words are picked, shape (vocabulary - 7,).

        They are the square roots of the frequencies, normalised. With the frequencies themselves, all events would share words.
        """
        flat = np.sqrt(self.frequencies[_MARK:])
        return np.asarray(flat / flat.sum(), np.float64)

    def _talk(self, n_turns: int, words: list[str]) -> list[str]:
        """Add `n_turns` turns that together contain all of `words`, most of them more than once; return the speakers."""
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
        """Return the phrases in random order as one sentence. The words of a phrase stay together."""
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
