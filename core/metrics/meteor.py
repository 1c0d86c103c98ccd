"""METEOR: words of two texts are paired by form, by stem and by synonym, and pairs out of order cost."""

from functools import lru_cache

from core.metrics.coded_texts import rouge_tokens
from core.text.synonyms import Synonyms

NO_SYNONYMS = Synonyms({})
ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""Weight of recall, exponent and weight of the penalty for chunks, as in the program of 2007."""


class _Stemmer:
    """NLTK's Porter stemmer, which stems a word once."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

        self.stem = lru_cache(maxsize=200_000)(PorterStemmer().stem)


@lru_cache(maxsize=1)
def _stemmer() -> _Stemmer:
    return _Stemmer()


def score_meteor(reference: str, candidate: str, synonyms: Synonyms = NO_SYNONYMS) -> float:
    """Return METEOR of a candidate against one reference, 0 to 1.

    NLTK's program: words are paired in three stages (exact, Porter stem, synonym), each stage from the end of the text, and not
    with the fewest chunks. The tokens are ROUGE's. METEOR 1.5, which the paper names, also has paraphrases, weights for function
    words and other constants: figures of the two programs are near each other and not equal.

    Reference: Banerjee and Lavie, "METEOR", 2005; Lavie and Agarwal, 2007 (constants); CRD3, table 5 (Denkowski and Lavie, 2014).
    """
    from nltk.translate.meteor_score import single_meteor_score  # type: ignore[import-untyped]

    first, second = rouge_tokens(reference), rouge_tokens(candidate)
    if not first or not second:
        return 0.0
    return float(
        single_meteor_score(
            first, second, stemmer=_stemmer(), wordnet=synonyms, alpha=ALPHA, beta=BETA, gamma=GAMMA, preprocess=str
        )
    )
