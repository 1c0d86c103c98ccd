import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from core.dialogue import Turn
from core.errors import ConfigError, SourceError
from core.reading.questions import Question, ReaderConfig, estimate_tokens
from core.scripts.aligning import LocatedStory, StoryLinks, link_located, locate_story
from core.scripts.config import ScriptsConfig
from core.scripts.reading import (
    MOST_SCENE,
    MOST_SHARE,
    REWRITTEN,
    StoryReading,
    Told,
    Window,
    count_tokens,
    gather_votes,
    hear_sentences,
    is_part,
    list_questions,
    plan_windows,
    read_scenes,
    write_scene,
)
from core.scripts.rows import decide_rows
from core.scripts.story import Scene, Story
from infra.settings import validate_config
from tests.core.scripts.invented import CONFIG, make_film

Film = tuple[Story, list[tuple[int, ...]]]
Reader = Callable[[Window, int], Sequence[int]]
"""Names scenes of a window that tell a sentence; −1 stands for those that the window has not, so that others are not all."""


@pytest.fixture(scope="module")
def film() -> Film:
    return make_film(7)


@pytest.fixture(scope="module")
def located(film: Film) -> LocatedStory:
    return locate_story(film[0], lambda _: np.zeros((0, 1), np.float32), CONFIG)


def read(story: Story, located: LocatedStory, reader: Reader) -> StoryReading:
    asked = list_questions(story, located.posteriors, "Find the scenes.")
    answers = {}
    for window, question in asked:
        told = {number: list(reader(window, number)) for number in window.sentences}
        found = {number: [scene for scene in scenes if scene >= 0] for number, scenes in told.items()}
        entries = [
            {"sentence": number, "scenes": scenes, "whole": found[number] == told[number]} for number, scenes in found.items()
        ]
        answers[question.digest] = json.dumps({"sentences": entries})
    reading = gather_votes("model", asked, answers, located)
    assert (reading.questions, reading.answers, reading.unreadable) == (len(asked), len(asked), 0)
    return reading


def measure(story: Story, links: StoryLinks, gold: Sequence[tuple[int, ...]]) -> tuple[float, int, float]:
    """Return the share of best scenes that are gold's, the sentences in kept rows, and the share of these rows that are whole."""
    hits = [scene in told for scene, told in zip(links.scenes, gold, strict=True)]
    kept = [row for row in decide_rows(story, links, CONFIG) if row.reason is None]
    whole = [all({*gold[each.sentence]} <= {*row.scenes} for each in row.sentences) for row in kept]
    return sum(hits) / len(hits), sum(len(row.sentences) for row in kept), sum(whole) / max(1, len(whole))


def answer_gold(gold: Sequence[tuple[int, ...]]) -> Reader:
    return lambda window, sentence: [scene if scene in window.scenes else -1 for scene in gold[sentence]]


def test_a_reader_who_reads_moves_the_links_and_has_rows_kept(film: Film, located: LocatedStory) -> None:
    story, gold = film
    reading = read(story, located, answer_gold(gold))
    assert reading.weight > 0.85
    assert 0.75 < reading.whole <= reading.weight
    hits, kept, _ = measure(story, link_located(located), gold)
    heard = link_located(located, hear_sentences(reading))
    better, more, whole = measure(story, heard, gold)
    assert better > hits + 0.15
    assert more > kept + 10
    assert whole > 0.9
    for sentence, candidates in enumerate(heard.candidates):
        assert all(0 <= each.probability <= 1 for each in candidates if each.probability is not None)
        assert {scene for scene in gold[sentence] if sentence in heard.heard} <= {each.scene for each in candidates} | {-1}
    partly = {number: [replace(told, whole=0.0) for told in votes] for number, votes in reading.votes.items() if number == 7}
    rows = decide_rows(story, link_located(located, hear_sentences(replace(reading, votes={**reading.votes, **partly}))), CONFIG)
    assert [row.reason for row in rows if 7 in {each.sentence for each in row.sentences}] == ["incomplete"]


@pytest.mark.parametrize(
    "reader",
    [
        lambda window, _: window.scenes[:1],
        lambda window, _: window.scenes,
        lambda *_: (),
        lambda window, sentence: Random(f"{window}{sentence}").sample(window.scenes, min(2, len(window.scenes))),
        lambda window, sentence: (window.scenes[(7 * sentence) % len(window.scenes)],),
        lambda window, _: [scene for scene in window.scenes if scene % 10 == 3],
    ],
    ids=["always-first", "always-all", "always-nothing", "chance", "by-number", "told-by-the-dialogue"],
)
def test_a_reader_who_does_not_read_changes_no_row(film: Film, located: LocatedStory, reader: Reader) -> None:
    story, _ = film
    reading = read(story, located, reader)
    assert reading.weight == 0.0
    heard = link_located(located, hear_sentences(reading))
    assert heard == link_located(located)
    assert decide_rows(story, heard, CONFIG) == decide_rows(story, link_located(located), CONFIG)


def test_where_a_believed_reader_finds_nothing_no_row_is_kept(film: Film, located: LocatedStory) -> None:
    story, gold = film
    left_out = {*range(0, len(gold), 6)}
    reading = read(story, located, lambda window, sentence: [] if sentence in left_out else answer_gold(gold)(window, sentence))
    rows = decide_rows(story, link_located(located, hear_sentences(reading)), CONFIG)
    dropped = {each.sentence: row.reason for row in rows if row.reason is not None for each in row.sentences}
    assert reading.weight > 0.5
    assert {dropped[sentence] for sentence in left_out} == {"low-probability"}


def test_all_that_tell_a_sentence_counts_only_where_the_scenes_beside_were_shown() -> None:
    located = LocatedStory(np.zeros((2, 10)), (4, 5), (1.0, 1.0), np.full((2, 10), 0.1))
    windows = (Window(range(2), (3, 4, 5)), Window(range(1, 2), (5, 6, 9)))
    asked = [(each, Question("kind", 1, "", "", str(each), {}, 9, ("Fox eats.",) * len(each.sentences))) for each in windows]
    said = {"sentence": 0, "scenes": [4], "whole": True}, {"sentence": 1, "scenes": [5], "whole": True}
    answers = [json.dumps({"sentences": entries}) for entries in (said, said[1:])]
    one = gather_votes("model", asked, {asked[0][1].digest: answers[0]}, located)
    assert {sentence: [told.whole for told in votes] for sentence, votes in one.votes.items()} == {0: [True], 1: [False]}
    told = {question.digest: answer for (_, question), answer in zip(asked, answers, strict=True)}
    both = gather_votes("model", asked, told, located)
    assert [told.whole for told in both.votes[1]] == [1, 1], "one question has scene 4, the other scene 6"
    last = json.dumps({"sentences": [{"sentence": 1, "scenes": [9], "whole": True}]})
    assert [told.whole for told in gather_votes("model", asked, {asked[1][1].digest: last}, located).votes[1]] == [False]


def test_a_film_costs_no_more_than_its_share(film: Film, located: LocatedStory) -> None:
    story, _ = film
    long = replace(story, scenes=tuple(replace(scene, narration=scene.narration * 12) for scene in story.scenes))
    asked = list_questions(long, located.posteriors, "Find the scenes.")
    cost = sum(estimate_tokens(question.instructions + question.text) for _, question in asked)
    assert MOST_SHARE * 0.8 < cost / count_tokens(long) <= MOST_SHARE * 1.05
    assert {sentence for window, _ in asked for sentence in window.sentences} == {*range(len(story.sentences))}
    again = list_questions(replace(long, unit="other"), located.posteriors, "Find the scenes.")
    assert [question.digest for _, question in again] == [question.digest for _, question in asked]
    for window, question in asked:
        assert [int(line[1 : line.index("]")]) for line in question.text.splitlines() if line[0:1] == "["] == [*window.scenes]


def test_windows_have_the_likeliest_scenes_and_a_long_scene_loses_the_middle_of_its_lines() -> None:
    posteriors = np.full((12, 30), 1e-6)
    posteriors[np.arange(12), np.arange(12) * 2] = 0.9
    narrow = plan_windows(posteriors, [10] * 30, 0)
    assert [(window.sentences, len(window.scenes)) for window in narrow] == [(range(10), 1), (range(7, 12), 1)]
    posteriors[11, 29] = 0.5
    wide = plan_windows(posteriors, [10] * 30, 270)
    assert wide[0].scenes == tuple(range(20))[: len(wide[0].scenes)]
    assert {14, 16, 18, 20, 22, 29} <= {*wide[1].scenes}
    assert sum(len(window.scenes) for window in wide) == 27
    turns = tuple(Turn(place, ("ADA",), (f"{place} " + "word " * 200,), "ADA", "") for place in range(40))
    scene = Scene(3, 3, "INT. HALL - NIGHT", turns, ("She waits. " * 100,))
    text = write_scene(3, scene)
    assert text.splitlines()[0] == "[3] INT. HALL - NIGHT"
    assert [int(line.split()[1]) for line in text.splitlines()[2:]] == [*range(40)]
    assert estimate_tokens(text) <= MOST_SCENE
    assert estimate_tokens(write_scene(3, replace(scene, turns=turns * 40))) <= MOST_SCENE + 2


@pytest.mark.parametrize(
    "answer",
    [
        '{"sentences": [{"sentence": 9, "scenes": [12], "whole": true}]}',
        '{"sentences": [{"sentence": 1, "scenes": [11], "whole": true}]}',
        '{"sentences": [{"sentence": 1, "scenes": 12, "whole": true}]}',
        '{"sentences": [{"sentence": 1, "scenes": [true], "whole": true}]}',
        '{"sentences": [{"sentence": 1}]}',
        "[" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_told(answer: str) -> None:
    with pytest.raises(SourceError, match="the answer"):
        read_scenes(answer, Window(range(3), (10, 12, 13)))


def test_an_answer_may_stand_in_other_words_and_repeat_a_scene() -> None:
    said = 'Here:\n```json\n{"sentences": [{"sentence": 1, "scenes": [13, 12, 13], "whole": true}]}\n```'
    assert read_scenes(said, Window(range(3), (10, 12, 13))) == {1: Told((13, 12), 1.0)}
    part = said.replace('"whole": true', '"whole": true, "told": " Fox eats."')
    assert read_scenes(part, Window(range(3), (10, 12, 13))) == {1: Told((13, 12), 1.0, "Fox eats.")}
    assert read_scenes(said.replace('"whole"', '"told": "", "whole"'), Window(range(3), (10, 12, 13))) == {1: Told((13, 12), 0.0)}


@pytest.mark.parametrize(
    ("told", "part", "whole"),
    [
        ("Fox steals a hat in the market and, at night, gives it to the goose.", "", 1.0),
        ("Fox steals a hat in the market.", "Fox steals a hat in the market.", 1.0),
        ("Fox steals a hat and gives it to the goose.", "Fox steals a hat and gives it to the goose.", 1.0),
        ("steals a hat in the market and gives it to the goose.", "Steals a hat in the market and gives it to the goose.", 1.0),
        ("Fox buys a hat in the market.", "", REWRITTEN),
        ("At night Fox steals a hat in the market.", "", REWRITTEN),
        ("Fox steals.", "", REWRITTEN),
    ],
)
def test_a_text_counts_if_it_is_part_of_the_sentence(told: str, part: str, whole: float) -> None:
    sentence = "Fox steals a hat in the market and, at night, gives it to the goose."
    located = LocatedStory(np.zeros((1, 10)), (4,), (1.0,), np.full((1, 10), 0.1))
    asked = [(Window(range(1), (3, 4, 5)), Question("kind", 1, "film", "", "text", {}, 9, (sentence,)))]
    said = json.dumps({"sentences": [{"sentence": 0, "scenes": [4], "told": told, "whole": True}]})
    reading = gather_votes("model", asked, {asked[0][1].digest: said}, located)
    assert reading.votes[0] == [Told((4,), whole, part)]
    heard = hear_sentences(replace(reading, weight=0.9, whole=0.9))[0]
    assert (heard.part, heard.whole) == (part, 0.9 * whole)
    assert ScriptsConfig().filter.min_completeness > REWRITTEN, "the default keeps them out"


def test_a_negation_leaves_with_its_clause_only() -> None:
    whole = "Fox does not eat the goose, and she never learns why."
    assert is_part("Fox does not eat the goose", whole)
    for text in (whole.replace("not ", ""), whole.replace("does not ", ""), whole.replace("never ", "")):
        assert not is_part(text, whole)


def test_a_reader_needs_posteriors() -> None:
    with pytest.raises(ConfigError, match="decoder"):
        validate_config(ScriptsConfig, {"reader": {"model": "m"}, "alignment": {"decoder": "dtw"}}, "settings")
    assert validate_config(ScriptsConfig, {"reader": {"model": "m"}}, "settings").reader == ReaderConfig("m")
