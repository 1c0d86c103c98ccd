"""The forms in which transcripts write speaker labels, with a colon and without, and how their names are written.

Labels without a colon (chat logs, tables, recognisers, wikis) are rewritten as `NAME: text`; times are taken off the lines. A
new form is an entry of `_FORMS`, or of `_STAMPED_FORMS` if it has a time.
"""

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape
from itertools import chain, pairwise
from typing import Literal, NamedTuple

from core.text.captions import parse_stamp
from core.transcripts.dialogues.cleaning import drop_invisible

Style = Literal["capitals", "title", "particles", "caseless", "machine", "prose"]

PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n[^\S\n]*(?=\S)")
"""Blank lines before a line with text."""
_SPACES_ALONE = re.compile(r"\n[^\S\n]+\n")
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_SMALL_WORDS = re.compile(r"\b(?:and|except|but|as|of|the|with|for|minus)\b")
_FORBIDDEN = re.compile(r"[^\w\s.,'’&/+#()-]|_")
_TITLE = re.compile(r"[^\W\d_a-z][^\s,&/]*(?:(?:\s*[,&/]\s*|\s+)(?:and\s+)?(?:[^\W\d_a-z][^\s,&/]*|#?\d+))*")
_PARTICLES = re.compile(
    r"\b(?:a|af|al|an|and|as|at|av|bar|ben|bey|bin|bint|but|by|d|da|das|de|dei|del|della|den|der|des|di|do|dos|du|e|el|except|"
    r"for|from|i|ibn|ibnu|im|in|la|las|le|les|los|minus|mac|mc|no|o|of|on|or|pasha|san|ten|ter|the|to|und|van|vom|von|vs|with|"
    r"without|y|zu|zum|zur|étal|и|де|фон|ван)\b[.'’]?"
)
_MAX_TITLE_WORDS, _MAX_CAPITALS_WORDS = 8, 16


@lru_cache(maxsize=16_384)
def label_style(name: str) -> Style:
    """Tell how a candidate for a label is written, without its remarks in parentheses or brackets.

    "capitals" and "title" may have small words (`ANNA and BEN`, `ALL except BEN`). "particles" is a title with small words inside
    the name (`Ludwig van Beethoven`, `Queen of Hearts`). "caseless" has letters of scripts without case (`李雷`). "machine" is
    a name that a program gave (`SPEAKER_00`). Everything else is "prose".
    """
    if is_machine_made(name):
        return "machine"
    if "&" in name:
        name = unescape(name)
    if not name.isascii():  # marks of vowels and tones are no letters for regular expressions
        name = "".join(character for character in name if not unicodedata.category(character).startswith("M"))
    if "[" in name:
        name = _BRACKETS.sub(" ", name).strip()
    words = _SMALL_WORDS.sub(" ", _REMARK.sub(" ", name)) if not name.isupper() else name
    if not words.strip() or _FORBIDDEN.search(name) is not None:
        return "prose"
    if words.isupper():
        return "capitals" if len(words.split()) <= _MAX_CAPITALS_WORDS else "prose"
    title = _REMARK.sub("", name).strip()
    if len(title.split()) > _MAX_TITLE_WORDS:
        return "prose"
    if title.lower() == title.upper():
        return "caseless"
    if _TITLE.fullmatch(title) is not None:
        return "title"
    rest = " ".join(_PARTICLES.sub(" ", title).split()).strip(" ,&/")
    ends_in_a_name = not title.split()[-1][0].islower() and _TITLE.fullmatch(rest) is not None
    return "particles" if ends_in_a_name else "prose"


_MARKS = "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"  # invisible; they stand before right-to-left names
_LEAD = r"(?:[-–—>*•\\_]|'{2,5})"  # dashes, list marks, emphasis of Markdown and of wikis
_CANDIDATE = re.compile(
    rf"\n[^\S\n]*[{_MARKS}]*+(?:<[^>\n]{{1,80}}>[^\S\n]*)*+(?:(?P<lead>{_LEAD}(?:[^\S\n]*{_LEAD})*+)[^\S\n]*+)?+(?:<[ibu]>)?[{_MARKS}]*+"
    r"(?P<label>[^\W\d_][^:：\n<>]{0,99}+)(?:</[a-z]{1,10}>)*+[:：](?!//)"
)  # starts with "\n" instead of ^, which doubles the speed; the caller adds a newline before the text
VOICE = re.compile(r"<v(?:\.[^>\s]*)?[^\S\n]+(?P<label>[^>\n]{1,100})>")
_STAMP = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_TIME = rf"(?P<time>{_STAMP})(?:[^\S\n]*(?:-->|->|[-–—])[^\S\n]*(?P<until>{_STAMP}))?"
_TIME_2 = _TIME.replace("time", "time2").replace("until", "until2")
_ENCLOSED = rf"[\[(][^\S\n]*{_TIME}[^\S\n]*[\])]"
_NAME = r"[^\W\d_][^:：\n<>\[\]]{0,99}?"
_MARKED = r"(?:\*\*|__)"
_STAMPED_FORMS = (
    # [00:01:00] ANNA: …, [00:01:00 --> 00:01:04] [SPEAKER_00]: …, 00:01:00 - ANNA: …, **[00:01:00] Anna:** …, [00:01] <Anna> …
    re.compile(
        rf"\n[^\S\n]*(?P<lead>{_MARKED}?)(?:{_ENCLOSED}|{_TIME_2})"
        rf"[^\S\n]*[-–—|]?[^\S\n]*(?P<lead2>{_MARKED}?)"
        rf"(?:\[(?P<bracketed>{_NAME})\][^\S\n]*[:：]?|<[@+%&~ ]?(?P<angled>{_NAME})>(?=[^\S\n])|(?P<label>{_NAME})[:：](?!\d))"
    ),
    # ANNA (00:01:00): …, ANNA [00:01:00]: …, - **Anna** (00:01:00): …, Anna 00:01: …, Anna, 00:01: …
    re.compile(
        rf"\n[^\S\n]*(?:[-–—*•][^\S\n]+)?(?P<lead>{_MARKED}?)(?P<label>{_NAME}){_MARKED}?"
        rf"(?:[^\S\n]*{_ENCLOSED}[^\S\n]*[:：]|,?[^\S\n]+{_TIME_2}[:：](?=\s))"
    ),
    # [Anna 00:01:00] …
    re.compile(rf"\n[^\S\n]*\[(?P<label>{_NAME})[^\S\n]+{_TIME}\](?:[^\S\n]*[:：])?"),
)
_DASH = r"[^\S\n]+(?:[-–—|][^\S\n]+)?"
_HEADED = re.compile(rf"\n[^\S\n]*(?P<lead>{_MARKED}?)(?P<label>{_NAME}){_DASH}[\[(]?{_TIME}[\])]?[^\S\n]*(?=\n)")
_TIME_AND_NAME = re.compile(rf"\n[^\S\n]*[\[(]?{_TIME}[\])]?{_DASH}(?P<lead>{_MARKED}?)(?P<label>{_NAME})[^\S\n]*(?=\n)")
_IN_BRACKETS = re.compile(
    r"\n[^\S\n]*(?:\[(?P<bracketed>[^\W\d_][^:：\n<>\[\]]{0,99})\]|\((?P<label>[^\W\d_][^:：\n<>()]{0,99})\))[^\S\n]*[:：]"
)
_MACHINE = re.compile(r"(?:speaker|spk|voice|channel|ch)[_ -]?\d{1,3}", re.IGNORECASE)
_MACHINE_BRACKETED = re.compile(rf"\n[^\S\n]*\[(?P<label>{_MACHINE.pattern})\](?=[^\S\n])", re.IGNORECASE)
_OPENING_TIME = re.compile(rf"[^\S\n]*+(?:\n[^\S\n]*+)?(?:{_ENCLOSED}|{_TIME_2}[^\S\n]*(?=\n))")
_MINUTES = re.compile(r":\d{2}")


class Label(NamedTuple):
    """A speaker label: the characters from `start` to `end`, with its colon and any leading dash, and its times in seconds.

    `marked` tells that its form alone shows a label: a voice tag, brackets, bold type, a time beside it.
    """

    start: int
    end: int
    name: str
    time: float | None = None
    until: float | None = None
    marked: bool = False


def find_candidates(text: str) -> list[Label]:
    """Find the candidates for speaker labels, in order and without overlaps. Runs in linear time.

    The forms are `NAME:` (also after a dash, in bold type, in other mark-up), `[NAME]:`, `(NAME):`, `[00:01:00] NAME:`,
    `NAME (00:01:00):`, `[NAME 00:01:00]`, `<v NAME>`, and a line `NAME  0:01` or `0:01 - NAME` where most labels are such.
    """
    lines = "\n" + text
    plain = [
        _make_label(match, text) if match["lead"] else Label(match.start(), match.end() - 1, _tidy(match["label"]))
        for match in _CANDIDATE.finditer(lines)
    ]
    others: list[Label] = []
    if stamped := list(find_stamped_lines(lines)):
        for form in _STAMPED_FORMS:
            others += _find_named(form, text, lines, stamped)
        usual = len(others) + sum(not text[label.end : label.end + 1].isdecimal() for label in plain)
        headed = _find_named(_HEADED, text, lines, stamped)
        told = _find_named(_TIME_AND_NAME, text, lines, stamped)  # or a time and what is said: names recur
        headed = max(headed, told if len(told) >= 2 * len({label.name for label in told}) else [], key=len)
        headed = _put_first_names_first(headed)
        others += headed if len(headed) > max(1, usual) else []
    others += [_make_label(match, text, marked=match["bracketed"] is not None) for match in _IN_BRACKETS.finditer(lines)]
    others += [_make_label(match, text, marked=True) for match in _MACHINE_BRACKETED.finditer(lines)]
    if "<v" in text:
        voices = [Label(match.start(), match.end(), _tidy(match["label"]), marked=True) for match in VOICE.finditer(text)]
        others += _put_first_names_first(voices)
    if others:  # the more exact form of a line goes first
        plain = drop_overlaps(sorted(chain(others, plain), key=lambda label: (label.start, not label.marked)))
    return _read_opening_times(text, plain)


def find_stamped_lines(lines: str) -> Iterator[int]:
    """Yield the position of the newline before each line that may state a time."""
    position = 0
    while (minutes := _MINUTES.search(lines, position)) is not None:
        yield lines.rfind("\n", position, minutes.start())
        position = lines.find("\n", minutes.end())
        if position < 0:
            return


def _find_named(form: re.Pattern[str], text: str, lines: str, starts: Iterable[int]) -> list[Label]:
    """Return the labels of a form with a time, on the lines that begin at `starts`; prose ends otherwise: `We start at 7:00`."""
    found = [match for start in starts if (match := form.match(lines, start)) is not None]
    labels = [(_make_label(match, text, marked=True), match.groupdict().get("angled")) for match in found]
    return [label for label, angled in labels if angled or (label.name and not label.name.split()[-1][0].islower())]


_LAST_FIRST = re.compile(r"(?P<last>[^\W\d_][^,()&/]*), (?P<first>[^\W\d_][^,()&/]*?)(?P<remark>(?: *\([^()]*\))?)")


def _put_first_names_first(labels: list[Label]) -> list[Label]:
    """Return labels that a program wrote with `Klein, Mara` as `Mara Klein`; several people are not in such a label.

    Where one of the two is a label of its own, they are people.
    """
    alone = {label.name for label in labels if "," not in label.name}
    found = [_LAST_FIRST.fullmatch(label.name) for label in labels]
    return [
        label._replace(name=f"{match['first']} {match['last']}{match['remark']}")
        if match is not None and alone.isdisjoint((match["last"], match["first"]))
        else label
        for label, match in zip(labels, found, strict=True)
    ]


def is_machine_made(name: str) -> bool:
    """Tell whether a program named this speaker: `SPEAKER_00`, `spk_1`, `Speaker 2`."""
    return _MACHINE.fullmatch(name) is not None


def _make_label(match: re.Match[str], text: str, marked: bool = False) -> Label:
    """Return the label of a match in the text with a newline before it."""
    groups = match.groupdict()
    lead = groups.get("lead") or groups.get("lead2") or ""
    name, end = groups.get("bracketed") or groups.get("angled") or groups["label"], match.end() - 1
    if lead.endswith(("*", "_", "'")):  # bold or italic type ends before or after the colon
        emphasis = lead[len(lead.rstrip(lead[-1])) :]
        bold = len(emphasis) > (2 if emphasis[0] == "'" else 1)
        marked = marked or (bold and (emphasis in name or text.startswith(emphasis, end)))
        end += len(emphasis) if text.startswith(emphasis, end) else 0
    time, until = (parse_stamp(groups.get(stamp) or groups.get(f"{stamp}2") or "") for stamp in ("time", "until"))
    return Label(match.start(), end, _tidy(name.strip(" \t*_'") if lead else name), time, until, marked)


@lru_cache(maxsize=16_384)
def _tidy(name: str) -> str:
    return drop_invisible(name).strip()


def drop_overlaps(labels: Iterable[Label]) -> list[Label]:
    """Return labels, which are sorted, without those that begin before the end of the one before."""
    kept: list[Label] = []
    for label in labels:
        if not kept or label.start >= kept[-1].end:
            kept.append(label)
    return kept


def _read_opening_times(text: str, labels: list[Label]) -> list[Label]:
    """Take the time that follows a label (`ANNA: [00:01:00] …`, `ANNA: 00:01:00` alone) into it, where most labels have one."""
    timed = [(label, _OPENING_TIME.match(text, label.end)) for label in labels]
    if 2 * sum(match is not None for _, match in timed) < len(labels):
        return labels
    for place, (label, match) in enumerate(timed):
        if match is not None:
            time, until = (parse_stamp(match[stamp] or match[f"{stamp}2"] or "") for stamp in ("time", "until"))
            labels[place] = label._replace(end=match.end(), time=time, until=until)
    return labels


_BARE_NAME = r"(?P<name>[^\W\d_][^\n:：<>\[\]()|\t\"“”]{0,59}?)"
_FORMS = tuple(
    (marks, re.compile(pattern, re.MULTILINE))
    for marks, pattern in (
        ("[", rf"^[^\S\n]*\[{_BARE_NAME}\](?=[^\S\n]+\S)"),  # [Anna] text
        ("(", rf"^[^\S\n]*\({_BARE_NAME}\)(?=[^\S\n]+\S)"),  # (Anna) text
        ("<", rf"^[^\S\n]*<{_BARE_NAME}>(?=[^\S\n]+\S)"),  # <Anna> text
        ("*_'", rf"^[^\S\n]*(?:[-*>][^\S\n]+)?(?P<mark>\*\*|__|'''){_BARE_NAME}(?P=mark)(?=[^\S\n]+[^\s:：])"),  # **Anna** text
        ('"”', rf"^[^\S\n]*[\"“]{_BARE_NAME}[\"”][^\S\n]*[:：]"),  # "Anna": text
        ("\t", rf"^[^\S\n]*{_BARE_NAME}[^\S\n]*\t(?=[^\S\n]*\S)"),  # Anna, a tab, text
        ("-–—", rf"^[^\S\n]*{_BARE_NAME}[^\S\n]+[-–—][^\S\n]+(?=\S)"),  # Anna – text
        ("@", rf"^[^\S\n]*@{_BARE_NAME}[^\S\n]*[:：]"),  # @Anna: text
        (":：", rf"^[^\S\n]*{_BARE_NAME}[^\S\n]+(?:says|said|asks|asked|replies|replied)[^\S\n]*[:：]"),  # Anna says: text
        ("#", rf"^#{{1,6}}[^\S\n]+{_BARE_NAME}[^\S\n]*[:：]?[^\S\n]*\n\s*(?=[^\s#])"),  # ### Anna on a line, text below it
        # Anna on a line of its own, between a blank line and text
        ("\n", rf"(?P<before>\A|\n[^\S\n]*\n)[^\S\n]*@?{_BARE_NAME}[^\S\n]*\n(?=[^\S\n]*\S)"),
    )
)
"""The forms of labels that have no colon behind the bare name, each with its marks: a label has at least one of these."""
_SOUNDS = frozenset((
    "music", "laughter", "laughs", "laughing", "applause", "cheering", "cheers", "silence", "pause", "noise", "sound", "sighs",
    "inaudible", "indistinct", "unintelligible", "crosstalk", "crying", "coughs", "clapping", "singing", "whispering",
    "theme music",
))  # fmt: skip
"""What stands in brackets or parentheses and is no name."""
_MAX_WORDS = 4  # of a name without a colon: longer ones are prose
_FEWEST = 4  # labels of a form in a file
_USUAL = 0.8  # share of the labelled lines that have a time above them, where these times are no speech
_LINE = re.compile(r"^[^\S\n]*\S", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[^\S\n]", re.MULTILINE)
_WORD = re.compile(r"\S")
_STAMP_LINE = re.compile(rf"^[^\S\n]*[\[(]?{_TIME}[\])]?[^\S\n]*(?:\n|\Z)", re.MULTILINE)
_BARE_STAMP = re.compile(r"\d{1,3}:\d{2}")
_STAMPS = 3  # lines of minutes and seconds only, from which they are no speech
_PLACED = 0.9  # least share of bare times that stand between turns, where they are no speech
_ENDED = re.compile(r"(?:[.!?…:：。！？\"”’»)\]*~—–-]|\n[^\S\n]*\n|\A)\s*\Z")
_BEFORE = 50  # characters before a time that are read
_LABELLED = re.compile(r"\s*[^\W\d_][^:：\n]{0,59}[:：]|[^\S\n]*[\[(<*][^\W\d_]")
_LABELLED_LINE = re.compile(r"^[^\S\n]*(?:[^\W\d_][^:：\n]{0,59}[:：]|[\[(<*][^\W\d_])", re.MULTILINE)


def take_stamp_lines(text: str) -> tuple[str, dict[int, float]]:
    """Take the lines that hold a time only out of a text, and return the time by the position of the line that follows it.

    Fewer than three such lines without hours are speech, and stay. So do bare times that fall, or do not stand where turns begin
    and end.
    """
    found = [match for start in find_stamped_lines("\n" + text) if (match := _STAMP_LINE.match(text, start)) is not None]
    bare = [match for match in found if _BARE_STAMP.fullmatch(match[0].strip()) is not None]
    if bare and not _stand_between_turns(text, bare):
        found = [match for match in found if _BARE_STAMP.fullmatch(match[0].strip()) is None]
    if len(found) < _STAMPS:  # a time with hours is no speech, not even once
        found = [match for match in found if match["time"].count(":") > 1]
    kept, position = "", 0
    times: dict[int, float] = {}
    for match in found:
        kept += text[position : match.start()]
        position = match.end()
        if (time := parse_stamp(match["time"])) is not None:
            times[len(kept)] = time
    return kept + text[position:], times


def _stand_between_turns(text: str, stamps: list[re.Match[str]]) -> bool:
    """Tell whether times rise and nearly all stand after a complete sentence, a label or a blank line, or above most labels."""
    times = [parse_stamp(stamp["time"]) or 0.0 for stamp in stamps]
    if any(after < before for before, after in pairwise(times)):
        return False
    above = sum(_LABELLED.match(text, stamp.end()) is not None for stamp in stamps)
    labels_follow = above >= _USUAL * len(_LABELLED_LINE.findall(text))
    placed = sum(
        _ENDED.search(text, max(0, stamp.start() - _BEFORE), stamp.start()) is not None
        or (labels_follow and _LABELLED.match(text, stamp.end()) is not None)
        for stamp in stamps
    )
    return placed >= _PLACED * len(stamps)


def stamp_labels(text: str, labels: list[Label], times: dict[int, float]) -> list[Label]:
    """Give each label without a time the one that stood on the line before or after it."""
    if not times:
        return labels
    places = _find_words(text, times)
    stamped = []
    for label in labels:
        time = label.time if label.time is not None else places.get(_next_word(text, label.start))
        stamped.append(label._replace(time=time if time is not None else places.get(_next_word(text, label.end))))
    return stamped


def add_colons(text: str, n_labels: int, times: dict[int, float]) -> tuple[str, dict[int, float]]:
    """Write the labels of the most frequent form without a colon as `NAME: text`, where most turns have a label of that form.

    Its names must recur, more than twice as often as labels with a colon (`n_labels`). `times` are returned by the new positions.
    """
    units = count_paragraph_breaks(text) + 1
    if units < _FEWEST:
        units = len(_LINE.findall(text))
    if 2 * n_labels >= units:
        return text, times
    best: list[re.Match[str]] = []
    for marks, form in _FORMS:
        places = len(_HEADING.findall(text)) if marks == "#" else units
        if 2 * sum(map(text.count, marks)) < places:
            continue
        found = [match for match in form.finditer(text) if marks == "@" or _may_be_a_name(match["name"])]
        counts = Counter(match["name"] for match in found)
        title = found and marks in "\n#" and not text[: found[0].start()].strip() and counts[found[0]["name"]] == 1
        if title:
            del found[0]
        turns = places - bool(title)
        recurring = sum(count for count in counts.values() if count > 1)
        if len(found) >= _FEWEST and 2 * recurring > len(found) and 2 * len(found) >= turns and len(found) > len(best):
            best = found
    if len(best) <= 2 * n_labels:
        return text, times
    pieces: list[str] = []
    position = length = 0
    stamps = deque(_find_words(text, times).items())
    moved: dict[int, float] = {}
    for match in best:
        begin = match.end("before") if "before" in match.re.groupindex else match.start()
        while stamps and stamps[0][0] < begin:
            place, time = stamps.popleft()
            moved[length + place - position] = time
        name = match["name"].strip()
        pieces += [text[position:begin], f"[{name}]: " if "@" in text[begin : match.start("name")] else f"{name}: "]
        length += begin - position
        while stamps and stamps[0][0] <= match.end():  # between the name and the words too
            moved[length] = stamps.popleft()[1]
        length += len(pieces[-1])
        position = match.end()
    moved.update((length + place - position, time) for place, time in stamps)
    return "".join([*pieces, text[position:]]), moved


def count_paragraph_breaks(text: str) -> int:
    """Count the places where blank lines stand before a line with text."""
    if "\n\n\n" not in text and _SPACES_ALONE.search(text) is None:
        return text.rstrip().count("\n\n")  # nearly every text, in a tenth of the time
    return len(PARAGRAPH_BREAK.findall(text))


def _may_be_a_name(name: str) -> bool:
    name = name.strip()
    told = name.casefold() in _SOUNDS or name[-1] in ".," or len(name.split()) > _MAX_WORDS
    return not told and label_style(name) != "prose"


def _find_words(text: str, times: Mapping[int, float]) -> dict[int, float]:
    """Return times, which are in order, by the positions of the words that follow them."""
    places: dict[int, float] = {}
    word = -1
    for place, time in times.items():
        if place > word:  # or white space is read again for every time
            word = _next_word(text, place)
        places[word] = time
    return places


def _next_word(text: str, position: int) -> int:
    """Return the position of the first character from `position` on that is no white space, or the end."""
    word = _WORD.search(text, position)
    return word.start() if word is not None else len(text)
