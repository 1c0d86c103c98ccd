"""What a model is asked about a story, and what its answers say: the scenes that tell the sentences of a synopsis.

The aligner says which scenes each sentence may tell of. Successive sentences are asked about together, with the scenes that they
may tell of; neighbouring questions share sentences, and whether a model answers these alike tells how far it is to be believed.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from core.dialogue import write_line
from core.errors import SourceError
from core.reading.belief import (
    LEAST,
    LEAST_TESTED,
    Reading,
    estimate_share,
    gather_answers,
    group_sentences,
    read_entries,
    weigh_reader,
)
from core.reading.questions import Question, describe_list, describe_object, estimate_tokens
from core.scripts.aligning import HeardSentence, LocatedStory
from core.scripts.confidence import LINK
from core.scripts.similarities import Matrix
from core.scripts.story import Scene, Story
from core.scripts.views import list_elements

KIND = "script-scenes"
VERSION = 3
SENTENCES = 10
"""Sentences of a question."""
SHARED = 3
"""Sentences that a question shares with the one before."""
BESIDE = 2
"""Sentences before and after that are shown, and not asked about."""
MOST_SHARE = 1.5
"""The most tokens of all questions of a story, as a multiple of its script's."""
NEIGHBOURS = 0.4
"""What a scene beside a likely one is worth in a question, as a share of it: a sentence often tells several scenes in a row."""
MOST_SCENE = 1200
"""About the most tokens of a scene as it is shown."""
MOST_WHOLE = 6000
"""The same where it is shown whole."""
_LONGEST = (240, 160, 100, 60)
"""Characters to which each speech and paragraph is cut: the first number with which a scene is short enough."""
_SENTENCE_TOKENS = 70  # of an answer
SCHEMA = describe_object(
    sentences=describe_list(
        sentence={"type": "integer"},
        scenes={"type": "array", "items": {"type": "integer"}},
        told={"type": "string"},
        whole={"type": "boolean"},
    )
)


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences and scenes of one question, by number; the scenes are in order, and may have gaps."""

    sentences: range
    scenes: tuple[int, ...]


def plan_windows(posteriors: Matrix, sizes: Sequence[int], most: float) -> list[Window]:
    """Return the windows of a story's questions, in the order of their sentences.

    Args:
        posteriors: the probability that a sentence tells a scene (n_sentences × n_scenes).
        sizes: tokens of each scene.
        most: the most tokens of scenes in all windows.
    """
    n_sentences, n_scenes = posteriors.shape
    groups = group_sentences(n_sentences, SENTENCES, SHARED, LEAST_TWICE)
    worth = np.array([_reach(posteriors[group.start : group.stop].max(axis=0)) for group in groups])
    worth[np.arange(len(groups)), worth.argmax(axis=1)] = np.inf  # no question without a scene
    order = np.argsort(-worth, axis=None, kind="stable")
    shown = np.zeros(worth.size, bool)
    shown[order[np.cumsum(np.asarray(sizes)[order % n_scenes]) <= most]] = True
    shown = shown.reshape(worth.shape) | np.isinf(worth)
    return [Window(group, tuple(np.flatnonzero(row).tolist())) for group, row in zip(groups, shown, strict=True)]


def _reach(likely: NDArray[np.float64]) -> NDArray[np.float64]:
    for _ in range(3):
        padded = np.pad(likely, 1)
        likely = np.maximum(likely, NEIGHBOURS * np.maximum(padded[:-2], padded[2:]))
    return likely


def list_questions(story: Story, posteriors: Matrix, instructions: str) -> list[tuple[Window, Question]]:
    """Return the questions about a story with their windows; `posteriors` are those of `plan_windows`."""
    texts = [write_scene(number, scene) for number, scene in enumerate(story.scenes)]
    sizes = [estimate_tokens(text) + 1 for text in texts]
    script = count_tokens(story)
    n_windows = math.ceil(max(len(story.sentences) - SHARED, 1) / (SENTENCES - SHARED))
    told = sum(map(estimate_tokens, story.sentences)) * (SENTENCES + 2 * BESIDE) / (SENTENCES - SHARED)
    own = told + n_windows * (estimate_tokens(instructions) + SENTENCES * _SENTENCE_TOKENS)
    sure, asked = np.array([LINK(best) for best in posteriors.max(axis=1)]), []
    for window in plan_windows(posteriors, sizes, max(MOST_SHARE * script - own, sum(sizes))):
        text = _write_sentences(story, window.sentences) + "\n\nScenes:\n" + "\n\n".join(texts[place] for place in window.scenes)
        answer = len(window.sentences) * _SENTENCE_TOKENS + 200
        about = story.sentences[window.sentences.start : window.sentences.stop]
        doubt = float((1 - sure[window.sentences.start : window.sentences.stop]).sum())
        asked.append((window, Question(KIND, VERSION, story.unit, instructions, text, SCHEMA, answer, about, doubt)))
    return asked


def count_tokens(story: Story) -> int:
    """Return about how many tokens the script of a story has, as it is shown in questions, but nothing cut."""
    return sum(estimate_tokens(_write(number, scene, None)) + 1 for number, scene in enumerate(story.scenes))


def write_scene(number: int, scene: Scene, whole: bool = False) -> str:
    """Return a scene as lines: its number and heading, action in brackets, speech behind its speaker.

    Long speeches and paragraphs lose their middle, more of it in a long scene. Of a `whole` one they do so only where it has
    more than `MOST_WHOLE` tokens.
    """
    most, cuts = (MOST_WHOLE, (None, *_LONGEST)) if whole else (MOST_SCENE, _LONGEST)
    texts = (_write(number, scene, longest) for longest in cuts)
    text = next((text for text in texts if estimate_tokens(text) <= most), None)
    return _shorten(_write(number, scene, _LONGEST[-1]), 3 * most) if text is None else text


def _write(number: int, scene: Scene, longest: int | None) -> str:
    lines = [f"[{number}] {' '.join(scene.heading.strip('[] ').split())}".rstrip()]
    for element in list_elements([scene]):
        text = _shorten(" ".join(element.text.split()), longest)
        if element.kind == "speech":
            lines.append(write_line(element.speakers, text))
        elif element.kind == "action":
            lines.append(f"({text})")
    return "\n".join(lines)


def _shorten(text: str, longest: int | None) -> str:
    """Return a text without the middle where it is too long: two thirds of what stays are its beginning."""
    if longest is None or len(text) <= longest:
        return text
    return f"{text[: 2 * longest // 3]} … {text[-longest // 3 :]}"


def _write_sentences(story: Story, asked: range) -> str:
    told = [" ".join(sentence.split()) for sentence in story.sentences]
    before, after = told[max(asked.start - BESIDE, 0) : asked.start], told[asked.stop : asked.stop + BESIDE]
    parts = ["Before them: " + " ".join(before)] if before else []
    parts.append("Sentences:\n" + "\n".join(f"<{place}> {told[place]}" for place in asked))
    return "\n\n".join([*parts, *(["After them: " + " ".join(after)] if after else [])])


@dataclass(frozen=True, slots=True)
class Told:
    """The scenes that tell a sentence, the one that tells most first, and what of it they tell, as an answer says.

    `text` is the sentence without what is in none of them. `whole` says whether they are all scenes that tell it: 1, 0, or
    `REWRITTEN` where the text is no part of the sentence.
    """

    scenes: tuple[int, ...]
    whole: float
    text: str = ""


Votes = Mapping[int, Sequence[tuple[Window, Told]]]


def read_scenes(answer: str, window: Window) -> dict[int, Told]:
    """Return the scenes that an answer gives to the sentences of its question.

    Raises:
        SourceError: it has no JSON object with `sentences`, or names a sentence or scene that is not in the question.
    """
    found = {}
    for entry in read_entries(answer, "sentences"):
        sentence, scenes, whole, text = (entry.get(name) for name in ("sentence", "scenes", "whole", "told"))
        if type(sentence) is not int or sentence not in window.sentences:
            raise SourceError(f"the answer names sentence {sentence!r}; expected {window.sentences[0]} to {window.sentences[-1]}")
        if not isinstance(scenes, list) or not all(type(scene) is int and scene in window.scenes for scene in scenes):
            raise SourceError(f"the answer names scenes {scenes!r}; expected some of {list(window.scenes)}")
        share = float(whole is True and bool(scenes) and text != "")
        found[sentence] = Told(tuple(dict.fromkeys(scenes)), share, text.strip() if isinstance(text, str) else "")
    return found


def is_part(text: str, sentence: str) -> bool:
    """Tell whether a text has only words of a sentence, in their order, and at least `LEAST_PART` of them.

    It has none that says the contrary: a negation leaves with its clause, not alone or with its verb's auxiliary (`did not`).
    """
    left, right = (_WORD.findall(part.casefold()) for part in (text, sentence))
    cuts = [cut for cut in SequenceMatcher(None, right, left, autojunk=False).get_opcodes() if cut[0] != "equal"]
    gone = [right[start:stop] for kind, start, stop, *_ in cuts if kind == "delete"]
    said = len(gone) == len(cuts) and not any(len(words) <= 2 and not _NEGATIONS.isdisjoint(words) for words in gone)
    return said and len(left) >= LEAST_PART * len(right)


AGREED = 0.5
"""F1 from which two answers about a sentence are alike, by the scenes that both questions have."""
SURE = 0.6
"""Probability from which the aligner's links may test a reader."""
FIRST = 3
"""An answer agrees with the aligner if its first so many scenes have the aligner's: to name all scenes is no agreement."""
REWRITTEN = 0.5
"""`Told.whole` where an answer says that the scenes do not tell the sentence as it is: less than the default asks for."""
LEAST_PART = 0.4
"""Share of a sentence's words from which a part of it is the summary of a row."""
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_NEGATIONS = frozenset(("not", "never", "no", "cannot", *(f"{verb}n{mark}t" for mark in "'’" for verb in (
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "ca", "could", "wo", "would", "should",
))))  # fmt: skip
LEAST_TWICE = 3
"""With fewer sentences read twice, nothing is known of a reader. The shortest synopsis with two questions has just so many."""


def compare_votes(votes: Votes, located: LocatedStory) -> float:
    """Return a reader's weight (`weigh_reader`), by sentences that he has read twice, and by the aligner's sure links."""
    if located.posteriors is None:
        return 0.0
    pairs = [_compare_twice(*said[:2]) for said in votes.values() if len(said) > 1]
    sure, stated = [], []
    for sentence, said in votes.items():
        best = int(located.posteriors[sentence].argmax())
        probability = float(LINK(located.posteriors[sentence, best]))
        for window, told in said[:1]:
            if probability >= SURE and best in window.scenes:
                sure.append(best in told.scenes[:FIRST])
                stated.append(probability)
    return weigh_reader([each for each in pairs if each is not None], sure, float(np.mean(stated or [1.0])), LEAST_TWICE)


def _compare_twice(one: tuple[Window, Told], other: tuple[Window, Told]) -> bool | None:
    """Tell whether two answers about a sentence are alike; None: they name only scenes that the other question has not."""
    (first, own), (second, its) = one, other
    if not own.scenes and not its.scenes:
        return True
    left, right = set(own.scenes) & {*second.scenes}, set(its.scenes) & {*first.scenes}
    if not left and not right:
        return None
    return 2 * len(left & right) >= AGREED * (len(left) + len(right))


def compare_whole(votes: Votes) -> float:
    """Return the probability that a reader is right where he says that his scenes are all that tell a sentence.

    It is estimated from the sentences that he has read twice: how often the other answer names no further scene, counting only
    scenes that this question has too.
    """
    twice = (pair for said in votes.values() if len(said) > 1 for pair in (said[:2], said[1::-1]))
    return estimate_share(
        [{*other.scenes} & {*window.scenes} <= {*told.scenes} for (window, told), (_, other) in twice if told.whole]
    )


@dataclass(frozen=True, slots=True)
class StoryReading(Reading):
    """What a reader says of a story: his scenes by sentence, and how far he is believed where he says that they are all.

    That counts only where he has seen the scenes beside them: an event that takes several scenes may go on there.
    `proofs` has what he says of sentences at the second look (`core.scripts.proofs`), and `caught` of each sentence with a
    foreign scene whether he finds it lacking.
    """

    whole: float
    votes: Mapping[int, Sequence[Told]]
    proofs: Mapping[int, Told] = field(default_factory=dict)
    caught: Sequence[bool] = ()


def gather_votes(
    model: str, asked: Sequence[tuple[Window, Question]], answers: Mapping[str, str], located: LocatedStory
) -> StoryReading:
    """Return what the answers to a story's questions say; `answers` are texts by the digest of their question."""
    found, answered, unreadable = gather_answers(asked, answers, read_scenes)
    weight = compare_votes(found, located) if found else 0.0
    sentences = {
        number: text for window, question in asked for number, text in zip(window.sentences, question.about, strict=True)
    }
    votes = {
        sentence: [
            check_part(told if _are_seen(said, len(located.scores[0])) else replace(told, whole=0.0), sentences[sentence])
            for _, told in said
        ]
        for sentence, said in found.items()
    }
    return StoryReading(model, len(asked), answered, unreadable, weight, min(weight, compare_whole(found)), votes)


def check_part(told: Told, sentence: str) -> Told:
    """Return what a reader says of a sentence, without a text that is no part of it; "" stands for the whole sentence."""
    if not told.text or _WORD.findall(told.text) == _WORD.findall(sentence):
        return replace(told, text="")
    if is_part(told.text, sentence):
        return replace(told, text=told.text[0].upper() + told.text[1:] if sentence[0].isupper() else told.text)
    return replace(told, text="", whole=REWRITTEN * told.whole)


def _are_seen(said: Sequence[tuple[Window, Told]], n_scenes: int) -> bool:
    """Tell whether the questions had the scenes before and after those that are named, so that a reader could name these too."""
    shown = {scene for window, _ in said for scene in window.scenes} | {-1, n_scenes}
    return all({scene - 1, scene + 1} <= shown for _, told in said for scene in told.scenes)


def hear_sentences(reading: StoryReading) -> dict[int, HeardSentence]:
    """Return what a believed reader says of each sentence, as the aligner hears it; nothing where he is not believed.

    Several votes of a sentence count equally, and the shortest text holds. The scene that tells most is the one that most votes
    put first, then the one that most votes name, then the earliest. A second look replaces the first.
    """
    if not reading.weight:
        return {}
    heard = {sentence: _hear(votes, reading) for sentence, votes in reading.votes.items()}
    for sentence, told in (reading.proofs if _knows_faults(reading) else {}).items():
        heard[sentence] = replace(heard[sentence], part=told.text, whole=reading.weight * told.whole)
    return heard


def _knows_faults(reading: StoryReading) -> bool:
    """Tell whether a reader finds foreign scenes out at the second look, beyond what he finds lacking anyway."""
    if len(reading.caught) < LEAST_TESTED or not reading.proofs:
        return False
    often = sum(told.whole < 1 for told in reading.proofs.values()) / len(reading.proofs)
    return estimate_share(reading.caught) - often >= LEAST * (1 - often) > 0


def _hear(votes: Sequence[Told], reading: StoryReading) -> HeardSentence:
    named = Counter(scene for told in votes for scene in told.scenes)
    first = Counter(told.scenes[0] for told in votes if told.scenes)
    best = min(first, key=lambda scene: (-first[scene], -named[scene], scene), default=None)
    told, whole = (sum(flags) / len(votes) for flags in zip(*((bool(each.scenes), each.whole) for each in votes), strict=True))
    shares = {scene: count / len(votes) for scene, count in sorted(named.items())}
    part = min((each.text for each in votes if each.text), key=len, default="")
    return HeardSentence(reading.model, reading.weight, told, reading.whole * whole, best, shares, part=part)
