"""The second question about a story: whether the scenes of a sentence show everything that it says.

The first question has ten sentences and most of a film, and a detail that no scene has is overlooked there. The second has the
sentences of some rows, as the reader has left them, and their own scenes alone. What is lacking leaves the sentence too. It also
decides where the first answers do not agree that the scenes are all.

Some sentences are shown with a scene from far away that does not tell them: who does not find them lacking is not heard.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from core.errors import SourceError
from core.reading.belief import LEAST_TESTED, gather_answers, read_entries
from core.reading.questions import Question, describe_list, describe_object, estimate_tokens
from core.scripts.aligning import HeardSentence, LocatedStory, link_located
from core.scripts.config import ScriptsConfig
from core.scripts.reading import REWRITTEN, StoryReading, Told, Window, check_part, gather_votes, hear_sentences, write_scene
from core.scripts.rows import SceneRow, decide_rows, tell_sentences
from core.scripts.story import Story

KIND = "script-proofs"
VERSION = 1
MOST_TOKENS = 8000
"""Tokens of the rows of a question; a longer row is asked about alone."""
_WORD_TOKENS = 10  # of an answer, for each word of the sentences, which it has twice: in pieces and as "told"
SCHEMA = describe_object(
    sentences=describe_list(
        sentence={"type": "integer"},
        pieces=describe_list(words={"type": "string"}, scene={"type": "integer"}),
        told={"type": "string"},
    )
)
PLANTED = 6
"""Sentences of a story that are shown with a foreign scene."""
FAR = 4
"""Scenes from here on are foreign, counted from those that the reader names, or that are likely at all."""
_UNLIKELY = 0.01
_LEAST_WORDS = 7  # of a planted sentence: "He leaves." is told by many scenes
_SIZES = (100, 600)  # tokens of a foreign scene
DOUBTED = 0.4
"""Share of the first answers that have to say that a sentence's scenes are all; a second question settles the rest."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The sentences of a question by number: as the synopsis has each, the part of it that is shown, and its scenes.

    Numbers from `planted` on are those of sentences with a foreign scene.
    """

    sentences: Mapping[int, "_Part"]
    planted: int


_Part = tuple[str, str, tuple[int, ...]]


Asked = Sequence[tuple[Window | Shown, Question]]
"""All questions about a story, the first ones and the second ones."""


def list_questions(
    story: Story, located: LocatedStory, config: ScriptsConfig, reading: StoryReading, instructions: str
) -> list[tuple[Shown, Question]]:
    """Return the questions about the rows that a reader may make of a story; none before all first questions have an answer."""
    heard = hear_sentences(reading)
    if not heard or reading.answers < reading.questions:  # a further answer may change the rows
        return []
    least = DOUBTED * reading.whole
    hoped = {number: replace(each, whole=each.weight) if each.whole >= least else each for number, each in heard.items()}
    rows = (
        row
        for row in decide_rows(story, link_located(located, hoped), config)
        if row.reason is None and all(each.sentence in heard for each in row.sentences)  # an answer may leave sentences out
    )
    groups, planted = [*_group(rows, story)], _plant(story, located, heard)
    if len(planted) < LEAST_TESTED:  # nothing would tell whether the reader looks
        return []
    return [_ask(story, group, planted[number :: len(groups)], instructions) for number, group in enumerate(groups)]


def _plant(story: Story, located: LocatedStory, heard: Mapping[int, HeardSentence]) -> list[tuple[int, int]]:
    """Return sentences, each with a scene that is far from all that may tell it."""
    assert located.posteriors is not None  # nobody is heard without
    draw, found = Random(story.unit), list[tuple[int, int]]()
    least, most = _SIZES
    fit = [
        place
        for place, scene in enumerate(story.scenes)
        if least <= estimate_tokens(write_scene(place, scene, whole=True)) <= most
    ]
    for sentence in draw.sample(sorted(heard), len(heard)):
        near = {*np.flatnonzero(located.posteriors[sentence] >= _UNLIKELY).tolist(), *heard[sentence].shares}
        far = [place for place in fit if all(abs(place - other) >= FAR for other in near)]
        if far and len(story.sentences[sentence].split()) >= _LEAST_WORDS:
            found.append((sentence, draw.choice(far)))
    return found[:PLANTED]


def _group(rows: Iterable[SceneRow], story: Story) -> Iterator[list[SceneRow]]:
    group: list[SceneRow] = []
    size = 0
    for row in rows:
        tokens = sum(estimate_tokens(write_scene(place, story.scenes[place], whole=True)) for place in row.scenes)
        if group and size + tokens > MOST_TOKENS:
            yield group
            group, size = [], 0
        group.append(row)
        size += tokens
    if group:
        yield group


def _ask(story: Story, rows: Sequence[SceneRow], planted: Sequence[tuple[int, int]], instructions: str) -> tuple[Shown, Question]:
    told, first = tell_sentences(story, rows).sentences, len(story.sentences)
    parts: list[dict[int, _Part]] = [
        {
            each.sentence: (story.sentences[each.sentence], told[each.sentence], tuple(link.scene for link in each.links))
            for each in row.sentences
        }
        for row in rows
    ]
    for sentence, scene in planted:
        text = story.sentences[sentence]
        parts.insert(Random(text).randrange(len(parts) + 1), {first + sentence: (text, text, (scene,))})
    shown = {number: part for each in parts for number, part in each.items()}
    text = "\n\n".join(f"Part {number}\n{_write_part(story, part)}" for number, part in enumerate(parts, 1))
    most = 200 + _WORD_TOKENS * sum(len(text.split()) for _, text, _ in shown.values())
    about = tuple(sentence for number, (sentence, _, _) in shown.items() if number < first)
    doubt = sum(1 - (each.completeness or 0.0) for row in rows for each in row.sentences)
    return Shown(shown, first), Question(KIND, VERSION, story.unit, instructions, text, SCHEMA, most, about, doubt)


def _write_part(story: Story, part: Mapping[int, _Part]) -> str:
    lines = [
        f"<{number}> (scenes {', '.join(map(str, own))}) {' '.join(text.split())}" for number, (_, text, own) in part.items()
    ]
    scenes = sorted({scene for _, _, own in part.values() for scene in own})
    return "\n".join([*lines, *(write_scene(place, story.scenes[place], whole=True) for place in scenes)])


def read_proofs(answer: str, shown: Shown) -> dict[int, Told]:
    """Return what of each sentence its scenes tell, as an answer says; `scenes` are those that it names.

    Raises:
        SourceError: it has no JSON object with `sentences`, lacks a field, or names a sentence that is not in the question.
    """
    found = {}
    for entry in read_entries(answer, "sentences"):
        number, text = entry.get("sentence"), entry.get("told")
        if type(number) is not int or number not in shown.sentences or not isinstance(text, str):
            raise SourceError(f"the answer says {text!r} of sentence {number!r}; expected a text of one of {[*shown.sentences]}")
        pieces = entry.get("pieces", [])
        if not isinstance(pieces, list) or not all(isinstance(each, dict) and type(each.get("scene")) is int for each in pieces):
            raise SourceError(f"the answer has the pieces {pieces!r:.60} of sentence {number}; expected words and scene of each")
        scenes = [each["scene"] for each in pieces]
        sentence, seen, own = shown.sentences[number]
        told = check_part(Told(tuple(dict.fromkeys(scenes)), float(text.strip() != ""), text.strip()), sentence)
        if not {*scenes} <= {*own} and told.text in ("", seen):  # something is lacking, and yet nothing is left out
            told = replace(told, whole=REWRITTEN * told.whole)
        found[number] = told
    return found


def gather_reading(model: str, asked: Asked, answers: Mapping[str, str], located: LocatedStory) -> StoryReading:
    """Return what the answers to a story's questions say; `answers` are texts by the digest of their question."""
    first = [(shown, question) for shown, question in asked if isinstance(shown, Window)]
    second = [(shown, question) for shown, question in asked if isinstance(shown, Shown)]
    reading = gather_votes(model, first, answers, located)
    found, answered, unreadable = gather_answers(second, answers, read_proofs)
    return replace(
        reading,
        questions=len(asked),
        answers=reading.answers + answered,
        unreadable=reading.unreadable + unreadable,
        proofs={sentence: told for sentence, [(shown, told)] in found.items() if sentence < shown.planted},
        caught=tuple(told.whole < 1 for sentence, [(shown, told)] in found.items() if sentence >= shown.planted),
    )
