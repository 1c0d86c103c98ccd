"""What a model is asked about the dialogues of a shard, and what its answers say: the sentences over which a reader stumbles.

A reply that goes leaves two turns of speaker 1, which the post has one after the other. So the rest is a dialogue again. A
conversation, whose turns are real replies to each other, ends there.

Some dialogues are asked about twice. The second time another question shows them, and one of their replies is of another post: a
reader has to stumble there. His answers about the other replies are compared with the first ones (`core.reading.belief`).

A dialogue over which he has stumbled is asked about once more, as he has left it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice, takewhile
from random import Random

from scipy.special import expit

from core.errors import SourceError
from core.reading.belief import Counts, read_entries, weigh_marks
from core.reading.questions import Question, describe_list, describe_object
from core.threads.dialogues import SPEAKERS, Sentences, measure_coherence
from core.threads.search import list_word_stems

KIND = "thread-stumbles"
VERSION = 1
ASKED_TOGETHER = 8
"""Dialogues of a question, in the mean."""
MOST_TOGETHER = 12
PLANTED = 1 / 3
"""The share of the dialogues that are asked about twice."""
MOST_LENDERS = 200
"""Dialogues that a planted reply is looked for in, so that a large shard takes no longer for each."""
LEAST_STEMS = 3
"""Words that a reply of another post needs, none of them in the dialogue: a reply such as "same here" suits every post."""
_DIALOGUE_TOKENS, _SENTENCE_TOKENS = 30, 14  # of an answer
CASES = ("beside", "torn", "early", "contradicts", "repeats", "forum", "next")
SCHEMA = describe_object(
    dialogues=describe_list(
        dialogue={"type": "integer"},
        stumbles=describe_list(sentence={"type": "integer"}, why={"type": "string", "enum": [*CASES]}),
        rest={"type": "string", "enum": ["good", "bad"]},
    )
)


Place = tuple[int, int]
"""A sentence of a dialogue: its turn, and its number in the turn, both from 0."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A dialogue as a question shows it: its id and the sentences of its turns, which the question numbers from 1.

    `replied`: each turn was written as the reply to the one before it (a conversation), and not put there by a search.
    `planted` is the turn whose sentences are of another dialogue, the `lender`, None where all are its own. `left` are the
    sentences that a reader has left of the dialogue, where it is shown for the second time; () where it is shown as it was found.
    """

    id: str
    turns: tuple[Sentences, ...]
    planted: int | None = None
    left: tuple[Place, ...] = ()
    replied: bool = False
    lender: str = ""

    @property
    def replies(self) -> range:
        """The turns of speaker 2."""
        return range(1, len(self.turns), 2)

    @property
    def places(self) -> list[Place]:
        """The sentences in order."""
        return [(turn, number) for turn, said in enumerate(self.turns) for number in range(len(said))]


Group = tuple[Shown, ...]
"""The dialogues of a question, which numbers them from 1."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What an answer says of a dialogue: the sentences over which a reader stumbles, and whether the rest reads well."""

    stumbles: tuple[Place, ...]
    reads_well: bool

    def list_gone(self, shown: Shown) -> tuple[int, ...]:
        """Return the turns of speaker 2 of which every sentence is marked."""
        return tuple(turn for turn in shown.replies if all((turn, n) in self.stumbles for n in range(len(shown.turns[turn]))))


@dataclass(frozen=True, slots=True)
class Trial:
    """A test of a reader: a dialogue of `turns` turns, with a reply of another post at the turn `planted`.

    `found` are the replies that he marks as a whole there, `before` those in the dialogue as it is (None: he said nothing of it).
    """

    turns: int
    planted: int
    found: tuple[int, ...]
    before: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Reading(Counts):
    """What a reader says of a shard: how much he was asked and answered, his marks by dialogue, and how he did in the trials."""

    marks: Mapping[str, Marks]
    trials: Sequence[Trial]


def group_dialogues(dialogues: Sequence[Shown]) -> list[Group]:
    """Return the dialogues by question, those with a planted reply in another question than they themselves.

    Draws by the ids decide everything, so that a dialogue that comes or goes changes two or three questions, and not all.
    """
    groups: list[list[tuple[float, Shown]]] = []
    twice: list[tuple[int, Shown, Random]] = []
    begins = True
    drawn = [(draw.random(), shown, draw) for shown in dialogues for draw in [Random(shown.id)]]
    for place, dialogue, draw in sorted(drawn, key=lambda entry: entry[0]):
        if begins or len(groups[-1]) == MOST_TOGETHER:
            groups.append([])
        groups[-1].append((place, dialogue))
        begins = draw.random() < 1 / ASKED_TOGETHER
        if draw.random() < PLANTED and not dialogue.left:
            twice.append((len(groups), dialogue, draw))  # in the group after its own
    again = {dialogue.id for _, dialogue, _ in twice}
    once = [(number, shown) for number, group in enumerate(groups) for _, shown in group if shown.id not in again]
    if len(groups) == 1 and twice:
        groups.append([])
    for number, dialogue, draw in twice:
        target = number % len(groups)
        foreign = islice((shown for number, shown in once if number != target), MOST_LENDERS)  # the question shows it once
        if (copy := _plant_reply(dialogue, foreign, draw)) is not None:
            groups[target].append((draw.random(), copy))
    return [tuple(shown for _, shown in sorted(group, key=lambda entry: entry[0])) for group in groups if group]


def _plant_reply(dialogue: Shown, others: Iterable[Shown], draw: Random) -> Shown | None:
    """Return a dialogue with a reply of another in place of one of its own; None where no reply surely belongs elsewhere."""
    said = list_word_stems(sentence for turn in dialogue.turns for sentence in turn)
    drawn = [
        (Random(f"{dialogue.id} {other.id} {turn}").random(), other.turns[turn], other.id)
        for other in others
        for turn in other.replies
    ]
    for _, reply, lender in sorted(drawn):
        stems = list_word_stems(reply)
        if len(stems) >= LEAST_STEMS and said.isdisjoint(stems):
            place = draw.choice(dialogue.replies)
            turns = (*dialogue.turns[:place], reply, *dialogue.turns[place + 1 :])
            return replace(dialogue, turns=turns, planted=place, lender=lender)
    return None


def list_questions(dialogues: Sequence[Shown], instructions: str) -> list[tuple[Group, Question]]:
    """Return the questions about the dialogues of a shard, each with what it shows. They have speakers without names."""
    asked = []
    for group in group_dialogues(dialogues):
        text = "\n\n".join(f"Dialogue {number}\n{_write_turns(shown.turns)}" for number, shown in enumerate(group, 1))
        most = sum(_DIALOGUE_TOKENS + _SENTENCE_TOKENS * len(shown.places) for shown in group) + 20
        about = " ".join(filter(None, dict.fromkeys(name for shown in group for name in (shown.id, shown.lender))))
        asked.append((group, Question(KIND, VERSION, about, instructions, text, SCHEMA, most)))
    return asked


def _write_turns(turns: Sequence[Sentences]) -> str:
    numbers = count(1)
    lines = (" ".join(f"[{next(numbers)}] {' '.join(sentence.split())}" for sentence in said) for said in turns)
    return "\n".join(f"{SPEAKERS[turn % 2]}: {line}" for turn, line in enumerate(lines))


def read_marks(answer: str, group: Group) -> list[tuple[Shown, Marks]]:
    """Return what an answer says of the dialogues of its question; those that it leaves out are not there.

    Raises:
        SourceError: it has no JSON object with `dialogues`, or names a dialogue or sentence that nobody asked about.
    """
    try:
        found = [
            (entry["dialogue"], [mark["sentence"] for mark in entry["stumbles"]], entry["rest"])
            for entry in read_entries(answer, "dialogues")
        ]
    except (KeyError, TypeError) as error:
        raise SourceError(f"the answer {answer[:60]!r} lacks {error}; expected dialogue, stumbles and rest") from None
    marks: dict[int, tuple[Shown, Marks]] = {}
    for number, stumbles, rest in found:
        if type(number) is not int or not 1 <= number <= len(group) or rest not in ("good", "bad"):
            raise SourceError(f"the answer says {rest!r} of dialogue {number!r}; expected good or bad of 1 to {len(group)}")
        shown = group[number - 1]
        places = dict(enumerate(shown.places, 1))
        if unknown := [each for each in stumbles if type(each) is not int or each not in places]:
            raise SourceError(f"the answer names sentence {unknown[0]!r} of dialogue {number}; expected 1 to {len(places)}")
        marks[number] = (shown, Marks(tuple(places[each] for each in sorted(set(stumbles))), rest == "good"))
    return [*marks.values()]


def gather_marks(model: str, asked: Sequence[tuple[Group, Question]], answers: Mapping[str, str]) -> Reading:
    """Return what the answers to the questions about a shard say; `answers` are texts by the digest of their question."""
    own: dict[str, Marks] = {}
    gone: dict[str, tuple[int, ...]] = {}
    again: dict[str, Marks] = {}
    planted: list[tuple[Shown, int, Marks]] = []
    unreadable = 0
    for group, question in asked:
        if question.digest not in answers:
            continue
        try:
            for shown, marks in read_marks(answers[question.digest], group):
                if shown.left:
                    places = dict(zip(shown.places, shown.left, strict=True))
                    again[shown.id] = Marks(tuple(places[place] for place in marks.stumbles), marks.reads_well)
                elif shown.planted is None:
                    own[shown.id], gone[shown.id] = marks, marks.list_gone(shown)
                else:
                    planted.append((shown, shown.planted, marks))
        except SourceError:
            unreadable += 1
    trials = [Trial(len(shown.turns), place, marks.list_gone(shown), gone.get(shown.id)) for shown, place, marks in planted]
    for name, marks in again.items():
        own[name] = Marks((*own[name].stumbles, *marks.stumbles), marks.reads_well)
    answered = sum(question.digest in answers for _, question in asked)
    return Reading(model, len(asked), answered, unreadable, own, trials)


def weigh_reader(trials: Iterable[Trial]) -> float:
    """Return how far a reader is believed, of the trials of all shards (`core.reading.belief.weigh_marks`)."""
    caught, others = list[bool](), list[bool]()
    twice = list[tuple[bool, bool]]()
    for trial in trials:
        caught.append(trial.planted in trial.found)
        for turn in range(1, trial.turns, 2):
            if turn != trial.planted:
                others.append(turn in trial.found)
                if trial.before is not None:
                    twice.append((turn in trial.before, turn in trial.found))
    return weigh_marks(caught, others, twice)


def choose_sentences(
    said: Sequence[int], scores: Sequence[float], marks: Marks, weight: float, min_turns: int, replied: bool = False
) -> list[list[Place]] | None:
    """Return the turns that a dialogue has after a reader: for each, the sentences that it is made of. None: it is dropped.

    The reader counts with his weight, the scorer's probability of a reply with the rest; of speaker 1 no scorer says anything. A
    sentence goes if it is more probably wrong than right. Where a reply is gone, the turns of speaker 1 around it become one,
    which keeps a sentence at least; a conversation (`replied`) ends before the first turn that is gone. A dialogue is dropped
    if the rest more probably reads badly, or has fewer than `min_turns` turns.

    Args:
        said: the number of sentences of each turn.
        scores: log-odds of each turn after the first.
        marks: what the reader says.
        weight: the probability that he is right.
        min_turns: the least turns of a dialogue.
        replied: as in `Shown`.
    """
    if weight * marks.reads_well + (1 - weight) * measure_coherence(scores) < 0.5:
        return None
    wrong = {(turn, n) for turn, n in marks.stumbles if (1 - weight) * (expit(scores[turn - 1]) if turn % 2 else 1.0) < 0.5}
    kept: list[list[Place]] = []
    least = min(min_turns, len(said))
    spoken: list[list[Place]] = [[(turn, n) for n in range(sentences)] for turn, sentences in enumerate(said)]
    if replied:
        whole = ([place for place in sentences if place not in wrong] for sentences in spoken)
        kept = [*takewhile(bool, whole)]
        return kept if len(kept) >= least else None
    runs: list[list[Place]] = []  # all sentences of each turn of speaker 1 that is left
    for turn, sentences in enumerate(spoken):
        left = [place for place in sentences if place not in wrong]
        if turn % 2:
            if left:
                kept.append(left)
        elif len(kept) % 2:
            kept[-1] += left
            runs[-1] += sentences
        else:
            kept.append(left)
            runs.append(sentences)
    kept = [turn or runs[number // 2] for number, turn in enumerate(kept[: len(kept) // 2 * 2])]
    return kept if len(kept) >= least else None


def show_mended(shown: Shown, marks: Marks, min_turns: int) -> Shown | None:
    """Return a dialogue as it is without all that a reader has marked; None where nothing has changed, or too little is left."""
    said, scores = [*map(len, shown.turns)], [0.0] * (len(shown.turns) - 1)
    kept = choose_sentences(said, scores, marks, 1.0, min_turns, shown.replied)
    if kept is None or not marks.stumbles:
        return None
    turns = tuple(tuple(shown.turns[turn][number] for turn, number in said) for said in kept)
    return replace(shown, turns=turns, left=tuple(place for said in kept for place in said))
