"""Replaces characters' names by pronouns, so that vectors compare what happens; who it happens to is compared apart."""

import re
from collections.abc import Sequence

from core.scripts.cast_matching import CastConfig, bare_word
from core.scripts.genders import find_genders
from core.scripts.known_roles import match_people
from core.scripts.scenes import CastMember, Scene

_OPENING = re.compile(r"^[\"'“‘(\[]*")
_CLOSING = re.compile(r"((?:'s|’s|'S|’S)?)([\"'”’)\].,;:!?…—-]*)$")
_SOMEONE = ("someone", "someone's")


class NameMask:
    """Replaces names by `he`, `she` or `someone`, and possessives by `his`, `her` or `someone's`.

    A name is found as in `CastMatcher.mentioned`; of several windows that begin at a word, the longest is replaced.
    """

    def __init__(self, cast: Sequence[CastMember], scenes: Sequence[Scene], sentences: Sequence[str], config: CastConfig) -> None:
        """Find the genders of `cast`, and of the roles that only the cues name, in the script and its synopsis."""
        self._lengths = sorted(config.window_lengths, reverse=True)
        people, self._matcher = match_people(cast, scenes, config)
        genders = find_genders(people, scenes, sentences, self._matcher)
        self._pronouns = {member: ("he", "his") if odds > 0 else ("she", "her") for member, odds in genders.items()}

    def __call__(self, text: str, /) -> str:
        """Return the text with every name replaced. Its first letter is a capital, and white space becomes one blank."""
        words = text.split()
        bare = [bare_word(word) for word in words]
        named = [word[:1].isupper() for word in bare]
        masked: list[str] = []
        at = 0
        while at < len(words):
            for length in self._lengths:
                end = at + length
                if end <= len(words) and all(named[at:end]):
                    member = self._matcher.match(" ".join(bare[at:end]))
                    if member is not None:
                        masked.append(self._replace(words[at], words[end - 1], member))
                        break
            else:
                masked.append(words[at])
                end = at + 1
            at = end
        joined = " ".join(masked)
        return joined[:1].upper() + joined[1:]

    def _replace(self, first: str, last: str, member: int) -> str:
        """Return the pronoun of a member with the punctuation around the name; `first` and `last` are the name's words."""
        opening, closing = _OPENING.search(first), _CLOSING.search(last)
        plain, possessive = self._pronouns.get(member, _SOMEONE)
        owns = closing is not None and bool(closing[1])
        return f"{opening[0] if opening else ''}{possessive if owns else plain}{closing[2] if closing else ''}"
