"""What readers decide of a story: the queue, rows of the next release, and evaluation on their gold and on others'."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from core.scripts.story import Story
from infra.store.objects import Store
from infra.tables.scripts import STORY
from tasks.review.session import SessionOptions, open_session
from tasks.scripts.evaluation import evaluate_reviewed, evaluate_scripts, record_quality
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.in_process import make_example

UNIT = "lost-property"


def decide(store: Store, answers: dict[str, tuple[str, Any]], annotator: str = "anna") -> None:
    """Answer the questions about some sentences, by the name of the sentence, as the page does."""
    now = [0.0]
    session = open_session(store, "scripts", SessionOptions(annotator=annotator, again=annotator != "anna"), lambda: now[0])
    left = dict(answers)
    for place in range(session.describe({})["count"]):
        shown = session.show({"place": str(place)})
        if shown["item"] in left:
            question, given = left.pop(shown["item"])
            now[0] += 20
            session.decide({"place": place, "answers": [{"question": question, "answer": given}]})
    assert not left


def read_story(store: Store) -> Story:
    return STORY.decode(store.read(in_process.read_references(store, "scripts")[UNIT].artifacts["story"].key))


def find(rows: list[dict[str, Any]], sentence: int) -> dict[str, Any]:
    return next(row for row in rows if row["movie"] == UNIT and sentence in row["sentence_indices"])


@pytest.fixture
def made(store: Store) -> Store:
    make_example(store, "scripts")
    return store


def test_the_queue_shows_a_sentence_with_all_scenes_and_begins_with_what_is_worth_most(made: Store) -> None:
    session = open_session(made, "scripts", SessionOptions(annotator="anna"))
    rows = session._source.rows
    assert len(rows) == len({row["sentence"] + row["movie"] for row in in_process.read_rows(made, "scripts", "alignments")})
    shown = session.show({"place": "0"})
    assert {scene["position"] for scene in shown["scenes"]} == set(range(len(shown["scenes"])))
    assert set(shown["found"]) <= {scene["position"] for scene in shown["scenes"]}
    priority = {row.item: row.priority for row in rows}
    assert priority[shown["item"]] == max(priority.values()) > 0


def test_a_moved_sentence_is_in_the_row_of_its_new_scene(made: Store) -> None:
    scenes = read_story(made).scenes
    long = max(range(len(scenes)), key=lambda place: len(scenes[place].turns))
    decide(made, {f"{UNIT}_0003": ("links", [long]), f"{UNIT}_0005": ("pair", False)})
    assert make_example(made, "scripts").computed == ()
    moved = find(in_process.read_rows(made, "scripts", "scripts"), 3)
    rejected = find(in_process.read_rows(made, "scripts", "rejects"), 5)
    assert scenes[long].index in moved["scenes"]
    assert moved["decided_by"] == "people"
    assert (rejected["reason"], rejected["sentence_indices"]) == ("reviewed", [5])
    (part,) = [key for key in made.list_keys(in_process.release_folder(made, "scripts")) if key.endswith("rows/000-00.json.gz")]
    shown = {row["id"]: row for row in json.loads(gzip.decompress(made.read(part)))["rows"]}
    assert shown[moved["id"]]["facts"]["decided by"] == "people"


def test_merged_rows_honour_what_readers_decide_and_still_hold_every_scene_once(store: Store) -> None:
    nothing_dropped = {"min_probability": 0.0, "min_completeness": 0.0, "min_turns": 0, "min_length_ratio": 0.0}
    settings: dict[str, Any] = {"tables": {"scenes": "merged"}, "filter": nothing_dropped}
    make_example(store, "scripts", **settings)
    before = [row for row in in_process.read_rows(store, "scripts", "scripts") if row["movie"] == UNIT]
    first, last = before[0], before[-1]
    sentence, other = last["sentence_indices"][-1], before[2]["sentence_indices"][0]
    decide(store, {f"{UNIT}_{sentence:04d}": ("links", [0]), f"{UNIT}_{other:04d}": ("pair", False)})
    assert make_example(store, "scripts", **settings).computed == ()
    rows = [row for row in in_process.read_rows(store, "scripts", "scripts") if row["movie"] == UNIT]
    moved = find(rows, sentence)
    assert (moved["id"], moved["decided_by"]) == (first["id"], "people")
    (rejected,) = [row for row in in_process.read_rows(store, "scripts", "rejects") if row["movie"] == UNIT]
    assert (rejected["id"], rejected["sentence_indices"], rejected["reason"]) == (
        f"{UNIT}_sentence_{other:04d}", [other], "reviewed",
    )  # fmt: skip
    story = read_story(store)
    scenes = [scene for row in rows for scene in row["scenes"]]
    assert sorted(scenes) == [scene.index for scene in story.scenes]
    told = sorted(index for row in rows for index in row["sentence_indices"])
    assert told == [index for index in range(len(story.sentences)) if index != other]


def test_reviews_are_gold_and_stand_on_the_card_and_in_the_report_as_long_as_they_hold(made: Store) -> None:
    with pytest.raises(ConfigError, match="annotators have linked no sentence"):
        evaluate_reviewed(made)
    found = [row for row in in_process.read_rows(made, "scripts", "alignments") if row["best"]]
    links = {f"{row['movie']}_{row['sentence_index']:04d}": row["parser_scene"] for row in found}
    items = sorted(name for name in links if name.startswith(UNIT))[:4]
    right, wrong, untold, rejected = items
    away = 0 if links[wrong] > 3 else links[wrong] + 4
    answers = {right: [links[right]], wrong: [away], untold: []}
    decide(made, {name: ("links", given) for name, given in answers.items()} | {rejected: ("pair", False)})
    evaluation = evaluate_reviewed(made)
    rates = evaluation.figures["store"]["all"]["rates"]
    assert (rates["links"], rates["hit_rate"]["value"]) == (2, 0.5), "one right, one wrong; the others name no scene"
    assert "by the annotators: 1" in " ".join(evaluation.notes)
    assert evaluation.figures["review_curve"] is None, "so little gold makes no curve"
    record_quality(made, "scripts", evaluation.figures, reviews=True)
    assert make_example(made, "scripts").new_release
    folder = in_process.release_folder(made, "scripts")
    card, page = made.read(f"{folder}/README.md").decode(), made.read(f"{folder}/report/index.html").decode()
    told = card.partition("## Quality on gold")[2]
    assert "what readers decided (fabula review): 2 links of lost-property. Judged 20" in told
    embedded = json.loads(page.partition('id="release">')[2].partition("</script>")[0])
    assert embedded["quality"][0]["gold"] == "what readers decided (fabula review)"
    assert embedded["curve"]["recorded"], "there is too little gold, so the recorded curve is shown, and labelled"
    make_example(made, "scripts", filter={"several_scenes": 0.5})
    assert "what readers decided" not in made.read(f"{in_process.release_folder(made, 'scripts')}/README.md").decode()


CLERK = "the-weather-clerk"


def test_the_store_and_the_paper_side_by_side(stories: Example, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the profile sumtitles needs the extra `embeddings`")
    # The model takes its time for every story: one is left out.
    evaluation = evaluate_scripts(stories.store, f"{stories.source}/gold", (CLERK,))
    assert evaluation.notes == ()
    own, paper = evaluation.figures["store"], evaluation.figures["sumtitles"]
    assert set(own["by_story"]) == set(paper["by_story"]) == {"kettle_s1_e01"}
    assert own["all"]["rates"]["links"] == paper["all"]["rates"]["links"] == 6
    assert own["all"]["rates"]["hit_rate"] != paper["all"]["rates"]["hit_rate"]
    quality = record_quality(stories.copy(tmp_path).store, "scripts", evaluation.figures, reviews=False, judged="2026-11-02")
    assert (quality.judged, list(quality.artifacts)) == ("2026-11-02", ["kettle_s1_e01"])
    assert quality.figures[0].low is not None
    assert quality.curve is None


def test_what_is_left_out_and_what_is_missing_is_named(stories: Example, tmp_path: Path) -> None:
    gold = (stories.source / "gold").glob("*.jsonl")
    rows = [json.loads(line) for file in gold for line in file.read_text().splitlines()]
    renamed = [row | {"movie_id": "a-film-that-is-not-there"} for row in rows]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in renamed))
    evaluation = evaluate_scripts(stories.store, str(tmp_path), (CLERK,))
    assert evaluation.figures["left_out"] == [CLERK]
    assert evaluation.figures["missing"] == ["a-film-that-is-not-there"]
    assert "gold a-film-that-is-not-there: the store lacks the story" in evaluation.notes
    assert set(evaluation.figures["store"]["by_story"]) == {"kettle_s1_e01"}
    with pytest.raises(ConfigError, match="no story with gold has landed"):
        evaluate_scripts(Store(str(tmp_path)), f"{stories.source}/gold", ())
