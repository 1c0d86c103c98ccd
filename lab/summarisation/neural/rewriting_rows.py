"""What the parts of CRD3's summariser learn from an example: a walk over its turns, and turns with sentences that retell them."""

from collections.abc import Sequence

from core.metrics.coded_texts import RougeCoder
from core.scripts.views import Line, show_line
from lab.summarisation.neural.examples import Example
from lab.summarisation.neural.salient_turns import find_salient_turns
from lab.summarisation.neural.settings import RewriteConfig
from lab.summarisation.neural.vocabulary import Vocabulary, make_vocabulary, split_words

Turns = tuple[tuple[str, ...], ...]
"""The words of each turn of a dialogue."""


def split_turns(lines: Sequence[Line], config: RewriteConfig) -> Turns:
    """Return the words of the turns that have some, cut at the limits."""
    spoken = (show_line(line, config.view) for line in lines if split_words(line.text))
    return tuple(tuple(split_words(text)[: config.max_turn]) for text in spoken)[: config.max_turns]


def label_walk(example: Example, config: RewriteConfig) -> tuple[Turns, list[int]] | None:
    """Return the turns of a dialogue, and the actions of the walk that an extractor learns; None where there is none."""
    turns = split_turns(example.lines, config)
    places = _find_salient(turns, example)[: config.max_extracted]
    return (turns, [*(place + 1 for place in places), 0]) if places else None


def pair_sentences(example: Example, config: RewriteConfig) -> list[tuple[tuple[str, ...], list[str]]]:
    """Return the turns with the sentences that retell them, in words."""
    turns = split_turns(example.lines, config)
    sentences = [words for words in map(split_words, example.sentences) if words]
    places = _find_salient(turns, example)
    return [(turns[place], words[: config.max_sentence]) for place, words in zip(places, sentences, strict=False)]


def collect_vocabulary(examples: Sequence[Example], config: RewriteConfig) -> Vocabulary:
    """Return the most frequent words of dialogues and summaries."""
    texts = [turn for example in examples for turn in split_turns(example.lines, config)]
    texts += [tuple(split_words(sentence)) for example in examples for sentence in example.sentences]
    return make_vocabulary(texts, config.vocabulary)


def _find_salient(turns: Turns, example: Example) -> tuple[int, ...]:
    coder = RougeCoder()
    sentences = [sentence for sentence in example.sentences if split_words(sentence)]
    return find_salient_turns(coder.code_all([" ".join(turn) for turn in turns]), coder.code_all(sentences))
