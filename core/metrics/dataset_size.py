"""The size of a dataset of dialogues and summaries: a row of table 1 of SumTitles."""

from dataclasses import dataclass

from core.metrics.moments import Moments, measure_moments
from core.text.tokens import Tokenizer

_NOTHING = Moments()


@dataclass(frozen=True, slots=True)
class SummaryPair:
    """A dialogue and its summary, from any pipeline, as the measures read them.

    `turns` are the utterances in order (for other texts, the sentences); the oracles select from them. `summary` has the
    sentences, or one text. `speakers` are the distinct names, empty if they are not known.
    """

    turns: tuple[str, ...]
    summary: tuple[str, ...]
    speakers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DatasetSize:
    """The figures of table 1 for some pairs. The sizes of parts add up. `speakers` counts only pairs with known speakers."""

    samples: int = 0
    speakers: Moments = _NOTHING
    utterances: Moments = _NOTHING
    summary_sentences: Moments = _NOTHING
    text_tokens: Moments = _NOTHING
    summary_tokens: Moments = _NOTHING

    def __add__(self, other: "DatasetSize") -> "DatasetSize":
        return DatasetSize(
            self.samples + other.samples,
            self.speakers + other.speakers,
            self.utterances + other.utterances,
            self.summary_sentences + other.summary_sentences,
            self.text_tokens + other.text_tokens,
            self.summary_tokens + other.summary_tokens,
        )

    def report(self) -> dict[str, float | None]:
        """Return the row: the number of samples and the means, None for what is not known."""
        return {
            "samples": self.samples,
            "average_speakers": self.speakers.mean,
            "average_utterances": self.utterances.mean,
            "average_summary_sentences": self.summary_sentences.mean,
            "average_text_tokens": self.text_tokens.mean,
            "average_summary_tokens": self.summary_tokens.mean,
        }


def measure_size(pair: SummaryPair, tokenize: Tokenizer) -> DatasetSize:
    """Return the size of one pair. The token counts depend on the tokenizer, so report its name with them.

    Reference: SumTitles, section 5, table 1.
    """
    return DatasetSize(
        1,
        measure_moments([len(pair.speakers)] if pair.speakers else []),
        measure_moments([len(pair.turns)]),
        measure_moments([len(pair.summary)]),
        measure_moments([sum(len(tokenize(turn)) for turn in pair.turns)]),
        measure_moments([sum(len(tokenize(sentence)) for sentence in pair.summary)]),
    )
