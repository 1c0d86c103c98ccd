"""Recognises lines that can be speaker cues, and reads the speakers' names."""

import re
from dataclasses import dataclass

_MAX_CUE = 70  # characters, with remarks
_MAX_NAME = 42
_MAX_WORDS = 6
_REMARK = re.compile(r"\s*[(\[][^()\[\]]*(?:[)\]]|$)|\s*[)\]]")
_NICKNAME = re.compile(
    r"(?:(?<=\w )|(?=.{3,25}[\"”] \w))[\"“]([^\W\d_][\w .'’-]{0,20})[\"”]"
)  # only beside other words; quoted words alone are the text of a sign
_SPOKEN = re.compile(
    r"[\s,.-]*\b(?:CONT(?:INUED|['’`]?D|['’]G)|CONTD|V\.\s?O\.?|O\.\s?[SC]\.?|[VO]/[OSC]|VOICE[ -]?OVER|OFF[ -]?SCREEN)\W*$"
)
_VOICE = re.compile(r"(?:['’`]S|(?<=S)['’`]) (?:RECORDED |AMPLIFIED )?(?:VOICE|V\.?O\.?)$")
_NUMBER = re.compile(r"[A-Z]?\d{1,4}[A-Z]?[.)]?(?:\s{2,}|\t)\s*")
_NAME = re.compile(r"(?:[^\W\d_]|#?\d)[\w .,'’`&/#+-]*[\w.#’'`]|[^\W\d_]")
_SMALL = re.compile(
    r"\b(?:Ma?c|De|Di|La|Le|Van|Von|O['’]|D['’]|St|Mr|Mrs|Ms|Dr|Jr|Sr|Lt|Sgt|Capt|and|of|the|with)\b\.?|(?<=\bM)a?c(?=[A-Z])|(?<=[A-Z])s\b"
)
_BROKEN_OFF = re.compile(r"I(?:\s?[-–—.:;,]+)?")
_INITIALS = re.compile(r"(?:\b[A-Z]\.)+$|\b(?:JR|SR|MR|MRS|MS|DR|ST|SGT|LT|CAPT|ESQ|NO|CO|INC|MD)\.$")
_SEPARATOR = re.compile(r"\s*(?:,\s*(?:AND\s+)?|/|&|\+|\bAND\b)\s*")
_WIDE_GAP = re.compile(r"\s{6,}|\t+")
_DIRECTION = re.compile(
    r"""
    (?: (?:EXTREME|VERY|FULL|LONG|HIGH|LOW|NEW|MED(?:IUM)?|REVERSE|TIGHT|WIDE|STOCK)\W+
        (?:SHOT|ANGLE|CLOSE|WIDE|LONG|HIGH|LOW|P\.?O\.?V|VIEW|ON)
      | CLOSER?(?:\W*UP|\W+(?:ON|SHOT|ANGLE|IN)\b|$) | CLOSEUP | WIDER | MOVING | TRACKING | TRAVELING | OVERHEAD | AERIAL
      | ANOTHER | ESTABLISHING | FAVORING | FEATURING | INCLUD(?:E|ING) | (?:SPLIT|BLACK)\ SCREEN | CAMERA | ANGLES? | SHOT
      | TWO-?SHOT | POV | P\.O\.V
      | (?:PAN|CRANE|TILT|DOLLY|ZOOM|PUSH|PULL|RACK|TRACK)\W+
        (?:TO|UP|DOWN|IN|OUT|BACK|ACROSS|LEFT|RIGHT|OVER|WITH|SHOT|FOCUS)\b
      | SERIES | INSERT | INTERCUT | INTERCUTTING | MONTAGE | CUT | DISSOLVE | FADE | FLASHBACKS? | FREEZE | SMASH
      | TIME\ CUT | QUICK\ CUTS?
      | SUPER(?:IMPOSED?)? | (?:MAIN|OPENING|CLOSING)?\ ?(?:TITLES?|CREDITS) | SUBTITLES? | CAPTION
      | LATER | MOMENTS | MINUTES | HOURS | CONTINUOUS | SAME | MEANWHILE | SUDDENLY | BEGIN | END | THE\ END
      | RESUME | BACK\ (?:TO|ON|IN|AT)
      | SCENE | SEQUENCE | REEL | OMIT | OMITTED | CONTINUED | WE\ (?:SEE|HEAR) | ON | IN\ THE | AT\ THE | INSIDE | OUTSIDE
      | OVER | FROM
      | WRITTEN\ BY | SCREENPLAY | STORY\ BY | DIRECTED\ BY | REVIS(?:ED|IONS?) | (?:\w+\ )?DRAFT | FINAL | SHOOTING | UNTITLED
      | (?:PINK|BLUE|YELLOW|GREEN|GOLD|WHITE|BUFF|SALMON|CHERRY)\ (?:REV|PAGES)
    )
    (?:\b|$)
    """,
    re.VERBOSE,
)
_PLACE_OR_TIME = re.compile(
    r"\b(?:P\.?O\.?V\.?|ANGLE|SHOT|SCREEN|CLOSE-?UPS?|CONTINUOUS|LATER|INTERCUT|MONTAGE|READS?|READING|OVER ACTION)\b\W*$"
    r"|\s-+\s*(?:DAY|NIGHT|MORNING|EVENING|DAWN|DUSK|LATER|SAME|AFTERNOON|CONTINUOUS)\b"
)


@dataclass(frozen=True, slots=True)
class SpeakerCue:
    """A line that can be a speaker cue; `names` are the speakers, without (V.O.), (CONT'D) and the like.

    `continued`: the cue has a mark such as (CONT'D). `colon`: it ends with a colon. `numbered`: a page number runs into it.
    """

    names: tuple[str, ...]
    continued: bool
    colon: bool
    numbered: bool = False

    @property
    def key(self) -> str:
        """The names as one text, to count cues by."""
        return " & ".join(self.names)


InlineCues = dict[int, tuple[SpeakerCue, int]]
"""By the number of a `NAME: text` line: its cue, and the position where its text begins."""


def parse_cue(body: str) -> SpeakerCue | None:
    """Read a line as a speaker cue; None if it cannot be one (lower case, a sentence, a camera direction, too long).

    Lower case is allowed in remarks in parentheses (`JACK (into bullhorn)`) and in particles of names (`McCLANE`). Whether the
    line really is a cue also depends on its position: see `placement.is_cue`.
    """
    if '"' in body or "“" in body:
        body = _NICKNAME.sub(r"\1", body)
    if len(body) > _MAX_CUE or not (body[0].isalnum() or body[0] == "#") or body.endswith(("--", "...", "…")):
        return None
    head, bracket, _ = body.partition("(" if "(" in body else "[")
    if not bracket and ")" in body:
        return None  # the end of a parenthetical
    if not head.isupper() and not _is_capitals(head):
        return None
    name = _NUMBER.sub("", body, count=1) if body[0].isdigit() or body[1:2].isdigit() else body
    name = _REMARK.sub(" ", name).strip()
    colon, numbered = name.endswith(":"), not body.startswith(name[:1])
    continued = "CONT" in body or "cont" in body or "Cont" in body
    if _WIDE_GAP.search(name):
        parts = tuple(part for piece in _WIDE_GAP.split(name) if (part := _clean_name(piece)))
        return SpeakerCue(parts, continued, colon) if len(parts) == 2 and all(map(_is_name, parts)) else None
    name = _clean_name(name)
    return SpeakerCue(_split_names(name), continued, colon, numbered) if _is_name(name) else None


def is_broken_off(body: str) -> bool:
    """Tell whether somebody breaks off in a line (`I --`), which is no name."""
    return _BROKEN_OFF.fullmatch(body) is not None


def _clean_name(name: str) -> str:
    name = " ".join(name.split()).rstrip(":;,-–—*^ ")  # in Fountain, ^ marks the second of two simultaneous speakers
    while (shorter := _SPOKEN.sub("", name)) != name:
        name = shorter.rstrip(":;,-–—* ")
    return _VOICE.sub("", name).strip()


def _is_capitals(head: str) -> bool:
    """Tell whether the text before a remark is in capitals, apart from particles and endings of names."""
    if len(head) > _MAX_NAME or not head[:1].isupper():
        return False
    rest = _SMALL.sub("", head)
    return rest.isupper() and sum(map(str.isupper, rest)) >= 2


def _is_name(name: str) -> bool:
    if not name or len(name) > _MAX_NAME or _NAME.fullmatch(name) is None or name.count(" ") >= _MAX_WORDS:
        return False
    if name[-1] == "." and _INITIALS.search(name) is None:
        return False
    if ".." in name or "--" in name or not any(map(str.isalpha, name)):
        return False
    return _DIRECTION.match(name) is None and _PLACE_OR_TIME.search(name) is None


def _split_names(name: str) -> tuple[str, ...]:
    parts = [part for part in _SEPARATOR.split(name) if part]
    if len(parts) < 2 or any(len(part) < 2 for part in parts) or parts[-1] in {"JR.", "SR.", "JR", "SR", "M.D.", "PH.D."}:
        return (name,)
    return tuple(dict.fromkeys(parts))
