from core.rooms.config import DescriptionConfig
from core.rooms.descriptions import Told, find_descriptions

CONFIG = DescriptionConfig()


def tell(*sentences: tuple[str, float], turns: tuple[tuple[int, str], ...] = ()) -> list[Told]:
    """Return sentences with their probabilities: of one paragraph, or of a dialogue with a turn and a speaker each."""
    said = turns or ((None, ""),) * len(sentences)
    return [
        Told(text, ("cave", "cave", turn or 0), turn, (speaker,) if speaker else (), probability, probability >= 0.8, True)
        for (text, probability), (turn, speaker) in zip(sentences, said, strict=True)
    ]


def find(told: list[Told]) -> list[tuple[int, ...]]:
    return find_descriptions(told, 0.85, CONFIG)


HALL = ("You stand in a long hall with a vaulted roof.", 0.9)
PILLARS = ("Its pillars are of green marble.", 0.5)
LAMPS = ("Lamps of brass hang from the roof of the hall.", 0.6)


def test_neighbours_make_a_row_without_rules_questions_and_torn_sentences_and_are_none_alone() -> None:
    assert find(tell(HALL, ("Roll for perception, with advantage.", 0.01), PILLARS)) == [(0, 2)]
    assert find(tell(HALL, ("Where do your torches stand in this hall?", 0.7), PILLARS)) == [(0, 2)]
    assert find(tell(HALL, ("We rest here.", 0.01), ("Then we fight on.", 0.01), PILLARS)) == [(0,)]
    assert find(tell(PILLARS, LAMPS)) == []
    assert find(tell(("A door of oak stands in the northern wall.", 0.82))) == []
    assert find(tell(("-- is a small ladder in the corner of the cellar.", 0.95))) == []
    assert find(tell(HALL, ("There is a series of boxes, barrels, and various--", 0.7))) == [(0,)]


def test_a_row_begins_with_what_it_speaks_of_and_goes_on_over_what_another_says_about_the_same_place() -> None:
    players = ("Can I see it?", 0.0)
    turns = ((1, "Ann"), (2, "Bo"), (3, "Ann"))
    assert find(tell(HALL, players, LAMPS, turns=turns)) == [(0, 2)]
    assert find(tell(HALL, players, ("You look into a cellar full of barrels.", 0.9), turns=turns)) == [(0,), (2,)]
    assert find(tell(HALL, players, LAMPS, turns=((1, "Ann"), (2, "Bo"), (3, "Cy")))) == [(0,)]
    dock = ("You come to the house at the dock.", 0.05)
    house = ("It is built of driftwood and has two floors.", 0.9)
    assert find(tell(dock, house, PILLARS)) == [(0, 1, 2)]
    assert find(tell(house, PILLARS)) == []
    assert find(tell(("Who lives there, in the house?", 0.1), house, LAMPS)) == []
