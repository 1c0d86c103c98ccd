import pytest

from core.text.captions import Cue, parse_cues, parse_stamp


def test_reads_cues_without_indices_or_with_odd_times():
    assert parse_cues("tale.srt", "00:01 --> 00:02\nANNA: a\n\n00:00:03.5 -->00:00:04,25\n\nb\nc\n") == [
        Cue(1.0, 2.0, "ANNA: a"),
        Cue(3.5, 4.25, "b\nc"),
    ]


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [("00:01:11,240", 71.24), ("1:02.5", 62.5), (" 100:00:00 ", 360_000.0), ("00:00:-1,-480", None), ("", None)],
)
def test_reads_a_time_as_seconds(stamp, seconds):
    assert parse_stamp(stamp) == seconds
