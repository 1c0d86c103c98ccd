from core.transcripts.discovery import find_preceding


def test_season_codes_match_in_any_case() -> None:
    assert find_preceding(["s02e03", "S02E02", "s02e01", "S01E09", "S02E03-1"]) == {"S02E02": "s02e01", "s02e03": "S02E02"}


def test_an_episode_after_a_gap_and_the_first_of_a_season_retell_none_that_is_known() -> None:
    assert find_preceding(["S01E01", "S01E03", "S02E01", "S02E02"]) == {"S02E02": "S02E01"}
