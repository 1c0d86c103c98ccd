"""Texts as integer codes of their tokens, so that a corpus is tokenised once and compared by arithmetic."""

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from core.metrics.numbering import Codes
from core.text.tokens import Tokenizer

_LONGEST_UNSTEMMED = 3  # rouge-score stems longer tokens only
_ROUGE_TOKEN = re.compile("[a-z0-9]+")


class TokenCoder:
    """Codes texts: equal tokens get equal codes, 0, 1, … in order of first appearance.

    Only texts of one coder can be compared. The coder remembers every distinct token.
    """

    def __init__(self, tokenize: Tokenizer, normalise: Callable[[str], str] | None = None) -> None:
        """Choose a tokeniser; `normalise` (a stemmer, say) maps a token to the form that is coded, once per distinct token."""
        self._tokenize = tokenize
        self._codes = _CodeBook(normalise)

    def __call__(self, text: str, /) -> Codes:
        """Return the codes of the tokens of `text`, in order."""
        tokens = self._tokenize(text)
        return np.fromiter(map(self._codes.__getitem__, tokens), np.int64, len(tokens))

    def __len__(self) -> int:
        """How many distinct tokens the coder remembers."""
        return len(self._codes)


class _CodeBook(dict[str, int]):
    """Token → code; an unknown token gets the code of its form."""

    def __init__(self, normalise: Callable[[str], str] | None) -> None:
        super().__init__()
        self._normalise = normalise
        self._forms: dict[str, int] = {}

    def __missing__(self, token: str) -> int:
        form = self._normalise(token) if self._normalise else token
        code = self[token] = self._forms.setdefault(form, len(self._forms))
        return code


def make_rouge_coder(stem: bool = False) -> TokenCoder:
    """Return a coder whose codes agree with rouge-score's tokens: runs of a–z and 0–9, lower-cased.

    With `stem`, tokens of more than three characters are replaced by their Porter stems (NLTK's), as its `use_stemmer` does.
    """
    return TokenCoder(rouge_tokens, _make_stemmer() if stem else None)


def rouge_tokens(text: str) -> list[str]:
    """Return what rouge-score's tokeniser does without a stemmer, in a fraction of its time."""
    return _ROUGE_TOKEN.findall(text.lower())


def join_codes(texts: Iterable[Codes]) -> Codes:
    """Return the codes of some texts one after the other."""
    parts = list(texts)
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def bounds_of(texts: Sequence[Codes]) -> Codes:
    """Return where each text begins in `join_codes(texts)`, and the end of the last (n_texts + 1)."""
    bounds = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([text.size for text in texts], out=bounds[1:])
    return bounds


def _make_stemmer() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

    porter = PorterStemmer()

    def stem(token: str) -> str:
        return str(porter.stem(token)) if len(token) > _LONGEST_UNSTEMMED else token

    return stem
