import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ConfigError
from core.transcripts.dialogues.speakers import Alias, parse_alias_table, resolve_speakers, select_aliases

TABLE = parse_alias_table(
    "speakers.tsv",
    "# who is whom\nlabel\tspeakers\tunits\nANA\tANNA\nEVERYONE\tALL\nCAPTAIN\tBEN\tS01*\n"
    "CAPTAIN\tCARLA\tS02E01, S02E02\nTWINS\tDORA, EMIL\n",
)
ALIASES = select_aliases("S01E01", [TABLE])


@pytest.mark.parametrize(
    ("label", "people"),
    [
        ("ANNA", ("ANNA",)),
        (" ana ", ("ANNA",)),
        ("Anna", ("ANNA",)),
        ("ANA and BEN", ("ANNA", "BEN")),
        ("ANNA, BEN, AND CARLA", ("ANNA", "BEN", "CARLA")),
        ("ANNA, BEN and CARLA", ("ANNA", "BEN", "CARLA")),
        ("ANNA/BEN", ("ANNA", "BEN")),
        ("ANNA &amp; BEN", ("ANNA", "BEN")),
        ("ANNA and ANA", ("ANNA",)),
        ("TWINS & ANNA", ("DORA", "EMIL", "ANNA")),
        ("ANNA (singing softly)", ("ANNA",)),
        ("ANNA and BEN (in unison)", ("ANNA", "BEN")),
        ("ALL (except Ana)", ("ALL - ANNA",)),
        ("EVERYONE BUT ANA AND BEN", ("ALL - ANNA - BEN",)),
        ("CAPTAIN", ("BEN",)),
        ("ANDREA AND FERDINAND", ("ANDREA", "FERDINAND")),
        ("OLD  GUARD", ("OLD GUARD",)),
        ("", ()),
    ],
)
def test_resolves_a_label_to_people(label, people):
    assert resolve_speakers(label, ALIASES) == people


def test_rows_apply_only_in_their_units():
    assert resolve_speakers("CAPTAIN", select_aliases("S02E02", [TABLE])) == ("CARLA",)
    assert resolve_speakers("CAPTAIN", select_aliases("S03E01", [TABLE])) == ("CAPTAIN",)


def test_later_tables_win_and_configuration_wins_over_all():
    source = [Alias("ana", ("ANABEL",)), Alias("captain", ("GUS",))]
    aliases = select_aliases("S01E01", [TABLE, source], {"Twins": ("HAL",)})
    assert resolve_speakers("ANA", aliases) == ("ANABEL",)
    assert resolve_speakers("TWINS", aliases) == ("HAL",)
    assert resolve_speakers("CAPTAIN", aliases) == ("BEN",)


@pytest.mark.parametrize("line", ["ANA", "ANA\t", "\tANNA", "ANA\tANNA\tS01\tx", "ANA ANNA", "ANA\t , "])
def test_the_error_names_the_bad_line(line):
    with pytest.raises(ConfigError, match=r"^speakers\.tsv, line 3: .* is not an alias; expected"):
        parse_alias_table("speakers.tsv", f"# comment\nBEN\tBEN\n{line}\n")


@given(st.text(max_size=400))
def test_any_label_gives_distinct_names_without_outer_white_space(label):
    people = resolve_speakers(label, ALIASES)
    assert len(set(people)) == len(people)
    assert all(person == person.strip() and person for person in people)


def test_a_very_long_label_is_resolved_quickly():
    assert resolve_speakers("but (" * 100_000, {}) == (" ".join(["but", *["(but"] * 99_999, "("]),)
