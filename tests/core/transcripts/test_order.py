from core.transcripts.order import find_preceding


def test_upper_and_lower_case_do_not_tell_seasons_apart() -> None:
    assert find_preceding(["s02e10", "S02E02", "s02e01", "S01E09", "S02E03-1"]) == {"S02E02": "s02e01", "s02e10": "S02E02"}
