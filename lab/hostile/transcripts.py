"""Hostile transcripts: text, Markdown, captions, JSON; their labels; and names of files."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from core.dataset.units import SourceFile
from core.text.decoding import decode_text
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.speaker_slips import count_speakers, find_speaker_slips, find_unread_labels
from core.transcripts.dialogues.speakers import parse_alias_table
from core.transcripts.discovery import find_units
from lab.hostile.case import Hostile, list_cases, make_cue, make_srt


def _dialogue(name: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        turns = read_dialogue(name, text.encode())
        return find_unread_labels(turns), find_speaker_slips(count_speakers(turns))

    return read


def _segments(n: int) -> str:
    return json.dumps({"segments": [{"start": i, "end": i + 1, "text": " Go on.", "speaker": "SPEAKER_00"} for i in range(n)]})


def _amazon(items: Sequence[Mapping[str, object]]) -> str:
    return json.dumps({"results": {"items": items}})


def _deepgram(n: int) -> str:
    words = [{"word": "go", "speaker": i % 2} for i in range(n)]
    return json.dumps({"results": {"channels": [{"alternatives": [{"words": words}]}]}})


def _vtt(cues: Iterable[str]) -> str:
    return "WEBVTT\n\n" + "".join(cues)


_TXT = _dialogue("e.txt")
_WORD = {"type": "pronunciation", "speaker_label": "spk_0", "alternatives": [{"content": "go"}]}
_FULL_STOP = {"type": "punctuation", "alternatives": [{"content": "."}]}
TRANSCRIPTS = (
    *list_cases(
        "transcript",
        _TXT,
        ("labels of one name", lambda n: "ANNA: Go on.\n" * n),
        ("labels of two names", lambda n: "ANNA: Go on.\nBEN: No.\n" * n),
        ("names in brackets", lambda n: "[Anna] Go on.\n[Ben] No.\n" * n),
        ("names on lines of their own", lambda n: "ANNA\nGo on.\n\nBEN\nNo.\n\n" * n),
        ("times on lines of their own", lambda n: "ANNA: Go on.\n" + "[00:01]\n" * n + "BEN: No."),
        ("numbered lines", lambda n: "".join(f"{i}. ANNA: Go on.\n" for i in range(n))),
        ("labels, each another", lambda n: "".join(f"ANNA{i}: Go on.\n" for i in range(n))),
        ("capitalised labels, each another", lambda n: "".join(f"Anna {chr(65 + i % 26)}{i}: Go on.\n" for i in range(n))),
        ("labels, each thrice", lambda n: "".join(f"Anna B{i // 3}: Go on.\n" for i in range(n))),
        ("speakers of one label", lambda n: "ANNA, BEN, " * n + ": Go on.\nANNA: Go.\nBEN: No.\n" * 10),
        ("choruses", lambda n: "".join(f"Anna B{i} and Ben C{i}: Go on.\n" for i in range(n))),
        ("labels of a program", lambda n: "SPEAKER_00: Go on.\n" * n),
        ("times and labels", lambda n: "[00:01:00] ANNA: Go on.\n" * n),
        ("times without labels", lambda n: "ANNA: Go on.\n" * 9 + "[00:01:00] go\n" * n),
        ("headed turns", lambda n: "Anna  0:01\nGo on.\nBen  0:02\nNo.\n" * n),
        ("times in a line", lambda n: "ANNA: Go on.\n" * 9 + "00:01:00 " * n),
        ("colons", lambda n: "ANNA: Go on.\n" * 9 + "a: " * n),
        ("colons without words", lambda n: "ANNA: Go on.\n" * 9 + ":" * n),
        ("names within lines", lambda n: "ANNA: Go on.\n" * 9 + "Go. ANNA: " * n),
        ("names in a row", lambda n: "ANNA: Go on.\n" * 9 + "ANNA " * n),
        ("short lines", lambda n: "ANNA: Go on.\n" * 9 + "a\n" * n),
        ("blank lines", lambda n: "ANNA: Go on.\n" * 9 + "\n" * n),
        ("lines of spaces", lambda n: "ANNA: Go on.\n" * 9 + (" " * 99 + "\n") * n),
        ("spaces in a line", lambda n: "ANNA: Go on.\n" * 9 + (" " * n + "x\n")),
        ("dashes", lambda n: "ANNA: Go on.\n" * 9 + "- " * n),
        ("open brackets", lambda n: "ANNA: Go on.\n" * 9 + "[" * n),
        ("open tags", lambda n: "ANNA: Go on.\n" * 9 + "<v " * n),
        ("tags at a line's start", lambda n: "ANNA: Go on.\n" * 9 + "<i>" * n),
        ("quotes", lambda n: "ANNA: Go on.\n" * 9 + '"a\n' * n),
        ("stars", lambda n: "ANNA: Go on.\n" * 9 + "*" * n),
        ("marks without width", lambda n: "ANNA: Go on.\n" * 9 + "\u200b" * n),
        ("combining marks", lambda n: "ANNA: Go on.\n" * 9 + "a" + "\u0301\u0323" * n),
        ("remarks in a label", lambda n: "ANNA (a) " * n + ": Go\n" + "ANNA: Go on.\n" * 9),
        ("letters of other scripts", lambda n: "ANNA: Go on.\n李雷：走。\n" * n),
    ),
    *list_cases(
        "transcript, Markdown",
        _dialogue("e.md"),
        ("headings", lambda n: "# ANNA\nGo on.\n" * n),
        ("bold labels", lambda n: "**Anna:** Go on.\n\n" * n),
        ("stars", lambda n: "**Anna:** Go on.\n\n" + "**" * n),
    ),
    *list_cases(
        "transcript, captions",
        _dialogue("e.srt"),
        ("cues", lambda n: make_srt(n, "ANNA: Go on.").decode()),
        ("a label, then cues", lambda n: make_srt(1, "ANNA: Go on.").decode() + make_srt(n, "and on").decode()),
        ("one cue of labels", lambda n: make_cue("ANNA: Go on.\n" * n).decode()),
    ),
    *list_cases(
        "transcript, captions",
        _dialogue("e.vtt"),
        (
            "voice tags",
            lambda n: _vtt(
                f"{i // 60:02}:{i % 60:02}.000 --> {i // 60:02}:{i % 60:02}.900\n<v Anna>Go on.\n\n" for i in range(n)
            ),
        ),
        (
            "rolling lines",
            lambda n: _vtt(f"00:0{i}.000 --> 00:0{i + 1}.000\nANNA: <00:01.000>Go\n" + "on\n" * n + "\n" for i in (1, 2, 3)),
        ),
    ),
    *list_cases(
        "transcript, JSON",
        _dialogue("e.json"),
        ("lines", lambda n: json.dumps({"lines": [{"name": "A", "text": "Go."}] * n})),
        ("segments of one speaker", _segments),
        ("words of Amazon's", lambda n: _amazon([_WORD | {"start_time": str(i)} for i in range(n)])),
        ("punctuation of Amazon's", lambda n: _amazon([_WORD, *[_FULL_STOP] * (n - 1)])),
        ("words of Deepgram's", _deepgram),
    ),
    Hostile(
        "aliases",
        "rows",
        lambda t: parse_alias_table("s.tsv", t),
        lambda n: "label\tpeople\n" + "".join(f"A{i}\tAnna\n" for i in range(n)),
    ),
    *list_cases(
        "discovery",
        lambda names: find_units(SourceFile(name, 1, "v") for name in names),
        ("names", lambda n: [f"transcripts/Show - 1x{i:04}.txt" for i in range(n)]),
        ("names of one place", lambda n: [f"{i}/transcripts/C1E001.txt" for i in range(n)]),
    ),
    *list_cases(
        "decoding",
        lambda c: decode_text("t", c),
        ("bytes of windows-1252", lambda n: b"caf\xe9 na\xefve " * n),
        ("bytes of no encoding", lambda n: b"\xe9\x81\x8d a" * n),
    ),
)
