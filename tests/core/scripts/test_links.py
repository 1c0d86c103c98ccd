import pytest

from core.dialogue import Turn
from core.errors import SourceError
from core.scripts.cast_matching import CastConfig
from core.scripts.config import SceneAlignmentConfig, ScriptsConfig, Weights
from core.scripts.links import link_story, name_speakers
from core.scripts.scenes import CastMember, Scene
from core.scripts.story import Story

ROOMS = ("kitchen", "cellar", "garden", "attic", "harbour")
CAST = (CastMember("Jack Fox"), CastMember("Dr. Mary Ann Moss", ("The Owl",)), CastMember("Old Bill"))


def scene(index, *turns):
    said = tuple(Turn(index * 10 + place, speakers, (text,), "RAW", text) for place, (speakers, text) in enumerate(turns))
    return Scene(index, index, f"INT. {ROOMS[index % 5].upper()}", said, ())


def story(sentences, cast=CAST):
    scenes = tuple(scene(index, (("Jack Fox",), f"Look at the {room}.")) for index, room in enumerate(ROOMS))
    return Story("fox", "movie", "The Fox", "1999", scenes, tuple(sentences), cast)


def never(texts):
    raise AssertionError(f"asked for the vectors of {texts}")


def config(**weights):
    return ScriptsConfig(alignment=SceneAlignmentConfig(weights=Weights(**weights)))


def test_links_and_groups_of_a_story():
    links = link_story(story(["They see a kitchen.", "They see a garden.", "They see the harbour."]), never, config(bm25=3.0))
    assert links.scenes == (0, 2, 4)
    assert all(0 <= similarity <= 1 for similarity in links.similarities)
    assert [group.anchor for group in links.groups] == [0, 2, 4]
    assert [group.sentences for group in links.groups] == [(0,), (1,), (2,)]
    assert [place for group in links.groups for place in range(group.start, group.stop)] == list(range(5))


def test_without_any_weight_or_cast_sentences_still_get_scenes_in_order():
    links = link_story(story([f"Sentence {n}." for n in range(12)], cast=None), never, config())
    assert len(links.scenes) == 12
    assert list(links.scenes) == sorted(links.scenes)


@pytest.mark.parametrize("cast", [None, ()])
def test_without_a_cast_its_similarities_are_zero(cast):
    told = story(["Jack Fox sees the kitchen.", "Jack Fox sees the attic."], cast)
    plain = link_story(told, never, config(bm25=3.0))
    assert link_story(told, never, config(bm25=3.0, jac=5.0, osj=5.0, roles=5.0)) == plain


def test_a_story_without_sentences_is_refused():
    with pytest.raises(SourceError, match="0 synopsis sentences and 5 scenes"):
        link_story(story([]), never, config(bm25=1.0))


def test_speakers_get_their_names_from_the_cast():
    scenes = (
        scene(0, (("JACK",), "Hello."), (("MOSS",), "Yes?"), (("GUARD #1",), "Halt!")),
        scene(1, (("THE OWL", "MOSS"), "Hoo."), ((), "Bang."), (("JACK", "GUARD #1"), "Run!")),
    )
    named = name_speakers(scenes, CAST, CastConfig())
    assert [turn.speakers for each in named for turn in each.turns] == [
        ("Jack Fox",), ("Dr. Mary Ann Moss",), ("GUARD #1",),
        ("Dr. Mary Ann Moss",), (), ("Jack Fox", "GUARD #1"),
    ]  # fmt: skip
    assert {turn.raw_label for each in named for turn in each.turns} == {"RAW"}
    assert [each.heading for each in named] == [each.heading for each in scenes]
    assert name_speakers(scenes, (), CastConfig()) == scenes
