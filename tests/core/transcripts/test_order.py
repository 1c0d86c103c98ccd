from core.transcripts.order import find_preceding


def test_season_codes_match_in_any_case() -> None:
    assert find_preceding(["s02e10", "S02E02", "s02e01", "S01E09", "S02E03-1"]) == {"S02E02": "s02e01", "s02e10": "S02E02"}
