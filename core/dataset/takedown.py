"""The takedown list: units, rows, comments and people that every later release leaves out. All matching of ids is done here."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from core.dataset.units import identify_unit

_BOUNDARY = re.compile(r"[\W_]")
_COMMENT = "t1_"
"""Reddit's prefix of comments: `t1_abc` names the comment `abc` of whatever post, `t3_post_abc` the one of this post."""
_PREFIXED_COMMENT = re.compile(r"(?<=.)-t1-")
_POST = re.compile(r"t3-[^-]+")
_FORUM_ID = re.compile(r"(t[13]|author|unnamed)-.+")


@lru_cache(maxsize=2**16)
def identify(name: str) -> str:
    """Return what all spellings of an id have in common, whatever it names: a unit, a row, a comment or a person's pseudonym.

    As `core.dataset.units.identify_unit`. A comment's prefix in the middle does not count either: `t3_post_t1_abc` is
    `t3_post_abc`.
    """
    return _PREFIXED_COMMENT.sub("-", identify_unit(name))


def is_forum_id(name: str) -> bool:
    """Tell whether a name is written as the ids of forums are: a post, a comment, a pseudonym. A person's name is not."""
    return _FORUM_ID.fullmatch(identify(name)) is not None


@dataclass(frozen=True)
class Takedown:
    """The takedown list: the reason for each id, and the SHA-256 of the texts of the units on it with their ids.

    An id names a unit, a row of a unit (a pair, a scene), a comment of a post, or a person by his pseudonym. All spellings of an
    id mean the same (`identify`).
    """

    reasons: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def identities(self) -> dict[str, str]:
        """The ids on the list by their identities."""
        return {identify(name): name for name in sorted(self.reasons)}

    @cached_property
    def has_parts(self) -> bool:
        """Whether an id may name a comment or a person of a forum, and not only posts."""
        return any(_POST.fullmatch(identity) is None for identity in self.identities)

    @cached_property
    def has_nameless(self) -> bool:
        """Whether an id may name a comment that has no id of its own in its source, or one that says a name."""
        return any("unnamed-" in identity for identity in self.identities)

    def find(self, name: str | None) -> str:
        """Return the id on the list that names the same, "" where none does."""
        return self.identities.get(identify(name), "") if name and self else ""

    def find_comment(self, post: str, comment: str) -> str:
        """Return the id on the list that names a comment, with its post or alone (`t1_abc`, `unnamed-…`); "" where none does."""
        if not self:
            return ""
        alone = comment if comment.startswith("unnamed-") else _COMMENT + comment.removeprefix(_COMMENT)
        return self.find(f"{post}_{comment}") or self.find(alone)

    def __contains__(self, name: object) -> bool:
        """Tell whether an id is on the list, in any spelling."""
        return isinstance(name, str) and bool(self.find(name))

    def __bool__(self) -> bool:
        """Tell whether anything is on the list."""
        return bool(self.reasons)

    def reason(self, name: str) -> str:
        """Return why an id is on the list; KeyError where it is not."""
        return self.reasons[self.find(name)]

    def has_grown(self, later: "Takedown") -> bool:
        """Tell whether a later state of the list has ids or texts that this one has not."""
        return bool(later.identities.keys() - self.identities.keys() or later.contents.keys() - self.contents.keys())

    def find_copies(self, contents: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Return the units that have a text of a unit on the list, each with the id that the list has.

        `contents` are the SHA-256 of each unit's files.
        """
        found = ((unit, [self.contents[each] for each in sums if each in self.contents]) for unit, sums in contents.items())
        return {unit: listed[0] for unit, listed in found if listed and unit not in self}

    def find_rows(self, members: Mapping[str, Iterable[str]]) -> dict[str, "Takedown"]:
        """Return the listed rows, by the unit or shard that contains them.

        `members` maps each shard to its small units, and any other unit to itself. A row's id begins with the id of its unit,
        followed by a character that is not a letter or digit: `C1E001_2_0_0017` is a row of `C1E001`. If several units fit, the
        one with the longest id counts.
        """
        if not self:
            return {}
        owners = {identify(member): (member, unit) for unit, names in members.items() for member in names}
        rows: dict[str, dict[str, str]] = {}
        for name, reason in sorted(self.reasons.items()):
            if identify(name) in owners:
                continue
            for start in split_row(name):
                if (owner := owners.get(identify(start))) is not None:
                    member, unit = owner
                    rows.setdefault(unit, {})[member + name[len(start) :]] = reason
                    break
        return {unit: Takedown(names) for unit, names in rows.items()}


def split_row(name: str) -> Iterator[str]:
    """Yield the beginnings of a row's id that may be the id of its unit, the longest first."""
    return (name[: place.start()] for place in reversed(list(_BOUNDARY.finditer(name))))


@dataclass(frozen=True, slots=True)
class WithheldRecord:
    """A record without what is taken down: its line (None: nothing is left), and the listed ids that it had.

    `unit`: the first of these ids takes out the whole unit, whatever other records it has.
    """

    line: bytes | None
    listed: tuple[str, ...] = ()
    unit: bool = False


@dataclass(frozen=True, slots=True)
class Withheld:
    """What a takedown list removes from a source.

    `units` are removed as a whole, each for the reason. `rows` are removed from the unit or shard that contains them. `entries`
    leave the catalog: the removed units, and shards that become empty. `used` are the ids of the list that name any of this, or a
    comment or a person of the source.
    """

    takedown: Takedown = field(default_factory=Takedown)
    units: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, Takedown] = field(default_factory=dict)
    entries: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()

    def __contains__(self, unit: object) -> bool:
        """Tell whether a unit is removed as a whole, whether the source has it or not."""
        return unit in self.takedown or unit in self.units
