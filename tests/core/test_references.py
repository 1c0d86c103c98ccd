from core.references import Notice, describe_notices


def test_a_notice_counts_its_first_names_and_says_what_to_do() -> None:
    notice = Notice(what="line(s) read as text", count=1_204, names={"Enlarge": 1_200, "李雷": 4}, advice="add a row")
    assert notice.describe() == "1,204 line(s) read as text: 'Enlarge' (1,200), '李雷' (4); add a row"
    assert Notice(what="line(s)", count=2, advice="look").describe() == "2 line(s); look"
    described = Notice(what="line(s)", count=50, names={f"N{number}": 1 for number in range(50)}).describe()
    assert "'N0' (1)" in described
    assert described.endswith(", …")
    assert "N49" not in described


def test_a_notice_of_many_units_is_one_line_and_of_few_a_line_each() -> None:
    few = [(f"S01E0{number}", Notice(what="label(s)", count=number, names={"Cy": number}, advice="look")) for number in (1, 2)]
    many = [(f"S02E0{number}", Notice(what="direction(s)", count=number, names={"Ann": 1, "Bo": 2})) for number in range(1, 9)]
    assert describe_notices([*few, *many]) == [
        "S01E01: 1 label(s): 'Cy' (1); look",
        "S01E02: 2 label(s): 'Cy' (2); look",
        "8 units, such as S02E01: 36 direction(s): 'Bo' (16), 'Ann' (8)",
    ]
