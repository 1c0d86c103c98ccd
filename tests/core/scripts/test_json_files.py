import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.scripts.json_files import list_episodes, read_cast, read_episode, read_gold, read_meta
from core.scripts.story import CastMember, GoldLink


def one(character):
    (member,) = read_cast("cast.json", json.dumps([{"actor": "A. Actor", "character": character}]))
    return member.name, member.alter_egos


@pytest.mark.parametrize(
    ("character", "name", "alter_egos"),
    [
        ("Anna Bell", "Anna Bell", ()),
        ("Anna Bell / The Fox", "Anna Bell", ("The Fox",)),
        ("Anna Bell/The Fox", "Anna Bell", ("The Fox",)),
        ("Anna Bell | The Fox", "Anna Bell", ("The Fox",)),
        ("Anna Bell\\The Fox", "Anna Bell", ("The Fox",)),
        ('Robert "Bobby" Drake', 'Robert "Bobby" Drake', ("Robert Drake", "Bobby Drake", "Bobby")),
        ("Samuel 'George' Fox", "Samuel 'George' Fox", ("Samuel Fox", "George Fox", "George")),
        ('"Bud" Fox', '"Bud" Fox', ("Bud Fox", "Bud")),
        ("Anna (voice)", "Anna", ()),
        ("Anna (as A. Nother)", "Anna", ()),
        ("Anna (uncredited) (archive footage)", "Anna", ()),
        ("Anna (The Fox)", "Anna", ("The Fox",)),
        ("Bernard Bell aka Blue", "Bernard Bell", ("Blue",)),
        ("Anna as The Fox", "Anna", ("The Fox",)),
        ("Mike O'Donnell", "Mike O'Donnell", ()),
        ("Women's Room Fan", "Women's Room Fan", ()),
        ("Waiter #2", "Waiter #2", ()),
        ("  Anna \n Bell ", "Anna Bell", ()),
    ],
)
def test_names_and_alter_egos(character, name, alter_egos):
    assert one(character) == (name, alter_egos)


def test_a_character_with_two_actors_is_one_member():
    rows = [{"actor": "A", "character": "Anna"}, {"actor": "B", "character": "ANNA / Fox"}]
    assert read_cast("c", json.dumps(rows)) == (CastMember("Anna", ("Fox",), "A, B"),)


def test_missing_fields_are_left_out():
    rows = [
        {"actor": "A"},
        {"character": None},
        {"character": ""},
        5,
        None,
        "Ben",
        {"role": "Carl"},
        {"character": ["Dora", "Eve"]},
    ]
    assert [member.name for member in read_cast("c", json.dumps(rows))] == ["Ben", "Carl", "Dora", "Eve"]
    assert read_cast("c", '{"cast": [{"character": "Anna"}]}') == (CastMember("Anna"),)
    assert read_cast("c", "[]") == ()


@pytest.mark.parametrize("text", ["", "{", "5", "{}", '"x"', "[" * 100_000, "9" * 5_000])
def test_refuses_text_that_is_not_a_cast_list(text):
    with pytest.raises(SourceError, match=r"cast\.json"):
        read_cast("cast.json", text)


@given(st.recursive(st.none() | st.text(max_size=20) | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["actor", "character", "role", "name", "cast"]), inner)))  # fmt: skip
def test_any_json_gives_members_or_a_source_error(value):
    try:
        members = read_cast("c", json.dumps(value))
    except SourceError:
        return
    assert all(member.name and member.name not in member.alter_egos for member in members)


def test_reads_links():
    text = (
        '{"movie_id": "fox", "sent_idx": 3, "sent": "Anna\\u00a0runs.", "scene_idx": [5, 2, 2, -7, true, "3"], '
        '"primary": 5, "n_scenes": 9, "source": "me"}\n'
        "\n"
        '{"movie_id": "fox", "sent_idx": 4, "sent": "She stops.", "scene_idx": [], "n_scenes": 9}\n'
    )
    assert read_gold("gold.jsonl", text) == (
        GoldLink("fox", 3, "Anna runs.", (2, 5), 5, 9, "me"),
        GoldLink("fox", 4, "She stops.", (), None, 9),
    )


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
        ('{"episodes": []}', "no episodes"),
        ('{"episodes": [1]}', "no episodes"),
        ('{"episodes": [{"episode_id": "../x"}]}', "episode 1 has the id '../x'"),
        ('{"episodes": [{}]}', "episode 1 has the id ''"),
        ('{"episodes": [{"episode_id": "a"}, {"episode_id": "a"}]}', "found a more than once"),
    ],
)
def test_refuses_text_that_is_not_a_series(text, reason):
    with pytest.raises(SourceError, match=reason):
        list_episodes("s1.json", text)


VALUES = st.recursive(
    st.none() | st.text(max_size=10) | st.just("x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["scenes", "utterances", "plots", "speakers", "transcript", "transcript_with_note"]), inner),
)  # fmt: skip


@given(VALUES)
def test_any_scenes_give_an_episode_or_a_source_error(scenes):
    text = json.dumps({"episodes": [{"episode_id": "x", "scenes": scenes}]})
    try:
        episode = read_episode("s", text, "x")
    except SourceError:
        return
    assert any(scene.turns for scene in episode.scenes)


def test_meta_is_read_leniently():
    assert read_meta("meta.json", '{"title": "Fox", "year": 1999, "genres": ["Drama", 5]}') == ("Fox", "1999")
    assert read_meta("meta.json", '{"year": true}') == ("", "")
    with pytest.raises(SourceError, match="not a JSON object"):
        read_meta("meta.json", "[]")
