"""Sums over the episodes of a corpus, filled one episode at a time."""

from collections import Counter
from collections.abc import Iterable

from core.metrics.estimates import Moments, measure_moments
from core.transcripts.statistics.episode_figures import EpisodeFigures
from core.transcripts.statistics.token_counts import COUNTERS


class CorpusTotals:
    """Moments and counts over episodes, where each episode is one observation.

    The vocabularies of all episodes are united, so memory grows with the number of different tokens.
    """

    def __init__(self, episodes: Iterable[EpisodeFigures] = ()) -> None:
        """Add up the figures of some episodes; the iterable is read once."""
        self.turns = Moments()
        self.tokens = {name: Moments() for name in COUNTERS}
        self.summary = {name: Moments() for name in COUNTERS}
        self.ratio = {name: Moments() for name in COUNTERS}
        self.vocabulary: dict[str, set[str]] = {name: set() for name in COUNTERS}
        self.sections: dict[str, Moments] = {}
        self.speakers: Counter[str] = Counter()
        self.cast_turns = 0
        self.master_quotes = 0
        self.other_quotes = 0
        self.questions = Moments()
        self.contributions: dict[str, Moments] = {}
        self.entities = Moments()
        for episode in episodes:
            self.add(episode)

    def add(self, episode: EpisodeFigures) -> None:
        """Add the figures of one episode."""
        self.turns += measure_moments([episode.turns])
        for name in COUNTERS:
            spoken, written = episode.dialogue[name].total, episode.summary[name]
            self.tokens[name] += measure_moments([spoken])
            self.summary[name] += measure_moments([written])
            self.ratio[name] += measure_moments([written / spoken] if spoken else [])
            self.vocabulary[name].update(episode.dialogue[name].vocabulary)
        for kind, length in episode.sections.items():
            self.sections[kind] = self.sections.get(kind, Moments()) + measure_moments([length])
        self.speakers.update(episode.speaker_turns)
        self.cast_turns += episode.main_cast_turns or 0
        if episode.quoting_turns is not None:
            self.master_quotes += episode.quoting_turns[0]
            self.other_quotes += episode.quoting_turns[1]
        self.questions += measure_moments([] if episode.answered_questions is None else [episode.answered_questions])
        for speaker, moments in (episode.contributions or {}).items():
            self.contributions[speaker] = self.contributions.get(speaker, Moments()) + moments
        self.entities += measure_moments([] if episode.entities is None else [episode.entities])
