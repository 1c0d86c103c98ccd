"""Settings of the alignment of chunks with turns. Constants that the paper fixes name its section or equation."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le, Len

from core.alignment.windows_config import WindowsConfig
from core.bounds import Problem, Text
from core.text.tokens import TokenizerName

AlignerName = Literal["windows", "needleman-wunsch", "greedy", "greedy-contiguous"]
SimilarityName = Literal["overlap", "idf-overlap", "rouge", "rouge-l", "tf-idf", "embeddings"]


@dataclass(frozen=True, slots=True)
class AlignmentConfig:
    """How chunks of the recap are aligned with turns.

    The aligner `windows` reads only `chunk_sizes`, `chunks_cross_sections` and `windows`. The other fields belong to the paper's
    aligners.

    Reference: CRD3, section 4.1.
    """

    aligner: AlignerName = "windows"
    similarity: SimilarityName = "overlap"  # eq. 2; "embeddings": max(cosine, 0) of sentence vectors; others: section 4.1
    normalise_columns: bool = False  # section 4.1 tried and rejected it; only needleman-wunsch reads it
    tokenizer: TokenizerName = "tweet"
    chunk_sizes: Annotated[tuple[Annotated[int, Ge(0), Le(1000)], ...], Len(1, 20)] = (
        0,
        2,
        3,
        4,
    )  # section 4.1, "Data Augmentation": C = 2, 3, 4; 0: paragraphs, sections
    chunks_cross_sections: bool = False  # the published chunks run from one section into the next (section 4.1 has no word on it)
    ngram_orders: Annotated[tuple[Annotated[int, Ge(1), Le(10)], ...], Len(1, 10)] = (
        1,
        2,
    )  # section 4.1: "just unigrams and bigrams"
    window: Annotated[int, Ge(0), Le(1000)] = 14  # eq. 1: 0 ≤ w ≤ 14; only the greedy aligners read it
    embedding_model: Text = "all-MiniLM-L6-v2"  # a name or folder; only the similarity "embeddings" reads it
    windows: WindowsConfig = field(default_factory=WindowsConfig)

    def list_problems(self) -> list[Problem]:
        """Return values that occur twice, and a similarity that the aligner does not take."""
        twice = [
            (name, "each value may occur only once")
            for name, values in (("chunk_sizes", self.chunk_sizes), ("ngram_orders", self.ngram_orders))
            if len(set(values)) < len(values)
        ]
        if self.similarity != "overlap" and self.aligner != "needleman-wunsch":
            twice.append(
                (
                    "similarity",
                    f"the aligner {self.aligner} does not work with similarity = {self.similarity}: "
                    "use similarity = overlap, or aligner = needleman-wunsch",
                )
            )
        return twice
