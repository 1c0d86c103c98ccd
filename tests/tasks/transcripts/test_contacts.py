"""Speech of podcasts and streams: with `cleaning.contacts` no contact data that somebody says or writes is in a release."""

from pathlib import Path

import pytest

from infra.store.objects import Store
from tasks.pipelines import SUBTITLES, TRANSCRIPTS
from tests.tasks.in_process import read_rows, run

MASK = {"cleaning": {"contacts": "mask"}}
PRIVATE = ("lantern.desk@example.org", "(555) 010-9999", "u/wick_and_glass")


@pytest.fixture
def show(tmp_path: Path) -> Path:
    lines = [f"{'ABO'[place % 3]}NNA: We carry lantern number {place} to room {place}, and it flickers." for place in range(40)]
    lines[7] = f"ANNA: Write to {PRIVATE[0]} or call {PRIVATE[1]} about lantern 7."
    told = [f"They carry lantern {place} to room {place}." for place in range(0, 40, 3)]
    told[3] = f"Anna gives out her number, {PRIVATE[1]}, and says that {PRIVATE[2]} knows room 9."
    for name, text in (("transcripts/S01E01.txt", "\n".join(lines)), ("recaps/S01E01.txt", "The Night\n\n" + " ".join(told))):
        (tmp_path / "show" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "show" / name).write_text(text, encoding="utf-8")
    return tmp_path / "show"


@pytest.mark.parametrize("settings", [{}, MASK])
def test_an_episode_is_masked_only_where_it_is_asked_for(show: Path, tmp_path: Path, settings: dict[str, dict[str, str]]) -> None:
    store = Store(str(tmp_path / "store"))
    run(TRANSCRIPTS, show, store, **settings)
    said = repr([read_rows(store, "transcripts", table) for table in ("dialogues", "summaries", "alignments", "pairs")])
    masks = ("[email]", "[phone]", "[user]")
    assert [private in said for private in PRIVATE] == [not settings] * 3
    assert [mask in said for mask in masks] == [bool(settings)] * 3


def test_captions_are_masked_behind_their_own_brackets(tmp_path: Path) -> None:
    film = tmp_path / "films" / "lamps"
    film.mkdir(parents=True)
    times = (f"00:00:{second:02},000 --> 00:00:{second:02},900" for second in range(60))
    said = [f"The lamp {place} flickers in the rain." for place in range(40)]
    said[5] = f"(laughs) Call {PRIVATE[1]} for lamp 5."
    lines = (f"{number}\n{time}\n{text}\n" for number, (time, text) in enumerate(zip(times, said, strict=False), 1))
    (film / "lamps.en.srt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "films" / "summaries.tsv").write_text(
        "film\ttitle\tyear\tsynopsis\nlamps\tLamps\t2001\tLamps flicker in the rain.\n"
    )
    store = Store(str(tmp_path / "store"))
    summary = run(SUBTITLES, tmp_path / "films", store, **MASK)
    assert summary.quarantined == ()
    found = repr(read_rows(store, "subtitles", "subtitles"))
    assert "Call [phone] for lamp 5." in found
    assert "010-9999" not in found
