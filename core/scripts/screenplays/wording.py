"""Tells by its words whether a text is spoken or told."""

import re
from collections.abc import Iterable

_QUOTED = re.compile(r"[\"“][^\"”]*(?:[\"”]|$)")
_SPOKEN = re.compile(
    r"\bI(?:['’](?:m|ll|ve|d))?\b(?!\.)"
    r"|\b(?:me|my|mine|myself|you|your|yours|yourself|you['’](?:re|ll|ve|d)|we['’](?:re|ll|ve|d)|let['’]s|gonna|ma['’]am)\b"
)
_ADDRESSED = re.compile(r"\b(?:Me|My|Mine|You|Your|Yours|You['’](?:re|ll|ve|d)|We['’](?:re|ll|ve|d)|Let['’]s|Don['’]t)\b")
_MAX_CALL_WORDS = 6  # a short text that ends with a question mark is a question; action rarely asks
_MAX_SHOUT_WORDS = 3
_STAGE = (
    "smiles|laughs|nods|shrugs|sighs|grins|looks|turns|glances|stares|walks|sits|stands|exits|enters|steps|leans|points|gestures"
    "|shakes|takes|grabs|puts|pulls|pushes|reaches|opens|closes|moves|runs|starts|stops|pauses|watches|rolls|kisses|hugs|crosses"
    "|throws|drops|raises|lifts|picks|holds|hands|rises|leaves|hangs|follows|continues|begins|waits|chuckles"
    "|giggles|winks|waves|frowns|blushes|ignores|notices|sees|listens|tries|pours|lights|jumps|falls|heads|storms"
    "|rushes|checks|knocks|slams"
)
_TOLD = re.compile(
    rf"(?P<name>[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*)?)(?: (?:then|just|quickly|slowly|suddenly|finally))? (?:{_STAGE})\b"
)


def sounds_spoken(text: str) -> bool:
    """Tell whether somebody says a text: it has `I` or `you` outside quotes, or is a short question or shout."""
    if text[:1].islower():
        return False
    bare = _QUOTED.sub(" ", text) if text[:1] not in '"“' else text
    if _SPOKEN.search(bare) is not None or _ADDRESSED.search(bare) is not None:
        return True
    words = bare.count(" ") + 1
    end = bare.rstrip()[-1:]
    return (end == "?" and words <= _MAX_CALL_WORDS) or (end == "!" and words <= _MAX_SHOUT_WORDS)


def sounds_told(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text tells what somebody does, such as `Anna laughs.`; `names` are known, in capitals."""
    match = _TOLD.match(text)
    told = match is not None and not {match["name"].upper(), match["name"].partition(" ")[0].upper()}.isdisjoint(names)
    return told and not sounds_spoken(text)
