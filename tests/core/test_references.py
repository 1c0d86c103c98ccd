"""What a person should look at in a landed unit, as one line."""

from core.references import Notice


def test_a_notice_counts_its_names_and_says_what_to_do() -> None:
    notice = Notice(what="line(s) read as text", count=1_204, names={"Enlarge": 1_200, "李雷": 4}, advice="add a row")
    assert notice.describe() == "1,204 line(s) read as text: 'Enlarge' (1,200), '李雷' (4); add a row"


def test_a_notice_of_many_names_shows_the_first_and_tells_that_there_are_more() -> None:
    assert Notice(what="line(s)", count=2, advice="look").describe() == "2 line(s); look"
    described = Notice(what="line(s)", count=50, names={f"N{number}": 1 for number in range(50)}).describe()
    assert "'N0' (1)" in described
    assert described.endswith(", …")
    assert "N49" not in described
