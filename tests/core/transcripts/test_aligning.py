from dataclasses import replace

from core.transcripts.aligning import outline_recap
from core.transcripts.recaps.recap import Recap, RecapSection, place_sentences

RECAP = Recap(
    "",
    "",
    (
        RecapSection("recap", "Previously", "", ("They slept.",), ("They slept.",)),
        RecapSection("plot", "Part I", "", ("They wake. They eat.", "They leave."), ("They wake.", "They eat.", "They leave.")),
        RecapSection("break", "Break", "", (), ()),
        RecapSection("plot", "Part II", "Home", ("They arrive.",), ("They arrive.",)),
    ),
)


def test_sections_give_roles_and_groupings_and_an_empty_part_counts() -> None:
    outline = outline_recap(RECAP)
    assert outline.roles == ("retold", "story", "story", "story", "story")
    assert outline.groupings == ((0, 1, 1, 2, 3), (0, 1, 1, 1, 3))
    empty, shown = RecapSection("plot", "Part II", "", (), ()), RecapSection("break", "Break", "", ("Ads.",), ("Ads.",))
    outline = outline_recap(replace(RECAP, sections=(*RECAP.sections[:2], shown, empty)))
    assert (outline.roles[-1], outline.parts, outline.n_parts) == ("unspoken", (0, 0, 0, 0, 1), 2)
    assert outline_recap(replace(RECAP, sections=(*RECAP.sections[:2], shown))).n_parts == 1
    news = RecapSection("announcements", "News", "", ("Dates.",), ("Dates.",))
    assert outline_recap(replace(RECAP, sections=(*RECAP.sections[:2], shown, news, shown, empty))).n_parts == 2


def test_a_sentence_belongs_to_the_paragraph_in_which_it_begins() -> None:
    section = RecapSection("plot", "", "", ("One  two.\nThree.", "Four."), ("One two.", "Three.", "Four."))
    assert place_sentences(section) == [0, 0, 1]
    run_on = RecapSection("plot", "", "", ("One", "two.", "Three."), ("One two.", "Three."))
    assert place_sentences(run_on) == [0, 2]
    assert place_sentences(RecapSection("plot", "", "", (), ("One.",))) == [0]
