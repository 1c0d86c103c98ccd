import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.scripts.gold import GoldLink
from core.scripts.series import list_episodes, read_episode


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


def test_episodes_are_listed():
    assert list_episodes("s1.json", SERIES) == ("s1_e01", "s1_e02")


def test_an_episode():
    episode = read_episode("s1.json", SERIES, "s1_e01")
    assert (episode.title, episode.summary) == ("The Lamp", "A lamp is lit.")
    assert [(scene.index, scene.strict_index, scene.heading) for scene in episode.scenes] == [
        (0, 0, "[Scene: a barn.]"), (1, 1, ""), (2, 2, "")]  # fmt: skip
    turns = [turn for scene in episode.scenes for turn in scene.turns]
    assert [(turn.number, turn.speakers, turn.text) for turn in turns] == [
        (0, ("Anna Bell",), "Hello."), (1, ("Ben Fox", "Carl"), "Hi!"), (2, ("Anna Bell",), "Bye.")]  # fmt: skip
    assert (turns[0].raw_text, turns[1].raw_label) == ("Hello. (waves)", "Ben Fox, Carl")
    assert episode.scenes[0].narration == ("(Ben enters)",)
    assert episode.synopsis == ("Anna waits .", "Ben comes .", "They leave .")
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
