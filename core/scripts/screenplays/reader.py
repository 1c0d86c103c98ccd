"""Reads a raw screenplay into scenes."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.errors import SourceError
from core.scripts.screenplays import placement, wrapping
from core.scripts.screenplays.assembly import SceneBuilder
from core.scripts.screenplays.cues import InlineCues, SpeakerCue, is_broken_off, parse_cue
from core.scripts.screenplays.fountain import read_fountain
from core.scripts.screenplays.headings import are_numbered_behind, mend_headings, strip_scene_numbers, strip_shot_numbers
from core.scripts.screenplays.kinds import recover_spoken_numbers, sort_lines
from core.scripts.screenplays.late_cues import add_late_cues
from core.scripts.screenplays.layout import Layout, ScreenplayConfig, Script, infer_layout
from core.scripts.screenplays.lines import part_columns, read_lines
from core.scripts.screenplays.tagged import build_scenes, find_root, read_tagged
from core.scripts.screenplays.web_page import drop_web_page
from core.scripts.story import Scene
from core.text.decoding import decode_escapes, repair_mojibake

_INLINE = re.compile(r"([^:\n]{1,50}?)\s{0,3}:\s{1,8}(?=\S)")
_BULLET = re.compile(r"(?m)^([ \t]*)[•·](?=[ \t]+\S)")
_CLOSED = re.compile(r"\([^()]*\)")  # a remark that ends before another one opens
_LINE_END = re.compile(r"<br\s*/?>|</(?:p|div|h[1-6]|li|tr)>", re.IGNORECASE)
_MAX_CUE = 80  # characters
_MAX_REMARK_LINES = 5
_TRANSCRIPT_SHARE = 3  # a transcript has this many times more `Name: text` lines than turns with names in capitals


@dataclass(frozen=True, slots=True)
class Screenplay:
    """A screenplay's scenes, and how many lines of the web page around it were left out."""

    scenes: tuple[Scene, ...]
    web_lines: int


def read_screenplay(name: str, text: str, config: ScreenplayConfig | None = None) -> tuple[Scene, ...]:
    """Return the scenes of a raw screenplay: see `parse_screenplay`."""
    return parse_screenplay(name, text, config).scenes


def parse_screenplay(name: str, text: str, config: ScreenplayConfig | None = None) -> Screenplay:
    """Read a raw screenplay; `name` is its path, for messages, and Fountain is known by it.

    Fountain is read by its marks, FDX and TEI by their tags; what follows is about other texts. What a saved web page has
    around the script is left out, and garbled characters are repaired. The layout (columns of cues, speech and action; blank
    lines; colons) is inferred for each script. Parentheticals stay in `raw_text` only. Text before the first heading is a
    scene with the heading "" if it has speech or prose. In a script without INT and EXT, lines such as `Scene 3` and `BARN,
    NIGHT` are headings. If nearly all speech has the form `Name: text`, names need not be in capitals. Runs in linear time.

    Raises:
        SourceError: the script has no usable headings (see `ScreenplayConfig`), or no dialogue.
    """
    config = config or ScreenplayConfig()
    if find_root(text):
        return Screenplay(_finish(name, read_tagged(name, text), config), 0)
    text = _repair(text)
    if (builder := build_scenes(read_fountain(text, sure=name.lower().endswith(".fountain")))).turns:
        return Screenplay(_finish(name, builder, config), 0)
    lines, web_lines = drop_web_page(read_lines(text))
    lines = part_columns(mend_headings(lines))
    kinds, strict = sort_lines(lines)
    read_cue = cache(lambda body: None if is_broken_off(body) else parse_cue(body))
    cues = [
        read_cue(line.body) if kind == "t" and len(line.body) < _MAX_CUE else None
        for line, kind in zip(lines, kinds, strict=True)
    ]
    script = Script(lines, kinds, cues)
    inline = _find_inline_cues(script)
    layout = infer_layout(script, len(inline), config)
    recover_spoken_numbers(script, layout)
    for number in wrapping.find_wrapped_headings(script, layout.established):
        kinds[number] = "w"
    add_late_cues(script, layout)
    builder = _assemble(script, strict, inline if layout.inline else {}, layout)
    transcript = _find_transcript_cues(script, config)
    if len(transcript) > _TRANSCRIPT_SHARE * builder.turns:
        builder = _assemble(script, strict, transcript, layout)
    return Screenplay(_finish(name, builder, config), web_lines)


def _finish(name: str, builder: SceneBuilder, config: ScreenplayConfig) -> tuple[Scene, ...]:
    _check_headings(name, [scene.words for scene in builder.scenes], config)
    scenes = builder.finish()
    if not builder.turns:
        raise SourceError(
            f"{name}: {len(scenes):,} scene(s) and no dialogue; expected names in capitals on lines of their own with the speech "
            "below, or lines `NAME: text`. Is this a treatment? Add the dialogue or remove the unit"
        )
    return scenes


def _repair(text: str) -> str:
    """Break a page of HTML into lines, repair garbled characters, and blank out bullets that scanning has left before lines."""
    if len(_LINE_END.findall(text)) > text.count("\n"):
        text = _LINE_END.sub("\n", text)
    text = decode_escapes(text)
    return text if text.isascii() else _BULLET.sub(r"\1 ", repair_mojibake(text))


def _find_inline_cues(script: Script, any_case: bool = False) -> InlineCues:
    """Return the cues of the `NAME: text` lines; `any_case` allows `Name: text`."""
    found: InlineCues = {}
    for number, line in enumerate(script.lines):
        if script.kinds[number] == "t" and ":" in line.body[:60] and (match := _INLINE.match(line.body)) is not None:
            label = match[1].upper() if any_case and match[1][:1].isupper() else match[1]
            if label.strip() and (cue := parse_cue(label)) is not None:
                found[number] = (cue, match.end())
    return found


def _find_transcript_cues(script: Script, config: ScreenplayConfig) -> InlineCues:
    """Return the `Name: text` lines of speakers with several such lines, as transcripts of shows write them."""
    found = _find_inline_cues(script, any_case=True)
    counts = Counter(name for cue, _ in found.values() for name in cue.names)
    known = {name for name, count in counts.items() if count >= config.min_cue_count}
    return {number: (cue, start) for number, (cue, start) in found.items() if known.issuperset(cue.names)}


def _assemble(script: Script, strict: set[int], inline: InlineCues, layout: Layout) -> SceneBuilder:
    lines, kinds, cues = script.lines, script.kinds, script.cues
    builder = SceneBuilder()
    numbered = are_numbered_behind([line.body for line, kind in zip(lines, kinds, strict=True) if kind == "h"])
    strict_index = -1
    after_furniture = 0  # blank lines before furniture; they count for the next line too
    remark, remark_start = False, 0
    odd: range | None = None  # the lines of a speech in an unusual place
    for number, line in enumerate(lines):
        kind, cue = kinds[number], cues[number]
        if kind == "h":
            strict_index += number in strict
            builder.open_scene(strip_scene_numbers(line.body, numbered), strict_index)
        elif kind == "w":
            builder.scenes[-1].heading += f" {strip_scene_numbers(line.body)}"
        elif kind == "f":
            after_furniture += line.gap
        elif kind == "x":
            builder.close_speech()
        if kind not in "st":
            continue
        gap, after_furniture = line.gap + after_furniture, 0
        if kind == "s":
            builder.add_action(line._replace(body=strip_shot_numbers(line.body)), starts_paragraph=True)
            continue
        if remark and builder.cue is not None and number - remark_start < _MAX_REMARK_LINES:
            remark = ")" not in line.body
            builder.add_speech(line, remark=True)
            continue
        remark = False
        if odd is not None:
            if number in odd:
                builder.add_speech(line, remark=line.body[0] == "(")
                continue
            builder.close_speech()
            odd = None
        if number in inline:
            cue, start = inline[number]
            label = line.body[:start]
            builder.open_speech(line._replace(raw=label, body=label.strip()), cue)
            builder.add_speech(line._replace(body=line.body[start:]))
        elif cue is not None and not inline and _opens_speech(number, cue, builder, script, layout):
            builder.open_speech(line, cue)
            unclosed = "(" in line.body and ")" not in line.body
            remark, remark_start = unclosed and any(")" in near.body for near in lines[number + 1 : number + 3]), number
        elif cue is not None and not inline and (odd := placement.find_odd_speech(number, script, layout)) is not None:
            builder.open_speech(line, cue)
        elif builder.cue is not None and _goes_on(number, gap, builder, script, layout):
            remark, remark_start = line.body[0] == "(" and ")" not in line.body, number
            block = " ".join(near.body for near in script.find_block(number, _MAX_REMARK_LINES))
            remark = remark and _CLOSED.match(block) is not None
            builder.add_speech(line, remark=line.body[0] == "(")
        else:
            told = builder.action[-1] if builder.action and len(builder.scenes) > 1 else ""
            builder.add_action(line, gap > 0 and not wrapping.goes_on(told, line.body))
    return builder


def _opens_speech(number: int, cue: SpeakerCue, builder: SceneBuilder, script: Script, layout: Layout) -> bool:
    known = not layout.established or cue.key in layout.established
    if not placement.is_cue(number, script, layout) or not (known or placement.may_interrupt(builder, layout)):
        return False
    return len(builder.scenes) > 1 or not placement.is_title(number, script, layout)


def _goes_on(number: int, gap: int, builder: SceneBuilder, script: Script, layout: Layout) -> bool:
    """Tell whether a line goes on with the open speech."""
    usual = placement.continues_speech(builder, script.lines[number], gap, layout)
    if layout.speech_column is not None or not builder.speech:
        return usual
    if gap:
        return usual or placement.resumes_speech(number, script)
    return not placement.ends_unparted_speech(number, script, layout, ends=not usual)


def _check_headings(name: str, sizes: Sequence[int], config: ScreenplayConfig) -> None:
    """Refuse a script with so few headings that it would become one giant scene."""
    total, found, largest = sum(sizes), len(sizes) - 1, max(sizes)
    too_few = found == 0 or total > found * config.max_mean_scene_words
    if not too_few and (total < config.max_scene_words or largest <= config.max_scene_share * total):
        return
    raise SourceError(
        f"{name}: no usable scene headings: {found:,} in {total:,} words, the largest scene has {largest:,}; expected "
        "lines such as `INT. KITCHEN - DAY`, `EXT BEACH`, `12 INTERIOR - HALL`, `Scene 3`, and scenes of at most "
        f"{config.max_mean_scene_words:,} words on average. Add headings to the script or remove the unit"
    )
