"""A raw screenplay to its scenes."""

import re
from collections.abc import Sequence

from core.errors import SourceError
from core.scripts.scenes import Scene
from core.scripts.screenplays.assembly import SceneBuilder
from core.scripts.screenplays.config import ScreenplayConfig
from core.scripts.screenplays.cues import Cue, parse_cue
from core.scripts.screenplays.furniture import find_running_heads, is_furniture, is_transition
from core.scripts.screenplays.headings import is_fused_heading, is_heading, is_shot, is_strict_heading
from core.scripts.screenplays.layout import Layout, infer_layout
from core.scripts.screenplays.lines import Line, read_lines

_INLINE = re.compile(r"([^:\n]{1,50}?)\s{0,3}:\s{1,8}(?=\S)")
_SENTENCE_END = re.compile(r"[.!?…\"”)-]$")
_CENTRED_LEFT, _CENTRED_RIGHT = 6, 10  # columns beside the commonest one where a cue may begin
_MAX_ONE_OFF_WORDS = 4
_MAX_REMARK_LINES = 5


def read_screenplay(name: str, text: str, config: ScreenplayConfig | None = None) -> tuple[Scene, ...]:
    """Read a raw screenplay into scenes; `name` is the unit's, for messages.

    The layout (columns of cues, speech and action; blank lines; colons) is inferred per script. Page furniture and editing
    directions are dropped, parentheticals stay in `raw_text` only, action becomes narration. Text before the first heading is a
    scene with an empty heading where it has speech or prose. Linear in the length of `text`.

    Raises:
        SourceError: the script has no usable headings (see `ScreenplayConfig`), or no dialogue.
    """
    config = config or ScreenplayConfig()
    lines = read_lines(text)
    kinds, strict = _sort_lines(lines)
    cache: dict[str, Cue | None] = {}
    cues: list[Cue | None] = [None] * len(lines)
    for number, line in enumerate(lines):
        if kinds[number] == "t" and len(line.body) < 80:
            if line.body not in cache:
                cache[line.body] = parse_cue(line.body)
            cues[number] = cache[line.body]
    inline = _find_inline_cues(lines, kinds, cache)
    layout = infer_layout(lines, kinds, cues, len(inline), config)
    builder = _assemble(lines, kinds, strict, cues, inline if layout.inline else {}, layout)
    sizes = [scene.words for scene in builder.scenes]
    _check_headings(name, lines, sizes, config)
    scenes = builder.finish()
    if not builder.turns:
        raise SourceError(
            f"{name}: {len(scenes):,} scene(s) and no dialogue; expected speaker names in capitals on lines of their own (or "
            "`NAME: text`), each with its words below. Is this a treatment? Add the dialogue or remove the unit"
        )
    return scenes


def _sort_lines(lines: Sequence[Line]) -> tuple[list[str], set[int]]:
    """Give every line a letter (h heading, s shot, x transition, f furniture, t text) and return the numbers of strict headings."""
    heads = find_running_heads(list(lines))
    kinds: list[str] = []
    strict: set[int] = set()
    for number, (_, raw, body, _, _) in enumerate(lines):
        if is_strict_heading(raw):
            strict.add(number)
            kinds.append("h")
        elif is_heading(body):
            kinds.append("h")
        elif is_furniture(body) or body in heads:
            kinds.append("f")
        else:
            kinds.append("x" if is_transition(body) else "s" if is_shot(body) else "t")
    return kinds, strict


def _find_inline_cues(lines: Sequence[Line], kinds: Sequence[str], cache: dict[str, Cue | None]) -> dict[int, tuple[Cue, int]]:
    """Return the lines `NAME: text`, each with its cue and where the text begins."""
    found: dict[int, tuple[Cue, int]] = {}
    for number, line in enumerate(lines):
        if kinds[number] == "t" and ":" in line.body[:60] and (match := _INLINE.match(line.body)) is not None:
            label = match[1]
            if label not in cache:
                cache[label] = parse_cue(label) if label.strip() else None
            if (cue := cache[label]) is not None:
                found[number] = (cue, match.end())
    return found


def _assemble(
    lines: Sequence[Line],
    kinds: Sequence[str],
    strict: set[int],
    cues: Sequence[Cue | None],
    inline: dict[int, tuple[Cue, int]],
    layout: Layout,
) -> SceneBuilder:
    builder = SceneBuilder()
    strict_index = -1
    after_furniture = 0  # blank lines before furniture that the next line has before it as well
    remark, remark_start = False, 0
    for number, line in enumerate(lines):
        kind = kinds[number]
        if kind == "h":
            strict_index += number in strict
            builder.open_scene(line, strict_index)
            continue
        if kind == "f":
            after_furniture += line.gap
            continue
        if kind == "x":
            builder.close_speech()
            continue
        gap, after_furniture = line.gap + after_furniture, 0
        if kind == "s":
            builder.add_action(line, starts_paragraph=True)
            continue
        cue = cues[number]
        if remark and builder.cue is not None and number - remark_start < _MAX_REMARK_LINES:
            remark = ")" not in line.body
            builder.add_speech(line)
            continue
        remark = False
        if number in inline:
            cue, start = inline[number]
            builder.open_speech(line, cue)
            builder.add_speech(line._replace(body=line.body[start:]))
        elif (
            cue is not None
            and not inline
            and _is_cue(number, lines, kinds, cues, layout)
            and (cue.key in layout.established or not layout.established or _may_interrupt(builder, layout))
        ):
            builder.open_speech(line, cue)
        elif builder.cue is not None and builder.cue_line is not None and _continues(builder, line, gap, layout):
            remark, remark_start = line.body[0] == "(" and ")" not in line.body, number
            builder.add_speech(line)
        else:
            builder.add_action(line, gap > 0)
    return builder


def _is_cue(
    number: int, lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[Cue | None], layout: Layout
) -> bool:
    """Say whether a line that can name a speaker does, by where it stands and what follows."""
    line, cue = lines[number], cues[number]
    after = number + 1
    while after < len(lines) and kinds[after] == "f":
        after += 1
    if cue is None or after >= len(lines) or kinds[after] != "t" or (layout.colons and not cue.colon):
        return False
    follower = lines[after]
    gap_after = follower.gap > 0 or after > number + 1
    if follower.body[0] != "(" and not _is_in_speech_column(follower, line, layout):
        return False
    known = cue.key in layout.established
    if layout.own_column:
        offset = line.indent - layout.cue_column
        left = _CENTRED_LEFT
        if not known and layout.cue_column - layout.speech_indent >= _CENTRED_LEFT:
            left = min(left, (layout.cue_column - layout.speech_indent) // 2)
        if -left <= offset <= _CENTRED_RIGHT:
            return True
        return known and (line.gap > 0 or layout.relative) and not gap_after
    if known:
        return not gap_after or layout.gap_after_cue
    if gap_after and not layout.gap_after_cue:
        return False
    return (line.gap > 0 or kinds[number - 1] != "t") and cue.key.count(" ") < _MAX_ONE_OFF_WORDS and cues[after] is None


def _may_interrupt(builder: SceneBuilder, layout: Layout) -> bool:
    """Say whether a speaker who is not established may begin here.

    Not before the first heading (title pages are in capitals), nor, where cues have no column of their own, in mid-sentence.
    """
    if len(builder.scenes) == 1:
        return False
    if layout.own_column or builder.cue is None or not builder.speech:
        return True
    return _SENTENCE_END.search(builder.speech[-1].body) is not None


def _is_in_speech_column(line: Line, cue_line: Line, layout: Layout) -> bool:
    if layout.speech_column is None:
        return True
    return line.indent - (cue_line.indent if layout.relative else 0) > layout.speech_column


def _continues(builder: SceneBuilder, line: Line, gap: int, layout: Layout) -> bool:
    """Say whether a line belongs to the open speech."""
    speech = builder.speech
    if line.body[0] == "(" and (gap == 0 or not speech):
        return True
    if layout.speech_column is not None:
        return builder.cue_line is not None and _is_in_speech_column(line, builder.cue_line, layout)
    if not speech:
        return True
    last = speech[-1].body
    if gap > 0:
        return last.endswith(")") and all(spoken.body[0] == "(" or spoken.body[-1] == ")" for spoken in speech)
    if layout.capital_action and line.body.isupper() and " " in line.body and not all(said.body.isupper() for said in speech):
        return False
    if layout.speech_width is None:
        return True
    # Hard-wrapped speech breaks its lines where the next word does not fit; a line that is broken earlier ends it.
    if len(line.body) > layout.speech_width + 4:
        return False
    first_word = line.body.partition(" ")[0]
    fits = len(last) + 1 + len(first_word) <= layout.speech_width - 2
    return not (fits and _SENTENCE_END.search(last) and line.body[0].isupper() and not last.endswith(")"))


def _check_headings(name: str, lines: Sequence[Line], sizes: Sequence[int], config: ScreenplayConfig) -> None:
    """Refuse a script whose headings are so few that it would come back as one giant scene."""
    total, found = sum(sizes), len(sizes) - 1
    largest = max(sizes)
    too_few = found == 0 or total > found * config.max_mean_scene_words
    if not too_few and (total < config.max_scene_words or largest <= config.max_scene_share * total):
        return
    fused = [line for line in lines if is_fused_heading(line.body)]
    hint = f"; {len(fused):,} line(s) run a number into the heading (line {fused[0].number + 1:,}): part them" if fused else ""
    raise SourceError(
        f"{name}: no usable scene headings: {found:,} in {total:,} words, the largest scene has {largest:,}{hint}; expected lines "
        "such as `INT. KITCHEN - DAY`, `EXT BEACH`, `12 INTERIOR - HALL`, a scene having at most "
        f"{config.max_mean_scene_words:,} words on average. Add headings to the script or remove the unit"
    )
