from core.dialogue import Turn
from core.scripts.aligning import StoryLinks
from core.scripts.evaluation import describe_agreement, grade_story
from core.scripts.story import CastMember, GoldLink, Scene, Story
from tasks.scripts.statistics import count_story, tabulate_stories

SCENES = (
    Scene(0, 0, "INT. BARN", (Turn(0, ("Jack",), ("Run away!",), "JACK", ""), Turn(1, ("Mary", "Jack"), ("Why?",), "M", "")), ()),
    Scene(1, 1, "EXT. ROAD", (), ("They run.",)),
)
CAST = (CastMember("Jack"),)


def tell(cast=CAST, web_lines=0):
    return Story("a", "movie", "a", "", SCENES, ("Jack runs.", "So does Mary."), cast, web_lines=web_lines)


def test_sizes_of_a_story():
    assert count_story(tell(web_lines=7)) == {
        "stories": 1, "scenes": 2, "sentences": 2, "turns": 2, "words": 3, "speakers": 2, "web_lines": 7,
    }  # fmt: skip


def test_table_rows():
    told = tell()
    graded = grade_story(told, StoryLinks((0, 0), (1.0, 1.0), ()), [GoldLink("a", n, told.sentences[n], (n,)) for n in (0, 1)])
    figures = {"rows": {"scripts": 1}, "stories": {"movie": count_story(told)}}
    rows = {row["metric"]: row["value"] for row in tabulate_stories(figures | {"agreement": describe_agreement([graded])})}
    assert rows["rows of scripts"] == "1"
    assert rows["scenes, movie"] == "2"
    assert rows["gold links hit"] == "0.500 of 2"
    assert rows["mean distance from gold"] == "25.00 % of the script"
    without = tabulate_stories(figures | {"agreement": describe_agreement([])})
    assert not [row for row in without if "gold" in row["metric"]]
