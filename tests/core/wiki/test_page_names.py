import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError
from core.transcripts.discovery import find_units
from core.wiki.page_names import check_template, name_page, names_episode

PADDED = "C{season}E{episode:03}"
BOX = """{{Infobox Episode
| Episode = Chapter 1, Episode 01<br>(#C1E1)
| Caption = The thumbnail (1x01)
| Next = [[Two]] (1x02)
}}
"""


def test_pages_are_named_by_their_episode() -> None:
    assert name_page("S01E01 Low Tide", (), "", "") == "S01E01 Low Tide"
    assert name_page("Low Tide", ("The Low Tide", "S01E01"), "", "") == "S01E01_Low Tide"
    assert name_page("Low Tide", (), BOX, PADDED) == "C1E001_Low Tide"
    assert name_page("Low Tide", ("1x07",), BOX, PADDED) == "C1E007_Low Tide"
    assert name_page("Low Tide", (), "'''Low Tide''' (1x12) is an episode. [[File:a.png|100x200px]]", PADDED) == "C1E012_Low Tide"
    assert name_page("Low Tide", (), '{| class="infobox"\n! Episode\n| (#S1E4)\n|}', "") == "S1E4_Low Tide"
    assert name_page("C1E1 Low Tide", (), "", PADDED) == "C1E001_C1E1 Low Tide"
    assert name_page("C1E058-5 A Special", (), "", PADDED) == "C1E058-5 A Special"
    assert name_page("Low Tide", (), "A page on the sea.", "") == "Low Tide"
    assert name_page("Low Tide/Transcript", (), "", "") == "Low Tide_Transcript"
    assert name_page("../../etc", (), "", "") == "_.._etc"


def test_a_page_about_several_episodes_or_with_a_code_that_is_no_id_is_refused() -> None:
    with pytest.raises(SourceError, match=r"'The Sea' names several episodes \(S01E01, S01E02\); expected one"):
        name_page("The Sea", ("S01E01", "S01E02"))
    with pytest.raises(SourceError, match=r"episode 1x02, which is not a valid unit id; .* unit=S\{season:02\}E\{episode:02\}"):
        name_page("High Tide", ("1x02",))


@pytest.mark.parametrize("template", ["C{season}", "E{episode!r}", "{episode.__class__}", "{0}E{episode}", "E{episode:99}", ""])
def test_templates_name_the_episode_and_nothing_else(template: str) -> None:
    with pytest.raises(ConfigError, match="expected a template"):
        check_template(template)


@given(st.text(min_size=1, max_size=200), st.integers(1, 99), st.integers(1, 999))
def test_a_page_with_any_title_is_found_under_its_episode(title: str, season: int, episode: int) -> None:
    stem = name_page(title, (f"S{season}E{episode}",))
    assert "/" not in stem
    if not names_episode(title, ()):
        (unit,) = find_units([SourceFile(f"recaps/{stem}.html", 1, "1")]).waiting
        assert unit.id == f"S{season}E{episode}"
