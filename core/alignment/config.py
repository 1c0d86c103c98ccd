"""Settings of the alignment of chunks with turns. Constants that the paper fixes name its section or equation."""

from dataclasses import asdict, dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le, Len

from core.bounds import Amount, Count, Curve, PositiveShare, Probability, Problem, Share, Text
from core.fingerprints import LATER
from core.text.tokens import TokenizerName

LastingShare = Annotated[float, Ge(0.05), Le(1)]
"""At 0 every span would run to the last turn: each sentence lasts that far with some probability, however small."""
CURVE: Curve = (1.04, 0.45)
"""Fitted on 33 read episodes (`lab/fitting/confidence.py`)."""
_ROUNDED = 1e-3  # decimal shares may miss a sum of 1 by this much


@dataclass(frozen=True, slots=True)
class WindowsConfig:
    """Probabilities of the model in `core.alignment.windows`, for recap sentences and turns (`docs/alignment.md`).

    Tuples with one value per kind of span are in the order short, medium, long. Lengths and gaps are in paces: the average number
    of turns per sentence, by role and part, on a clock that runs with the number of words.
    """

    mention: Amount = 0.25  # rate at which a long turn inside a span says each of the sentence's terms
    edge_mention: Amount = 0.5  # the same for a span's first and last turn: readers begin and end where the words are
    mention_words: Amount = 24.0  # a turn with this many content words has half that rate: short turns say little
    engaged: tuple[Probability, ...] = (0.4, 0.2, 0.08)  # share of the turns inside that speak of the sentence
    edge_engaged: Probability = 0.9  # the same for the first and last turn
    trust: Amount = 0.7  # exponent of a turn's likelihood ratio: turns repeat each other, so full counting is overconfident
    rarity: Amount = 0.6  # added to the number of other turns with a term: a term seen nowhere else is rare, not impossible
    chance_words: Amount = 6.0  # added to a turn's words for chance matches: otherwise a match in a short turn proves too much
    unaligned: Probability = 0.003  # probability that no turn tells of a sentence
    unspoken_unaligned: Probability = 0.4  # the same for sentences about videos in the break and after the show
    length_shares: tuple[Share, ...] = (0.4, 0.4, 0.2)  # mixture weights of the span lengths; each component is geometric
    length_means: tuple[Amount, ...] = (0.15, 0.5, 1.5)  # in paces, multiplied by the sentence's terms relative to the average
    retold_length_shares: tuple[Share, ...] = (0.85, 0.1, 0.05)  # for sentences that retell an earlier episode: mostly one turn
    gap_shares: tuple[Share, ...] = (0.15, 0.05, 0.55, 0.22, 0.03)  # same turn, next turn, near, far, back
    retold_gap_shares: tuple[Share, ...] = (0.5, 0.25, 0.15, 0.05, 0.05)
    gap_means: tuple[Amount, ...] = (0.5, 2.5, 0.1)  # near, far, back, in paces
    clock_words: Amount = 0.3  # added to a turn's content words to get its time: spans begin and end with long turns
    story_share: PositiveShare = 0.85  # share of the turns that the plot's sentences cover together, which sets their pace
    pace_power: Amount = 0.7  # moves the pace towards 25 turns: few sentences leave much out, so their pace is reduced
    retold_pace: Amount = 2.0  # turns per sentence that retells an earlier episode
    aside_pace: Amount = 10.0  # turns per sentence about announcements, the break, and what comes after the show
    opening: PositiveShare = 0.03  # mean turns before the first sentence, as a share of all turns
    closing: PositiveShare = 0.08  # mean turns after the last sentence, as a share of all turns
    part_spread: PositiveShare = 0.13  # standard deviation of a part's beginning around an even division, as a share of all turns
    part_gap_shares: tuple[Share, ...] = (0.05, 0.05, 0.3, 0.6, 0.0)  # for the first sentence of a part: recaps skip much there
    part_gap: Share = 0.06  # minimum mean of the far gap before that sentence, as a share of all turns
    end_lasting: LastingShare = 0.3  # a span goes on to an end near where a sentence lasts with this probability (1: off)
    curve: Curve = field(default=CURVE, metadata=LATER)  # by which a span's expected F1 becomes its confidence (`fabula fit`)

    def list_problems(self) -> list[Problem]:
        """Return lists of the wrong length, and shares that do not add up to 1."""
        problems = []
        for name, value in asdict(self).items():
            if not isinstance(value, tuple):
                continue
            expected = {"gap_means": 3, "curve": 2}.get(name, 5 if name.endswith("gap_shares") else len(self.length_means))
            if len(value) != expected or not value:
                problems.append((name, f"found {len(value)} values, expected {expected} (lengths: one per length_means)"))
            elif name.endswith("_shares") and abs(sum(value) - 1) > _ROUNDED:
                problems.append((name, f"the shares add up to {sum(value):g}; expected shares from 0 to 1 that add up to 1"))
        return problems


AlignerName = Literal["windows", "needleman-wunsch", "greedy", "greedy-contiguous"]
SimilarityName = Literal["overlap", "idf-overlap", "rouge", "rouge-l", "tf-idf", "embeddings"]


@dataclass(frozen=True, slots=True)
class AlignmentConfig:
    """How chunks of the recap are aligned with turns (CRD3, section 4.1).

    The aligner `windows` reads only `chunk_sizes`, `chunks_cross_sections` and `windows`.
    """

    aligner: AlignerName = "windows"
    similarity: SimilarityName = "overlap"  # eq. 2; "embeddings": max(cosine, 0) of sentence vectors; others: section 4.1
    normalise_columns: bool = False  # section 4.1 tried and rejected it; only needleman-wunsch reads it
    tokenizer: TokenizerName = "tweet"
    chunk_sizes: Annotated[tuple[Annotated[int, Ge(0), Le(1000)], ...], Len(1, 20)] = (0, 2, 3, 4)  # 0: paragraphs, sections
    chunks_cross_sections: bool = False  # the published chunks run from one section into the next (section 4.1 has no word on it)
    ngram_orders: Annotated[tuple[Annotated[int, Ge(1), Le(10)], ...], Len(1, 10)] = (1, 2)  # "just unigrams and bigrams"
    window: Annotated[int, Ge(0), Le(1000)] = 14  # eq. 1: 0 ≤ w ≤ 14; only the greedy aligners read it
    embedding_model: Text = "all-MiniLM-L6-v2"  # a name or folder; only the similarity "embeddings" reads it
    windows: WindowsConfig = field(default_factory=WindowsConfig)
    whole_turns: Count = field(default=500, metadata=LATER)  # the only summary of a dialogue is aligned if it has more turns

    def list_problems(self) -> list[Problem]:
        """Return values that occur twice, and a similarity that the aligner does not take."""
        lists = {"chunk_sizes": self.chunk_sizes, "ngram_orders": self.ngram_orders}
        problems = [(name, "each value may occur only once") for name, found in lists.items() if len(set(found)) < len(found)]
        if self.similarity != "overlap" and self.aligner != "needleman-wunsch":
            refused = f"the aligner {self.aligner} does not work with similarity = {self.similarity}"
            problems.append(("similarity", f"{refused}: use similarity = overlap, or aligner = needleman-wunsch"))
        return problems
