import json

import pytest

from core.errors import SourceError
from core.scripts.json_files import list_episodes, read_cast, read_episode, read_gold
from core.scripts.story import CastMember, GoldLink


def one(character):
    (member,) = read_cast("cast.json", json.dumps([{"actor": "A. Actor", "character": character}]))
    return member.name, member.alter_egos


EGOS = {
    ("Anna Bell", ()): ["Anna Bell", "  Anna \n Bell "],
    ("Anna Bell", ("The Fox",)): ["Anna Bell / The Fox", "Anna Bell/The Fox", "Anna Bell | The Fox", "Anna Bell\\The Fox"],
    ('Robert "Bobby" Drake', ("Robert Drake", "Bobby Drake", "Bobby")): ['Robert "Bobby" Drake'],
    ("Samuel 'George' Fox", ("Samuel Fox", "George Fox", "George")): ["Samuel 'George' Fox"],
    ('"Bud" Fox', ("Bud Fox", "Bud")): ['"Bud" Fox'],
    ("Anna", ()): ["Anna (voice)", "Anna (as A. Nother)", "Anna (uncredited) (archive footage)"],
    ("Anna", ("The Fox",)): ["Anna as The Fox"],
    ("Bernard Bell", ("Blue",)): ["Bernard Bell aka Blue"],
    ("Mike O'Donnell", ()): ["Mike O'Donnell"],
    ("Women's Room Fan", ()): ["Women's Room Fan"],
}


@pytest.mark.parametrize("member", EGOS)
def test_names_and_alter_egos(member):
    assert {one(character) for character in EGOS[member]} == {member}


def test_missing_fields_are_left_out():
    rows = [{"actor": "A"}, {"character": None}, {"character": ""}, 5, None, "Ben"]
    assert [member.name for member in read_cast("c", json.dumps(rows))] == ["Ben"]
    assert read_cast("c", '{"cast": [{"character": "Anna"}]}') == (CastMember("Anna"),)
    assert read_cast("c", "[]") == ()


@pytest.mark.parametrize("text", ["", "{", "5", "{}", '"x"', "[" * 100_000, "9" * 5_000])
def test_refuses_text_that_is_not_a_cast_list(text):
    with pytest.raises(SourceError, match=r"cast\.json"):
        read_cast("cast.json", text)


def test_reads_links():
    text = (
        '{"movie_id": "fox", "sent_idx": 3, "sent": "Anna\\u00a0runs.", "scene_idx": [5, 2, 2, -7, true, "3"], '
        '"primary": 5, "n_scenes": 9, "source": "me"}\n'
        "\n"
        '{"movie_id": "fox", "sent_idx": 4, "sent": "She stops.", "scene_idx": [], "n_scenes": 9}\n'
    )
    found = read_gold("gold.jsonl", text)
    assert found == (GoldLink("fox", 3, "Anna runs.", (2, 5), 5, 9, "me"), GoldLink("fox", 4, "She stops.", (), None, 9))


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"movie_id": "fox"}', '{"movie_id": "", "sent": "x"}'])
def test_the_error_names_the_bad_line(line):
    with pytest.raises(SourceError, match=r"gold.jsonl, line 2"):
        read_gold("gold.jsonl", '{"movie_id": "fox", "sent": "x"}\n' + line)


def say(speakers, words, note=None):
    return {"speakers": speakers, "transcript": words, "transcript_with_note": note}


EPISODE = {
    "episode_id": "s1_e01",
    "title": "The Lamp",
    "summary": "A lamp is lit.",
    "scenes": [
        {"scene_id": "c01", "plots": ["Anna waits .", "Ben comes ."], "utterances": [
            say([], "", "[Scene: a barn.]"), say(["Anna Bell"], "Hello.", "Hello. (waves)"), say([], "", "(Ben enters)"),
            say(["Ben Fox", "Carl"], "Hi!")]},
        {"scene_id": "c02", "plots": [], "utterances": [say(["Anna Bell"], "Bye.")]},
        {"scene_id": "c03", "plots": ["They leave ."], "utterances": []},
    ],
}  # fmt: skip
SERIES = json.dumps({"season_id": "s1", "episodes": [EPISODE, {"episode_id": "s1_e02", "scenes": []}]})


def test_an_episode():
    episode = read_episode("s1.json", SERIES, "s1_e01")
    assert (episode.title, episode.kind) == ("The Lamp", "episode")
    assert [(scene.index, scene.strict_index, scene.heading) for scene in episode.scenes] == [
        (0, 0, "[Scene: a barn.]"), (1, 1, ""), (2, 2, "")]  # fmt: skip
    turns = list(episode.list_turns())
    assert [(turn.number, turn.speakers, turn.text) for turn in turns] == [
        (0, ("Anna Bell",), "Hello."), (1, ("Ben Fox", "Carl"), "Hi!"), (2, ("Anna Bell",), "Bye.")]  # fmt: skip
    assert (turns[0].raw_text, turns[1].raw_label) == ("Hello. (waves)", "Ben Fox, Carl")
    assert episode.scenes[0].narration == ("(Ben enters)",)
    assert episode.sentences == ("Anna waits .", "Ben comes .", "They leave .")
    assert episode.cast == (CastMember("Anna Bell"), CastMember("Ben Fox"), CastMember("Carl"))
    assert episode.gold[2] == GoldLink("s1_e01", 2, "They leave .", (2,), 2, 3, "plots")


def test_an_episode_without_scenes_or_dialogue_is_refused():
    with pytest.raises(SourceError, match=r"s1\.json, s1_e02: no scenes"):
        read_episode("s1.json", SERIES, "s1_e02")
    with pytest.raises(SourceError, match="no dialogue in 1 scenes"):
        read_episode("s1.json", json.dumps({"episodes": [{"episode_id": "x", "scenes": [{}]}]}), "x")
    with pytest.raises(SourceError, match="no episode s9"):
        read_episode("s1.json", SERIES, "s9")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "no episodes"),
        ("{", "not valid JSON"),
        ('{"episodes": [1]}', "no episodes"),
        ('{"episodes": [{"episode_id": "../x"}]}', "episode 1 has the id '../x'"),
        ('{"episodes": [{}]}', "episode 1 has the id ''"),
        ('{"episodes": [{"episode_id": "a"}, {"episode_id": "a"}]}', "found a more than once"),
    ],
)
def test_refuses_text_that_is_not_a_series(text, reason):
    with pytest.raises(SourceError, match=reason):
        list_episodes("s1.json", text)
