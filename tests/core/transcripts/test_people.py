from collections.abc import Callable

import pytest

from core.dataset.units import ProvenanceConfig
from core.dialogue import Turn
from core.fingerprints import fingerprint
from core.people.pseudonyms import pseudonymise
from core.transcripts.config import CleaningConfig, FilterConfig, StatisticsConfig, TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.people import People, hide_settings, hide_turns, is_spelling, know_people, meet_people, names_nobody
from core.transcripts.recaps.recap import Recap, RecapSection, hide_recap, place_sentences

KEY = b"a secret of the group"
TABLE = parse_alias_table(
    "speakers.tsv",
    "QUENTORIA\tQUENTORIA VASHBROOK\nQUENTROIA\tQUENTORIA\nZEPHYRA\tQUENTORIA\nWILL\tWILL TARRANTEY\nHELGARD\tHELGARD QUILLON\n"
    "NELL\tNELL QUILLON\tS01E02\nEVERYONE\tALL\nTWINS\tDORA, EMIL\n",
)
ROWS = [(row.label, row.speakers) for row in TABLE]
PEOPLE = know_people(KEY, ROWS, TranscriptsConfig())


def doors(people: People) -> tuple[Callable[[str], str], Callable[[str], str]]:
    return people.make_replacer().replace, people.hide_speaker


def stand_in(name: str) -> str:
    return pseudonymise(name, KEY, "speaker")


QUENTORIA, WILL, HELGARD = map(stand_in, ("quentoria vashbrook", "will tarrantey", "helgard quillon"))


def turn(label: str, text: str, *speakers: str) -> Turn:
    return Turn(0, speakers or (label,), tuple(text.split("\n")), label, text)


def hide(text: str, *turns: Turn, unit: str = "S01E01") -> str:
    (*_, hidden) = hide_turns([*turns, turn("DM", text)], *doors(meet_people(PEOPLE, turns, select_aliases(unit, [TABLE]))))
    return hidden.text


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Thanks, Quentoria!", f"Thanks, {QUENTORIA}!"),
        ("quentoria's dice, QUENTORIA’S", f"{QUENTORIA}'s dice, {QUENTORIA}’S"),
        ("Quentoria Vashbrook and @quentoria_vashbrook", f"{QUENTORIA} and {QUENTORIA}"),
        ("Vashbrook plays Zephyra.", f"{QUENTORIA} plays Zephyra."),
        ("[Quentroia laughs] (Vashbrook sighs)", f"[{QUENTORIA} laughs] ({QUENTORIA} sighs)"),
        ("Will, will you? Thanks, Will.", f"{WILL}, will you? Thanks, {WILL}."),
        ("Will you go? The will of the gods, Hunter's Will", None),
        ("The DM and everyone, all together", None),
    ],
)
def test_names_in_speech_are_replaced_and_characters_and_words_stay(text: str, hidden: str | None) -> None:
    assert hide(text) == (hidden or text)


def test_a_units_own_speakers_count_parts_of_two_mean_neither_and_short_names_are_names_where_written_so() -> None:
    assert hide("Quillon rolls.") == f"{stand_in('quillon')} rolls."
    bramwell = stand_in("bramwell oskarsen")
    assert hide("Hi Bramwell, hi Oskarsen", turn("BRAMWELL OSKARSEN", "Hi")) == f"Hi {bramwell}, hi {bramwell}"
    assert hide("Hi Nell", unit="S01E02") == f"Hi {stand_in('nell quillon')}"
    text = "the man with the chicken, a guard"
    assert hide(text, turn("GUARD", "Halt"), turn("MAN WITH CHICKEN", "Sir")) == text
    turns = [turn("ED", "Hi"), turn("TJ", "Hi"), turn("M", "Hi")]
    ed, tj = stand_in("ed"), stand_in("tj")
    assert hide("Hi Ed, tj, TJ. I'm Mr. M, ed.", *turns) == f"Hi {ed}, tj, {tj}. I'm Mr. M, ed."


def test_labels_and_the_sources_text_become_what_is_left_of_them() -> None:
    (hidden,) = hide_turns([turn("QUENTROIA and DM (softly)", "Go,\nQuentoria", "QUENTORIA", "DM", "ALL - WILL")], *doors(PEOPLE))
    assert hidden.speakers == (QUENTORIA, "DM", f"ALL - {WILL}")
    assert hidden.raw_label == f"{QUENTORIA}, DM, ALL - {WILL}"
    assert hidden.raw_text == f"Go,\n{QUENTORIA}"


def test_a_person_is_the_same_however_called_and_characters_and_surnames_are_none() -> None:
    assert not any(map(names_nobody, ("MASTERS", "SONG", "Hosty")))
    assert all(map(is_spelling, ("AHSLEY", "MATTHEW", "CHRIS"), ("ASHLEY", "MATT", "CHRIS PERKINS")))
    assert not any(map(is_spelling, ("SCANLAN", "BRAIN", "VAX"), ("SAM", "BRIAN", "LIAM")))
    called = ("Quentoria", "QUENTORIA VASHBROOK", "vashbrook", "Quentoria  Vashbrook")
    assert {PEOPLE.hide_speaker(name) for name in called} == {QUENTORIA}
    assert know_people(b"other", ROWS, TranscriptsConfig()).hide_speaker("QUENTORIA") != QUENTORIA


@pytest.mark.parametrize(
    "label", ["DM", "The DM", "Dungeon Master", "ALL", "Everyone", "players", "Player 2", "SPEAKER_00", "SOUND", "?", WILL]
)
def test_labels_of_groups_offices_and_programs_name_nobody(label: str) -> None:
    assert names_nobody(label)
    assert PEOPLE.hide_speaker(label) == label


def tell_recap(first: str, whole: str, surname: str, will: str, helgard: str) -> Recap:
    """Return a recap in which people are called by these names."""
    paragraphs = (f"{first} rolls. Zephyra falls.", f"{will} stands up. Will you not?")
    sentences = (f"{first} rolls.", "Zephyra falls.", f"{will} stands up.", "Will you not?")
    told = RecapSection("plot", f"{will}'s turn", surname, paragraphs, sentences)
    untold = RecapSection("break", "Credits", "", (f"{helgard} – camera", "Then they rest."), ("Then they rest.",), (0,))
    infobox, links = {"Starring": (f"{whole} – Zephyra",), first: ("Zephyra",)}, (whole, "Zephyra")
    return Recap(f"A night with {first}", f"With {will}.", (told, untold), infobox, links, (f"Episodes with {helgard}",))


def test_a_recap_is_free_of_names_and_keeps_its_sentences_in_their_paragraphs() -> None:
    recap = tell_recap("Quentoria", "Quentoria Vashbrook", "Vashbrook", "Will", "Helgard")
    hidden = hide_recap(recap, doors(PEOPLE)[0])
    assert hidden == tell_recap(QUENTORIA, QUENTORIA, QUENTORIA, WILL, HELGARD)
    assert list(map(place_sentences, hidden.sections)) == list(map(place_sentences, recap.sections))


def test_settings_are_told_without_names_and_hiding_them_again_changes_nothing() -> None:
    config = TranscriptsConfig(
        cleaning=CleaningConfig(aliases={"SKIP": ("WILL",), "CAP": ("DM",)}, unlabelled_speaker="SOUND"),
        statistics=StatisticsConfig(game_master="Quentoria", main_cast=("WILL", "DM")),
        filter=FilterConfig(excluded=("Q: ", "Helgard asks")),
        provenance=ProvenanceConfig("of Will Tarrantey", "Vashbrook's group"),
    )
    people = know_people(KEY, ROWS, config)
    hidden = hide_settings(config, people)
    assert hidden.cleaning.aliases == {stand_in("skip"): (WILL,), stand_in("cap"): ("DM",)}
    assert hidden.cleaning.unlabelled_speaker == "SOUND"
    assert hidden.statistics == StatisticsConfig(game_master=QUENTORIA, main_cast=(WILL, "DM"))
    assert hidden.filter.excluded == ("Q: ", f"{HELGARD} asks")
    assert hidden.provenance == ProvenanceConfig(f"of {WILL}", f"{QUENTORIA}'s group")
    assert hide_settings(hidden, know_people(KEY, ROWS, hidden)) == hidden


def test_the_default_has_the_fingerprints_from_before_the_setting() -> None:
    settings, cleaning = TranscriptsConfig(), [CleaningConfig(), {}]
    assert fingerprint("settings", 1, [], settings) == "013b1f6be9d87530e10e357432a2f9f6e6904e006d5ef1146c1d76760f9c6b75"
    assert fingerprint("dialogue", 1, [], cleaning) == "9f27f0d8ea7550c08c7cd19ebe38c6724b7eb24693815351c9e76eb5c5c62a6c"
