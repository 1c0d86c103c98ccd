import pytest

from core.text.captions import Cue, parse_cues, parse_stamp


def test_cues_without_indices_with_odd_times_or_of_one_text_are_read():
    found = parse_cues("tale.srt", "00:01 --> 00:02\nANNA: a\n\n00:00:03.5 -->00:00:04,25\n\nb\nc\n")
    assert found == [Cue(1.0, 2.0, "ANNA: a"), Cue(3.5, 4.25, "b\nc")]
    times = iter(f"00:0{second} --> 00:0{second + 1}" for second in range(9))
    shown = ["<u>No</u> lamp.", "No lamp.", "No <u>lamp.</u>", "No boat.", "No boat.", "<u>Yes.</u>"]
    assert parse_cues("x.srt", "\n\n".join(f"{next(times)}\n{text}" for text in shown)) == [
        Cue(0, 3, "No lamp."), Cue(3, 4, "No boat."), Cue(4, 5, "No boat."), Cue(5, 6, "<u>Yes.</u>")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [("00:01:11,240", 71.24), ("1:02.5", 62.5), (" 100:00:00 ", 360_000.0), ("00:00:-1,-480", None), ("", None)],
)
def test_reads_a_time_as_seconds(stamp, seconds):
    assert parse_stamp(stamp) == seconds
