import pytest

from core.errors import ConfigError
from core.transcripts.dialogues.speakers import parse_alias_table, resolve_speakers, select_aliases

TABLE = parse_alias_table(
    "speakers.tsv",
    "# who is whom\nlabel\tspeakers\tunits\nANA\tANNA\nEVERYONE\tALL\nCAPTAIN\tBEN\tS01*\n"
    "CAPTAIN\tCARLA\tS02E01, S02E02\nTWINS\tDORA, EMIL\n",
)
ALIASES = select_aliases("S01E01", [TABLE])


PEOPLE = {
    ("ANNA",): "ANNA | ana | Anna | ANNA and ANA | ANNA (singing softly)",
    ("ANNA", "BEN"): "ANA and BEN | ANNA/BEN | ANNA &amp; BEN | ANNA and BEN (in unison)",
    ("ANNA", "BEN", "CARLA"): "ANNA, BEN, AND CARLA | ANNA, BEN and CARLA",
    ("DORA", "EMIL", "ANNA"): "TWINS & ANNA",
    ("ALL - ANNA",): "ALL (except Ana)",
    ("ALL - ANNA - BEN",): "EVERYONE BUT ANA AND BEN",
    ("BEN",): "CAPTAIN",
    ("ANDREA", "FERDINAND"): "ANDREA AND FERDINAND",
    ("OLD GUARD",): "OLD  GUARD",
    (): "",
}


@pytest.mark.parametrize("people", PEOPLE)
def test_resolves_a_label_to_people(people):
    assert {resolve_speakers(label, ALIASES) for label in PEOPLE[people].split("|")} == {people}


def test_rows_apply_only_in_their_units():
    assert resolve_speakers("CAPTAIN", select_aliases("S02E02", [TABLE])) == ("CARLA",)
    assert resolve_speakers("CAPTAIN", select_aliases("S03E01", [TABLE])) == ("CAPTAIN",)


@pytest.mark.parametrize("line", ["ANA", "ANA\t", "\tANNA", "ANA\tANNA\tS01\tx", "ANA ANNA", "ANA\t , "])
def test_the_error_names_the_bad_line(line):
    with pytest.raises(ConfigError, match=r"^speakers\.tsv, line 3: .* is not an alias; expected"):
        parse_alias_table("speakers.tsv", f"# comment\nBEN\tBEN\n{line}\n")
