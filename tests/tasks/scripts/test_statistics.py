from core.dialogue import Turn
from core.scripts.aligning import StoryLinks
from core.scripts.evaluation import describe_agreement, grade_story
from core.scripts.story import CastMember, GoldLink, Scene, Story
from tasks.scripts.statistics import summarise_stories, tabulate_stories

SCENES = (
    Scene(0, 0, "INT. BARN", (Turn(0, ("Jack",), ("Run away!",), "JACK", ""), Turn(1, ("Mary", "Jack"), ("Why?",), "M", "")), ()),
    Scene(1, 1, "EXT. ROAD", (), ("They run.",)),
)


CAST = (CastMember("Jack"),)


def story(unit, kind="movie", cast=CAST, scenes=SCENES, web_lines=0):
    return Story(unit, kind, unit, "", scenes, ("Jack runs.", "So does Mary."), cast, web_lines=web_lines)


def test_sizes_by_kind_of_story():
    stories = [story("a", web_lines=7), story("b", cast=None), story("c", "book", cast=(), scenes=SCENES[1:])]
    figures = summarise_stories(iter(stories), {"scripts": 5, "alignments": 6})
    assert figures == {
        "rows": {"scripts": 5, "alignments": 6},
        "stories": {
            "movie": {"stories": 2, "scenes": 4, "sentences": 4, "turns": 4, "words": 6, "speakers": 4, "web_lines": 7},
            "book": {"stories": 1, "scenes": 1, "sentences": 2, "turns": 0, "words": 0, "speakers": 0, "web_lines": 0},
        },
        "without_cast": 2,
    }
    assert summarise_stories([], {}) == {"rows": {}, "stories": {}, "without_cast": 0}


def test_table_rows():
    told = story("a")
    graded = grade_story(told, StoryLinks((0, 0), (1.0, 1.0), ()), [GoldLink("a", n, told.sentences[n], (n,)) for n in (0, 1)])
    figures = summarise_stories([told], {"scripts": 1})
    rows = {row["metric"]: row["value"] for row in tabulate_stories(figures | {"agreement": describe_agreement([graded])})}
    assert rows["rows of scripts"] == "1"
    assert rows["scenes, movie"] == "2"
    assert rows["gold links hit"] == "0.500 of 2"
    assert rows["mean distance from gold"] == "25.00 % of the script"
    without = tabulate_stories(figures | {"agreement": describe_agreement([])})
    assert not [row for row in without if "gold" in row["metric"]]
