"""Builds scenes while the lines of a screenplay are read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.dialogue import Turn
from core.scripts.screenplays.cues import SpeakerCue
from core.scripts.screenplays.lines import Line
from core.scripts.story import Scene

_REMARK = re.compile(r"\([^()]{0,600}\)|\[[^\[\]]{0,600}\]")
_UNCLOSED = re.compile(r"(?:^|(?<=\s))\([^()\n]{0,200}$|^[^()\n]{0,120}\)", re.MULTILINE)
_OWN_LINE = re.compile(r"(?<=[.!?…\"”'’-])\s*\n\s*\x00\s*\n")
_WRAPPED_WORD = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_SPACES = re.compile(r"[\s\x00]+")


def clean_speech(bodies: Sequence[str]) -> tuple[str, ...]:
    """Return the utterances of a speech; () if it has no words. `bodies` are its lines without indentation.

    Parentheticals are dropped; one on a line of its own after a complete sentence separates two utterances. A word that is
    divided at a hyphen keeps the hyphen. Runs in linear time.
    """
    text = "\n".join(bodies)
    if "(" in text or ")" in text or "[" in text:
        text = _REMARK.sub("\x00", text.replace("\x00", " "))
        if "(" in text or ")" in text:
            text = _UNCLOSED.sub("\x00", text)
        parts = _OWN_LINE.split(text)
    else:
        parts = [text]
    utterances = (_SPACES.sub(" ", _WRAPPED_WORD.sub("-", part)).strip() for part in parts)
    return tuple(utterance for utterance in utterances if any(map(str.isalnum, utterance)))


def join_paragraph(bodies: Sequence[str]) -> str:
    """Join the hard-wrapped lines of an action paragraph."""
    return _SPACES.sub(" ", _WRAPPED_WORD.sub("-", "\n".join(bodies))).strip()


_MIN_PROSE_WORDS = 20  # paragraphs of a title page are shorter


@dataclass(slots=True)
class _OpenTurn:
    number: int
    speakers: tuple[str, ...]
    label: str
    utterances: list[str]
    raw: list[str]
    marked: list[str]

    def close(self) -> Turn:
        return Turn(self.number, self.speakers, tuple(self.utterances), self.label, "\n".join(self.raw))

    def mark(self) -> str:
        """Return the words with the remarks in brackets; "" if there is no remark."""
        marked = " ".join(self.marked)
        return marked if marked != " ".join(self.utterances) else ""


@dataclass(slots=True)
class _OpenScene:
    strict_index: int
    heading: str
    turns: list[_OpenTurn] = field(default_factory=list)
    narration: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    words: int = 0

    def tell(self, paragraph: str) -> None:
        """Add a paragraph of action after the turns so far."""
        self.narration.append(paragraph)
        self.places.append(len(self.turns))


@dataclass(slots=True)
class SceneBuilder:
    """Collects lines of known kinds, in order, into scenes; `close_speech` is for lines that end a speech and are no action.

    The `words` of each open scene count its words so far.
    """

    scenes: list[_OpenScene] = field(default_factory=lambda: [_OpenScene(-1, "")])
    cue: SpeakerCue | None = None
    cue_line: Line | None = None
    speech: list[Line] = field(default_factory=list)
    words_indent: int | None = None  # of the open speech's first line that is not a parenthetical
    only_remarks: bool = True  # each line of the open speech begins or ends a parenthetical
    shouted: bool = True  # each line of the open speech is in capitals
    action: list[str] = field(default_factory=list)
    turns: int = 0
    resumable: bool = False  # there was only furniture since the last turn

    def open_scene(self, heading: str, strict_index: int) -> None:
        """Begin a scene with its heading."""
        self.close_speech()
        self._close_action()
        self.scenes.append(_OpenScene(strict_index, heading))
        self.resumable = False

    def open_speech(self, line: Line, cue: SpeakerCue) -> None:
        """Begin a speech with its cue."""
        self.close_speech()
        self._close_action()
        self.cue, self.cue_line, self.words_indent = cue, line, None
        self.only_remarks = self.shouted = True

    def add_speech(self, line: Line, remark: bool = False) -> None:
        """Add a line to the open speech; `remark` means that the line belongs to a parenthetical."""
        if not remark and self.words_indent is None:
            self.words_indent = line.indent
        self.speech.append(line)
        self.only_remarks = self.only_remarks and (line.body[0] == "(" or line.body[-1] == ")")
        self.shouted = self.shouted and line.body.isupper()
        self.scenes[-1].words += line.body.count(" ") + 1

    def add_action(self, line: Line, starts_paragraph: bool) -> None:
        """Add a line of action. It ends an open speech."""
        self.close_speech()
        if starts_paragraph:
            self._close_action()
        self.resumable = False
        self.action.append(line.body)
        self.scenes[-1].words += line.body.count(" ") + 1

    def close_speech(self) -> None:
        """End the open speech. A speech without words (a cue alone, or only `(nods)`) becomes narration."""
        cue, cue_line, speech = self.cue, self.cue_line, self.speech
        if cue is None or cue_line is None:
            return
        self.cue, self.cue_line, self.speech = None, None, []
        scene, bodies = self.scenes[-1], [line.body for line in speech]
        utterances = clean_speech(bodies)
        if not utterances:
            scene.tell(join_paragraph([cue_line.body, *bodies]))
            return
        marked, raw = join_paragraph(bodies), "\n".join(line.raw for line in speech)
        last = scene.turns[-1] if scene.turns and self.resumable and cue.continued else None
        if last is not None and last.speakers == cue.names:
            last.utterances += utterances
            last.raw.append(raw)
            last.marked.append(marked)
        else:
            scene.turns.append(_OpenTurn(self.turns, cue.names, cue_line.raw.strip(), [*utterances], [raw], [marked]))
            self.turns += 1
        self.resumable = True

    def finish(self) -> tuple[Scene, ...]:
        """Return the scenes. The text before the first heading is a scene if it has speech or prose; a title page has neither."""
        self.close_speech()
        self._close_action()
        first = self.scenes[0]
        if not first.turns and not any(paragraph.count(" ") >= _MIN_PROSE_WORDS for paragraph in first.narration):
            del self.scenes[0]
        return tuple(
            Scene(
                index,
                scene.strict_index,
                scene.heading,
                tuple(turn.close() for turn in scene.turns),
                tuple(scene.narration),
                tuple(scene.places),
                tuple(turn.mark() for turn in scene.turns),
            )
            for index, scene in enumerate(self.scenes)
        )

    def _close_action(self) -> None:
        if self.action:
            self.scenes[-1].tell(join_paragraph(self.action))
            self.action = []
