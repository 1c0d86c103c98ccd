"""Hostile transcripts: text, Markdown, captions, JSON; their labels; and names of files."""

import json
from collections.abc import Callable

from core.dataset.units import SourceFile
from core.text.decoding import decode_text
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.speaker_slips import count_speakers, find_speaker_slips, find_unread_labels
from core.transcripts.dialogues.speakers import parse_alias_table
from core.transcripts.discovery import find_units
from lab.hostile.case import Hostile, make_cue, make_srt


def _dialogue(name: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        turns = read_dialogue(name, text.encode())
        return find_unread_labels(turns), find_speaker_slips(count_speakers(turns))

    return read


def _segments(n: int) -> str:
    return json.dumps({"segments": [{"start": i, "end": i + 1, "text": " Go on.", "speaker": "SPEAKER_00"} for i in range(n)]})


_TXT = _dialogue("e.txt")
TRANSCRIPTS = (
    Hostile("transcript", "labels of one name", _TXT, lambda n: "ANNA: Go on.\n" * n),
    Hostile("transcript", "labels of two names", _TXT, lambda n: "ANNA: Go on.\nBEN: No.\n" * n),
    Hostile("transcript", "names in brackets", _TXT, lambda n: "[Anna] Go on.\n[Ben] No.\n" * n),
    Hostile("transcript", "names on lines of their own", _TXT, lambda n: "ANNA\nGo on.\n\nBEN\nNo.\n\n" * n),
    Hostile("transcript", "times on lines of their own", _TXT, lambda n: "ANNA: Go on.\n" + "[00:01]\n" * n + "BEN: No."),
    Hostile("transcript", "numbered lines", _TXT, lambda n: "".join(f"{i}. ANNA: Go on.\n" for i in range(n))),
    Hostile("transcript", "labels, each another", _TXT, lambda n: "".join(f"ANNA{i}: Go on.\n" for i in range(n)), 500),
    Hostile(
        "transcript",
        "capitalised labels, each another",
        _TXT,
        lambda n: "".join(f"Anna {chr(65 + i % 26)}{i}: Go on.\n" for i in range(n)),
        500,
    ),
    Hostile("transcript", "labels, each thrice", _TXT, lambda n: "".join(f"Anna B{i // 3}: Go on.\n" for i in range(n)), 500),
    Hostile("transcript", "speakers of one label", _TXT, lambda n: "ANNA, BEN, " * n + ": Go on.\nANNA: Go.\nBEN: No.\n" * 10),
    Hostile("transcript", "choruses", _TXT, lambda n: "".join(f"Anna B{i} and Ben C{i}: Go on.\n" for i in range(n)), 500),
    Hostile("transcript", "labels of a program", _TXT, lambda n: "SPEAKER_00: Go on.\n" * n),
    Hostile("transcript", "times and labels", _TXT, lambda n: "[00:01:00] ANNA: Go on.\n" * n),
    Hostile("transcript", "times without labels", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "[00:01:00] go\n" * n),
    Hostile("transcript", "headed turns", _TXT, lambda n: "Anna  0:01\nGo on.\nBen  0:02\nNo.\n" * n),
    Hostile("transcript", "times in a line", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "00:01:00 " * n),
    Hostile("transcript", "colons", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "a: " * n),
    Hostile("transcript", "colons without words", _TXT, lambda n: "ANNA: Go on.\n" * 9 + ":" * n),
    Hostile("transcript", "names within lines", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "Go. ANNA: " * n),
    Hostile("transcript", "names in a row", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "ANNA " * n),
    Hostile("transcript", "short lines", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "a\n" * n),
    Hostile("transcript", "blank lines", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "\n" * n),
    Hostile("transcript", "lines of spaces", _TXT, lambda n: "ANNA: Go on.\n" * 9 + (" " * 99 + "\n") * n),
    Hostile("transcript", "spaces in a line", _TXT, lambda n: "ANNA: Go on.\n" * 9 + (" " * n + "x\n")),
    Hostile("transcript", "dashes", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "- " * n),
    Hostile("transcript", "open brackets", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "[" * n),
    Hostile("transcript", "open tags", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "<v " * n),
    Hostile("transcript", "tags at a line's start", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "<i>" * n),
    Hostile("transcript", "quotes", _TXT, lambda n: "ANNA: Go on.\n" * 9 + '"a\n' * n),
    Hostile("transcript", "stars", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "*" * n),
    Hostile("transcript", "marks without width", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "\u200b" * n),
    Hostile("transcript", "combining marks", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "a" + "\u0301\u0323" * n),
    Hostile("transcript", "remarks in a label", _TXT, lambda n: "ANNA (a) " * n + ": Go\n" + "ANNA: Go on.\n" * 9),
    Hostile("transcript", "letters of other scripts", _TXT, lambda n: "ANNA: Go on.\n李雷：走。\n" * n),
    Hostile("transcript, Markdown", "headings", _dialogue("e.md"), lambda n: "# ANNA\nGo on.\n" * n),
    Hostile("transcript, Markdown", "bold labels", _dialogue("e.md"), lambda n: "**Anna:** Go on.\n\n" * n),
    Hostile("transcript, Markdown", "stars", _dialogue("e.md"), lambda n: "**Anna:** Go on.\n\n" + "**" * n),
    Hostile("transcript, captions", "cues", _dialogue("e.srt"), lambda n: make_srt(n, "ANNA: Go on.").decode(), 500),
    Hostile(
        "transcript, captions",
        "a label, then cues",
        _dialogue("e.srt"),
        lambda n: make_srt(1, "ANNA: Go on.").decode() + make_srt(n, "and on").decode(),
        500,
    ),
    Hostile(
        "transcript, captions", "one cue of labels", _dialogue("e.srt"), lambda n: make_cue("ANNA: Go on.\n" * n).decode(), 500
    ),
    Hostile(
        "transcript, captions",
        "voice tags",
        _dialogue("e.vtt"),
        lambda n: (
            "WEBVTT\n\n"
            + "".join(f"{i // 60:02}:{i % 60:02}.000 --> {i // 60:02}:{i % 60:02}.900\n<v Anna>Go on.\n\n" for i in range(n))
        ),
        500,
    ),
    Hostile(
        "transcript, captions",
        "rolling lines",
        _dialogue("e.vtt"),
        lambda n: (
            "WEBVTT\n\n"
            + "".join(f"00:0{i}.000 --> 00:0{i + 1}.000\nANNA: <00:01.000>Go\n" + "on\n" * n + "\n" for i in (1, 2, 3))
        ),
        500,
    ),
    Hostile(
        "transcript, JSON", "lines", _dialogue("e.json"), lambda n: json.dumps({"lines": [{"name": "A", "text": "Go."}] * n})
    ),
    Hostile("transcript, JSON", "segments of one speaker", _dialogue("e.json"), _segments),
    Hostile(
        "transcript, JSON",
        "words of Amazon's",
        _dialogue("e.json"),
        lambda n: json.dumps(
            {
                "results": {
                    "items": [
                        {
                            "type": "pronunciation",
                            "speaker_label": "spk_0",
                            "start_time": str(i),
                            "alternatives": [{"content": "go"}],
                        }
                        for i in range(n)
                    ]
                }
            }
        ),
    ),
    Hostile(
        "transcript, JSON",
        "punctuation of Amazon's",
        _dialogue("e.json"),
        lambda n: json.dumps(
            {
                "results": {
                    "items": [
                        {"type": "punctuation", "alternatives": [{"content": "."}]}
                        if i
                        else {"type": "pronunciation", "speaker_label": "spk_0", "alternatives": [{"content": "go"}]}
                        for i in range(n)
                    ]
                }
            }
        ),
    ),
    Hostile(
        "transcript, JSON",
        "words of Deepgram's",
        _dialogue("e.json"),
        lambda n: json.dumps(
            {"results": {"channels": [{"alternatives": [{"words": [{"word": "go", "speaker": i % 2} for i in range(n)]}]}]}}
        ),
    ),
    Hostile(
        "aliases",
        "rows",
        lambda t: parse_alias_table("s.tsv", t),
        lambda n: "label\tpeople\n" + "".join(f"A{i}\tAnna\n" for i in range(n)),
    ),
    Hostile(
        "discovery",
        "names",
        lambda names: find_units(SourceFile(name, 1, "v") for name in names),
        lambda n: [f"transcripts/Show - 1x{i:04}.txt" for i in range(n)],
        500,
    ),
    Hostile(
        "discovery",
        "names of one place",
        lambda names: find_units(SourceFile(name, 1, "v") for name in names),
        lambda n: [f"{i}/transcripts/C1E001.txt" for i in range(n)],
        500,
    ),
    Hostile("decoding", "bytes of windows-1252", lambda c: decode_text("t", c), lambda n: b"caf\xe9 na\xefve " * n),
    Hostile("decoding", "bytes of no encoding", lambda c: decode_text("t", c), lambda n: b"\xe9\x81\x8d a" * n),
)
