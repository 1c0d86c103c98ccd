"""Decides by a line's position whether it is a cue, continues the open speech, or neither."""

import re

from core.scripts.screenplays.assembly import SceneBuilder
from core.scripts.screenplays.layout import Layout, Script
from core.scripts.screenplays.lines import Line
from core.scripts.screenplays.wording import sounds_spoken, sounds_told

_SENTENCE_END = re.compile(r"[.!?…\"”)-]$")
_CENTRED_LEFT, _CENTRED_RIGHT = 6, 10  # columns to the left and right of the commonest one where a cue may begin
_CREDIT = re.compile(r"\W*(?:(?:original )?(?:screen ?play|story|script)|written|directed|based (?:up)?on|by)\b", re.IGNORECASE)
_REMARK = re.compile(r"\([^()]*\)")
_MAX_ODD_SPEECH = 400  # characters
_MAX_BARE_REMARK = 40  # characters
_MAX_TOLD_LINES = 5  # below speech without a gap; so many tell action from speech
_MAX_ONE_OFF_WORDS = 4
_CLEAR_OFFSET = 4  # columns; if cue and speech are this far apart, their distance identifies them on shifted pages


def is_cue(number: int, script: Script, layout: Layout) -> bool:
    """Tell by its position and the next line whether a line that can be a cue is one."""
    lines, kinds = script.lines, script.kinds
    line, cue = lines[number], script.cues[number]
    after = number + 1
    while after < len(lines) and kinds[after] == "f":
        after += 1
    if cue is None or not script.is_text(after) or (layout.colons and not cue.colon):
        return False
    follower = lines[after]
    gap_after = follower.gap > 0 or after > number + 1
    known = cue.key in layout.established
    if follower.body[0] != "(" and not _may_begin_speech(follower, line, layout, known):
        return False
    shifted = _is_at_usual_offset(follower, line, layout)
    if known and (cue.numbered or shifted or (gap_after and _must_be_speech(line, follower, layout))):
        return True
    if layout.own_column:
        offset = line.indent - layout.cue_column
        left = _CENTRED_LEFT
        if not known and layout.cue_column - layout.speech_indent >= _CENTRED_LEFT:
            left = min(left, (layout.cue_column - layout.speech_indent) // 2)
        if -left <= offset <= _CENTRED_RIGHT or (known and offset > 0):
            return True
        if gap_after and not (layout.gap_after_cue and layout.speech_column is not None and _is_in_speech_column(line, layout)):
            return False
        return known and line.gap > 0
    if known:
        return not gap_after or layout.gap_after_cue or line.gap == 0
    if gap_after and not layout.gap_after_cue:
        return False
    return not script.is_below_text(number) and cue.key.count(" ") < _MAX_ONE_OFF_WORDS and script.cues[after] is None


def _must_be_speech(line: Line, follower: Line, layout: Layout) -> bool:
    """Tell whether the text after an established name and a blank line is speech, not action.

    It is speech if it is a parenthetical, or if it is in capitals (`ANNA`, blank line, `RUN!`) and action is not.
    """
    if follower.body[0] == "(":
        return True
    shouted = follower.body.isupper() or not any(map(str.isalpha, follower.body))
    return shouted and not layout.capital_action and follower.body[-1] in ".!?" and follower.indent <= line.indent


def find_odd_speech(number: int, script: Script, layout: Layout) -> range | None:
    """Return the lines of a speech that is not where speech usually is; None if what follows a cue is none.

    An established speaker is followed by text that somebody says, to judge by its words. Where cues have a column, so is a name
    that begins where the text does, too long for that column (`MAN'S VOICE ON THE PHONE`). A cue at the bottom of a page whose
    speech is lost has furniture below, and gets nothing.
    """
    lines, cues = script.lines, script.cues
    cue, after = cues[number], number + 1
    if cue is None or len(cue.names) > 1 or not script.is_text(after) or cues[after] is not None or layout.colons:
        return None
    line, follower = lines[number], lines[after]
    wide = layout.own_column and line.gap > 0 and not follower.gap and line.indent == follower.indent
    if (cue.key not in layout.established and not wide) or script.is_below_text(number):
        return None
    stop = after + 1
    while script.is_text(stop):
        gap, next_cue = lines[stop].gap, cues[stop]
        if next_cue is not None and (gap or next_cue.key in layout.established):
            break
        if gap and (gap > follower.gap or _SENTENCE_END.search(lines[stop - 1].body) is not None):
            break
        stop += 1
    bodies = [each.body for each in lines[after:stop]]
    if sum(map(len, bodies)) > _MAX_ODD_SPEECH:
        return None
    text = _REMARK.sub(" ", " ".join(bodies)).strip()
    return range(after, stop) if text and sounds_spoken(text) else None


def is_title(number: int, script: Script, layout: Layout) -> bool:
    """Tell whether a line before the first heading that can be a cue is a title: credits are below it, and not as its speech."""
    line, *below = script.lines[number : number + 3]
    in_column = layout.speech_column is not None and _is_at_usual_offset(below[0], line, layout)
    return not in_column and any(_CREDIT.match(each.body) is not None for each in below)


def resumes_speech(number: int, script: Script) -> bool:
    """Tell whether a line below a blank one goes on with the speech above, where no column says so.

    It does if a sentence runs on in small letters, if it is a short remark alone with more speech below (`(then)`), or if it
    sounds spoken below such a remark.
    """
    line, above, told = script.lines[number].body, script.lines[number - 1].body, script.kinds[number - 1] == "t"
    if told and line[0].islower() and above[-1].isalnum():
        return True
    if told and above[0] == "(" and above[-1] == ")" and line[0] != "(":
        return sounds_spoken(line)
    if len(line) > _MAX_BARE_REMARK or line[0] != "(" or line[-1] != ")" or "(" in line[1:]:
        return False
    return script.is_text(number + 1) and not script.lines[number + 1].gap


def ends_unparted_speech(number: int, script: Script, layout: Layout, ends: bool) -> bool:
    """Tell whether action begins at a line right below speech, in a script where no column and no blank line says so.

    `ends` is what the lines' widths say. Words may say otherwise: `Anna laughs.` below a sentence is action, and what has `I` or
    `you` is speech.
    """
    body = script.lines[number].body
    if not body[0].isupper() or body.isupper() or _SENTENCE_END.search(script.lines[number - 1].body) is None:
        return ends
    bodies = [each.body for each in script.find_block(number, _MAX_TOLD_LINES)]
    if not ends:
        return sounds_told(" ".join(bodies), layout.name_words)
    too_wide = layout.speech_width is not None and max(map(len, bodies)) > layout.speech_width + 4
    return too_wide or not sounds_spoken(" ".join(bodies))


def may_interrupt(builder: SceneBuilder, layout: Layout) -> bool:
    """Tell whether a speaker who is not established may begin here.

    Such a speaker may not begin before the first heading, since title pages are in capitals. If cues have no column of their own,
    such a speaker may not begin in mid-sentence either.
    """
    anywhere = layout.own_column or builder.cue is None or not builder.speech
    return len(builder.scenes) > 1 and (anywhere or _SENTENCE_END.search(builder.speech[-1].body) is not None)


def continues_speech(builder: SceneBuilder, line: Line, gap: int, layout: Layout) -> bool:
    """Tell whether a line belongs to the open speech; `gap` is the number of blank lines before the line."""
    speech = builder.speech
    if line.body[0] == "(" and (gap == 0 or not speech):
        return True
    if layout.speech_column is not None:
        if builder.words_indent is not None:
            return line.indent > builder.words_indent - layout.speech_depth / 2
        return builder.cue_line is not None and _may_begin_speech(line, builder.cue_line, layout, known=True)
    if not speech:
        return True
    last = speech[-1].body
    if gap > 0:
        return last.endswith(")") and builder.only_remarks
    if layout.capital_action and line.body.isupper() and " " in line.body and not builder.shouted:
        return False
    if layout.speech_width is None:
        return True
    # Hard-wrapped speech breaks a line only where the next word does not fit. A line that ends earlier ends the speech.
    if len(line.body) > layout.speech_width + 4:
        return False
    first_word = line.body.partition(" ")[0]
    fits = len(last) + 1 + len(first_word) <= layout.speech_width - 2
    return not (fits and _SENTENCE_END.search(last) and line.body[0].isupper() and not last.endswith(")"))


def _may_begin_speech(line: Line, cue_line: Line, layout: Layout, known: bool) -> bool:
    """Tell whether a line is where speech begins: by its column, or by its distance from an established name."""
    return _is_in_speech_column(line, layout) or (known and _is_at_usual_offset(line, cue_line, layout))


def _is_at_usual_offset(line: Line, cue_line: Line, layout: Layout) -> bool:
    """Tell whether a line is as far to the left of a cue as speech usually is. This works on shifted pages too."""
    offset = line.indent - cue_line.indent
    usual = layout.speech_offset
    return usual <= -_CLEAR_OFFSET and 1.5 * usual <= offset <= 0.5 * usual


def _is_in_speech_column(line: Line, layout: Layout) -> bool:
    return layout.speech_column is None or line.indent > layout.speech_column
