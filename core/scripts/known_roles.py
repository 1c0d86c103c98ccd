"""Remembers who is whose wife or boss, and who is a detective, as a synopsis and its script tell."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from string import capwords

from core.scripts.cast_matching import CastConfig, CastMatcher
from core.scripts.person_words import INVERSE_ROLES, NOUN_GENDERS, ROLE_NOUNS, find_role_word
from core.scripts.recall import Recall
from core.scripts.scenes import CastMember, Scene
from core.scripts.sentence_names import JOINTS, Name, bare, is_owner

_ARTICLES = frozenset({"a", "an", "the"})
_ANYBODY = frozenset({"man", "woman", "boy", "girl", "guy", "lady", "gentleman", "kid", "child", "teenager", "stranger"})
_AFTER = 7  # words after a name that are searched for its role


def list_people(cast: Sequence[CastMember], scenes: Sequence[Scene], matcher: CastMatcher) -> tuple[CastMember, ...]:
    """Return the cast, and after it those whom only the script's cues name, by their role: WAITRESS, SECOND DETECTIVE."""
    cues = Counter(speaker for scene in scenes for turn in scene.turns for speaker in turn.speakers)
    roles = [capwords(cue) for cue in cues if find_role_word(cue) and matcher.match(cue) is None]
    return (*cast, *map(CastMember, dict.fromkeys(roles)))


def match_people(
    cast: Sequence[CastMember], scenes: Sequence[Scene], config: CastConfig
) -> tuple[tuple[CastMember, ...], CastMatcher]:
    """Return the people of `list_people`, and a matcher of their names. Without a cast there is nobody."""
    matcher = CastMatcher(cast, config)
    people = list_people(cast, scenes, matcher) if cast else ()
    return people, CastMatcher(people, config, len(cast)) if len(people) > len(cast) else matcher


@dataclass(slots=True)
class KnownRoles:
    """Relations (by owner and noun: whose wife is who) and occupations (by noun) of people."""

    cast: Sequence[CastMember]
    relations: dict[tuple[int, str], int] = field(default_factory=dict)
    titles: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def learn_cast(self) -> None:
        """Learn the roles that stand in place of a name: `Coroner`, `Immigration Clerk`."""
        for place, member in enumerate(self.cast):
            words = member.name.split()
            if (role := find_role_word(member.name)) and len(words) <= 2 and not any(map(is_owner, words)):
                self.titles[role][place] += 1

    def learn_titles(self, words: Sequence[str], names: Iterable[Name]) -> None:
        """Learn `detective John`, `John, a detective` and `John is a detective`."""
        for name in names:
            if name.start and (before := words[name.start - 1].casefold()) in ROLE_NOUNS:
                self.titles[before][name.member] += 1
            after = [word.casefold() for word in words[name.stop : name.stop + _AFTER]]
            if len(after) > 2 and after[0] in {",", "is", "was"} and after[1] in _ARTICLES:
                ends = (word for word in after[2:] if word in ROLE_NOUNS or word in JOINTS or not word.isalpha())
                if (noun := next(ends, "")) in ROLE_NOUNS:
                    self.titles[noun][name.member] += 1

    def find_title(self, noun: str, salience: dict[int, float]) -> int | None:
        """Return who is `the detective`: the last person mentioned of those known as one.

        `The boss` must have been mentioned lately, and so must `the man`, unless the cast list calls him so.
        """
        known = self.titles.get(noun, Counter())
        options = [each for each in known if each in salience or self._needs_no_mention(noun, each)]
        return max(options, key=lambda each: (salience.get(each, 0.0), known[each]), default=None)

    def _needs_no_mention(self, noun: str, member: int) -> bool:
        return noun not in INVERSE_ROLES and (noun not in _ANYBODY or find_role_word(self.cast[member].name) == noun)

    def find_related(self, owner: int, role: str, recall: Recall) -> int:
        """Return who is the owner's `role`; a stranger if nobody is known to be."""
        if (owner, role) not in self.relations:
            named = self._find_in_cast(owner, role) if owner < len(self.cast) else None
            self.relations[owner, role] = recall.add_stranger(NOUN_GENDERS.get(role, "")) if named is None else named
        return self.relations[owner, role]

    def _find_in_cast(self, owner: int, role: str) -> int | None:
        """Return the member whom the cast list calls `Anna's Mother`."""
        parts: Collection[str] = {part.casefold() for part in self.cast[owner].name.split()}
        for place, member in enumerate(self.cast):
            *first, last = member.name.split()
            if last.casefold() == role and first and is_owner(first[-1]) and bare(first[-1]).casefold() in parts:
                return place
        return None

    def relate(self, owner: int, role: str, member: int, recall: Recall) -> None:
        """Learn who is the owner's `role`, its gender, and what the owner is to that person."""
        self.relations[owner, role] = member
        recall.tell_gender(member, NOUN_GENDERS.get(role, ""))
        for inverse in INVERSE_ROLES.get(role, ()):
            gender = NOUN_GENDERS.get(inverse, "")
            if not gender or (recall.share_male(owner) > 0.5) == (gender == "m"):
                self.relations.setdefault((member, inverse), owner)
