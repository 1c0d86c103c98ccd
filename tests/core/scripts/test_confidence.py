from core.dialogue import Turn
from core.scripts.confidence import WHOLE, measure_features
from core.scripts.story import Scene, Story


def scene(number: int, *said: str) -> Scene:
    turns = tuple(Turn(place, ("ADA",), (text,), "ADA", "") for place, text in enumerate(said))
    return Scene(number, number, "", turns, ())


FERRY = Story(
    "ferry", "movie", "The Ferry", "",
    (
        scene(0, "The ferry leaves at seven tonight."),
        scene(1, "Who has hidden the lantern?", "The lantern hangs in the cellar."),
        scene(2, "I sold the ferry, and the bell with it."),
        *(scene(number, "Nothing happens.") for number in range(3, 12)),
    ),
    ("Ada sells the ferry.", "Ada finds the lantern in the cellar and sells the bell."),
    None,
)  # fmt: skip


def test_words_that_other_scenes_have_are_missing_until_the_row_has_their_scenes() -> None:
    part = measure_features(FERRY, (2, 1), ((2,), (1,)), (0.9, 0.9))
    assert part[:, 3].tolist() == [0, 1]  # "bell"; nobody says "sells" or "finds", and "Ada" speaks in every scene
    whole = measure_features(FERRY, (2, 1), ((2,), (1, 2)), (0.9, 0.9))
    assert whole[:, 3].tolist() == [0, 0]
    assert WHOLE(whole)[1] > WHOLE(part)[1]
