"""Settings of the alignment of chunks with turns. Constants that the paper fixes name its section or equation."""

from dataclasses import dataclass, field
from typing import Literal

from core.alignment.windows_config import WindowsConfig
from core.text.tokens import TokenizerName

AlignerName = Literal["windows", "needleman-wunsch", "greedy", "greedy-contiguous"]
SimilarityName = Literal["overlap", "idf-overlap", "rouge", "rouge-l", "tf-idf", "embeddings"]


@dataclass(frozen=True, slots=True)
class AlignmentConfig:
    """How chunks of the recap are aligned with turns.

    The aligner `windows` reads only `chunk_sizes` and `windows`. The other fields belong to the paper's aligners.

    Reference: CRD3, section 4.1.
    """

    aligner: AlignerName = "windows"
    similarity: SimilarityName = "overlap"  # eq. 2; "embeddings": max(cosine, 0) of sentence vectors; others: section 4.1
    normalise_columns: bool = False  # section 4.1 tried and rejected it; only needleman-wunsch reads it
    tokenizer: TokenizerName = "tweet"
    chunk_sizes: tuple[int, ...] = (0, 2, 3, 4)  # section 4.1, "Data Augmentation": C = 2, 3, 4; 0: paragraphs, sections
    ngram_orders: tuple[int, ...] = (1, 2)  # section 4.1: "just unigrams and bigrams"
    window: int = 14  # eq. 1: 0 ≤ w ≤ 14; only the greedy aligners read it
    embedding_model: str = "all-MiniLM-L6-v2"  # a name or folder; only the similarity "embeddings" reads it
    windows: WindowsConfig = field(default_factory=WindowsConfig)
