"""The trained classifier of posts that only invite discussion: a logistic regression on sentence vectors and plain features.

Reference: thesis, section 4.6: a model that predicts it "based on the text and punctuation of the post".
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from core.text.sentences import SentenceSplitter
from core.threads.dialogues import Sentences
from core.threads.posts import Post
from core.threads.preparing import cut_sentences, find_starter_marks
from core.threads.scoring import SentenceVectors

PLAIN = (
    "title of a thread",
    "text of a thread",
    "date in the title",
    "log of words",
    "question in the title",
    "share of questions",
    "share of exclamations",
    "share of first person",
    "share of second person",
    "words that ask for answers",
)
"""Features without vectors. The author is none of them: a name says nothing elsewhere."""
VECTOR_SCALE = 7.0
"""What vectors are multiplied by, so that each of their dimensions deviates about as a plain feature does, by 1/3 to 1."""
MOST_SENTENCES = 10
"""Sentences of a post's text that are embedded: as many as speaker 1 may say."""
_FIRST = frozenset(["i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself", "we", "our", "us"])
_SECOND = frozenset(
    ["you", "you're", "you've", "you'd", "your", "yours", "y'all", "yall", "everyone", "everybody", "anyone", "guys"]
)
_ASKS = re.compile(
    r"\b(?:share (?:your|any|with)|(?:love|like|interest(?:ed|ing)|curious) to (?:hear|know|see)|ask (?:me|us|away)|"
    r"i['’]?ll (?:go first|start)|drop (?:your|them|it)|comment (?:below|down)|feel free to (?:ask|share|post)|tell me about|"
    r"what about you|how about you|survey|responses|participants?|questionnaire)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")


@dataclass(frozen=True, slots=True)
class StarterLayer:
    """A fitted classifier: the probability of a row x of features is expit(weights · (x − means) / scales + bias)."""

    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    weights: NDArray[np.float64]
    bias: float

    def rate(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each row (n_rows × n_features) that its post only invites discussion (n_rows)."""
        found: NDArray[np.float64] = expit(((rows - self.means) / self.scales) @ self.weights + self.bias)
        return found


class StarterMeasures:
    """Measures the features of posts: the plain ones, then the vector of the title and that of the text."""

    def __init__(self, vectors: SentenceVectors, split: SentenceSplitter) -> None:
        """Use sentence vectors, and the splitter of the run, so that its sentences are embedded once."""
        self._vectors = vectors
        self._split = split

    def __call__(self, posts: Sequence[Post]) -> NDArray[np.float64]:
        """Return the features (n_posts × n_features); what is new in the posts is embedded together."""
        cut = [self._cut(post) for post in posts]
        self._vectors.learn_utterances(part for parts in cut for part in parts)
        titles, texts = (self._vectors.stack_utterances([parts[place] for parts in cut]) for place in (0, 1))
        plain = np.array([measure_plainly(post, *parts) for post, parts in zip(posts, cut, strict=True)])
        return np.hstack([plain, VECTOR_SCALE * titles.astype(np.float64), VECTOR_SCALE * texts.astype(np.float64)])

    def learn(self, posts: Iterable[Post]) -> None:
        """Embed what is new in posts, together."""
        self._vectors.learn_utterances(part for post in posts for part in self._cut(post))

    def _cut(self, post: Post) -> tuple[Sentences, Sentences]:
        """Return the sentences of title and text; a part without any gets those of the other, or "" if both are empty."""
        title, text = cut_sentences(post.title, self._split), cut_sentences(post.text, self._split)[:MOST_SENTENCES]
        return (title or text or ("",)), (text or title or ("",))


class StarterClassifier:
    """Rates posts by a fitted layer."""

    def __init__(self, layer: StarterLayer, measures: StarterMeasures) -> None:
        self._layer = layer
        self.measures = measures

    def __call__(self, post: Post) -> float:
        """Return the probability that a post only invites discussion."""
        return float(self._layer.rate(self.measures([post]))[0])


def measure_plainly(post: Post, title: Sentences, text: Sentences) -> list[float]:
    """Return the plain features of a post, in the order of `PLAIN`; `title` and `text` are its sentences."""
    marks = find_starter_marks(post)
    said = [*title, *text]
    words = _WORD.findall(" ".join(said).lower().replace("’", "'"))
    total = max(len(words), 1)
    return [
        marks.title,
        marks.text,
        marks.date,
        math.log1p(len(words)),
        any(sentence.endswith("?") for sentence in title),
        sum(sentence.endswith("?") for sentence in said) / len(said),
        sum(sentence.endswith("!") for sentence in said) / len(said),
        sum(word in _FIRST for word in words) / total,
        sum(word in _SECOND for word in words) / total,
        len(_ASKS.findall(" ".join(said))),
    ]


def name_features(dimensions: int) -> tuple[str, ...]:
    """Return the names of the features: plain ones, dimensions of the title's vector, dimensions of the text's."""
    return (*PLAIN, *(f"{part} {number}" for part in ("title", "text") for number in range(dimensions)))
