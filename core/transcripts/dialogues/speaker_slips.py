"""Looks for wrong speaker labels: names that are probably misspelt, and lines that look like labels and were read as text."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.distance import OSA

from core.dialogue import Turn
from core.transcripts.dialogues.label_forms import find_candidates
from core.transcripts.dialogues.labels import gather_evidence, is_guessed, is_speech_tag
from core.transcripts.dialogues.speakers import fold_label

_FREQUENT = 10  # turns of a name for which misspellings are looked for
_MAX_NAMES = 200  # the most frequent names, so that a file of a million labels takes linear time
_RARE = 0.05  # a misspelling has at most this share of the turns of the name that is meant
_GUESSED = 2  # turns up to which an unusual name is a guess
_SHORT = 4  # letters up to which a single slip makes a slip of another name too probable for two


def count_speakers(turns: Iterable[Turn]) -> Counter[str]:
    """Count the turns of each speaker; a turn in chorus counts for all its speakers."""
    return Counter(speaker for turn in turns for speaker in dict.fromkeys(turn.speakers))


def find_speaker_slips(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Find rare names, each with the frequent name that is probably meant: one slip of the keys away, in longer names two.

    A slip is a letter too many, too few or wrong, or two letters exchanged (optimal string alignment).
    """
    most = Counter(counts).most_common(_MAX_NAMES)
    frequent = [(name, fold_label(name), count) for name, count in most if count >= _FREQUENT]
    slips = []
    for name, count in sorted(counts.items()):
        allowed = 1 if len(name) <= _SHORT else 2
        folded = fold_label(name)
        near = [
            (OSA.distance(folded, other_folded, score_cutoff=allowed), -turns, other)
            for other, other_folded, turns in frequent
            if other != name and count <= _RARE * turns and folded[:1] == other_folded[:1]
        ]
        close = sorted(entry for entry in near if entry[0] <= allowed)
        if close and " - " not in name:
            slips.append((name, close[0][2]))
    return slips


def find_unread_labels(turns: Sequence[Turn]) -> Counter[str]:
    """Count the names at the start of lines inside turns that look like labels and were not read as such.

    A name counts if most of its lines follow a complete sentence: `Guy at bar: Another one?`.
    """
    found: Counter[str] = Counter()
    breaks: Counter[str] = Counter()
    for turn in turns:
        _, line_end, rest = turn.raw_text.partition("\n")
        if not line_end or (":" not in rest and "：" not in rest):
            continue
        offset = len(turn.raw_text) - len(rest)
        inside = [label for label in find_candidates(turn.raw_text) if label.start >= offset]
        for name, evidence in gather_evidence(turn.raw_text, inside).items():
            found[name] += evidence.count
            breaks[name] += evidence.breaks
    return Counter(
        {
            name: count
            for name, count in found.items()
            if 2 * breaks[name] > count and not is_speech_tag(name) and not name[-1].isdecimal()
        }
    )


def find_guessed_labels(turns: Iterable[Turn]) -> Counter[str]:
    """Count the turns of rare names that are no names by their form, and were taken for speakers: `Guy at bar`."""
    counts = Counter(turn.raw_label for turn in turns)
    return Counter({label: count for label, count in counts.items() if count <= _GUESSED and is_guessed(label)})
