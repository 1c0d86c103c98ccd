"""Who the real people of a transcript are, which names mean them, and how pseudonyms take their place in turns and recap."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from rapidfuzz.distance import OSA

from core.dialogue import Turn
from core.people.names import Names, is_common
from core.people.pseudonyms import pseudonymise
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.label_forms import is_machine_made
from core.transcripts.dialogues.speakers import fold_label

Rows = Iterable[tuple[str, tuple[str, ...]]]
"""Labels with the people behind them."""

NOBODY = frozenset((
    "all", "everyone", "everybody", "both", "together", "group", "party", "cast", "crew", "crowd", "audience", "chorus",
    "others", "several", "player", "players", "dm", "gm", "mc", "game-master", "dungeon-master", "master", "narrator",
    "storyteller", "keeper", "referee", "host", "announcer", "voice", "voices", "man", "woman", "male", "female", "unknown",
    "unidentified", "speaker", "speakers", "sound", "sounds", "music", "offscreen", "off-screen", "offstage",
))  # fmt: skip
"""Labels that name no person: groups, the game master's office, and what is heard; also with a number behind them."""

_NUMBER = re.compile(r"[ _#-]*\d+$")
_PSEUDONYM = re.compile(r"speaker-[0-9a-f]{16}")
_WORD = re.compile(r"[^\W\d_]+")
_LINKS = frozenset((
    "al", "bin", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "ibn", "la", "le", "of", "the", "van", "von",
))  # fmt: skip
_LEAST = 3  # letters of a name that is one in small letters too
_SHORTEST_STEM = 3  # letters that two forms of a name share: MATT and MATTHEW
_SHORT = 4  # letters up to which a second slip would make another name


@dataclass(frozen=True, slots=True)
class People:
    """The people that a run or a unit knows.

    `known` are the names of people, folded, by which all units tell who is who. `owners` has for every name that stands for a
    person in texts the people whom it may mean: whole names, parts, misspellings. `given` are those by which people are called.
    """

    key: bytes
    known: frozenset[str] = frozenset()
    owners: Mapping[str, frozenset[str]] = field(default_factory=dict)
    given: frozenset[str] = frozenset()

    def hide_speaker(self, speaker: str) -> str:
        """Return what stands for a speaker: `ALL - SAM` → `ALL - speaker-…`. A label of nobody, and a pseudonym, stay."""
        return " - ".join(name if names_nobody(name) else self._stand_for(name) for name in speaker.split(" - "))

    def make_replacer(self) -> Names:
        """Return what replaces these people's names in texts. A name that may mean several people gets a pseudonym of its own."""
        stand_ins = {
            name: self._stand_for(next(iter(people)) if len(people) == 1 else name) for name, people in self.owners.items()
        }
        short = [name for name in self.given if len(name) < _LEAST]  # AL and JO only where they are written as names
        return Names(stand_ins, ordinary=short, called=self.given)

    def identify(self, name: str) -> str:
        """Return the person, folded, whom a name means: the only one of `known` whose name is longer and has all its words."""
        own = fold_label(name)
        words = {*_WORD.findall(own)}
        longer = [person for person in self.known if words < {*_WORD.findall(person)}]
        return longer[0] if words and len(longer) == 1 else own

    def _stand_for(self, name: str) -> str:
        return pseudonymise(self.identify(name), self.key, "speaker")


def know_people(key: bytes, rows: Rows, config: TranscriptsConfig) -> People:
    """Return the people whom the tables of speakers and the settings name; `rows` are the tables'."""
    rows = [*rows, *config.cleaning.aliases.items()]
    cast = (config.statistics.game_master, *config.statistics.main_cast)
    known = [name for person in chain(cast, *(people for _, people in rows)) for name in split_person(person)]
    people = People(key, frozenset(map(fold_label, known)))
    return _call(people, [(name, name, True) for name in known] + list(_find_spellings(rows)))


def meet_people(people: People, turns: Iterable[Turn], aliases: Mapping[str, tuple[str, ...]]) -> People:
    """Return the people that a unit knows: also its own speakers, and whom its labels mean, by the `aliases` that hold in it."""
    speakers = {name for turn in turns for person in turn.speakers for name in split_person(person)}
    met = _call(people, ((name, name, False) for name in sorted(speakers) if fold_label(name) not in people.known))
    here = {label: frozenset({people.identify(person)}) for label, person, _ in _find_spellings(aliases.items())}
    return replace(met, owners={**met.owners, **here})


def names_nobody(label: str) -> bool:
    """Tell whether a label names no person, or is a pseudonym already."""
    folded = fold_label(label).replace(" ", "-").removeprefix("the-")
    return (
        not _WORD.search(folded)
        or not NOBODY.isdisjoint((folded, _NUMBER.sub("", folded)))
        or is_machine_made(label)
        or _PSEUDONYM.fullmatch(label) is not None
    )


def split_person(speaker: str) -> list[str]:
    """Return the names of people in a speaker: of `ALL - SAM` SAM."""
    return [name for name in speaker.split(" - ") if name and not names_nobody(name)]


def is_spelling(label: str, person: str) -> bool:
    """Tell whether a label spells a person's name in another way; one that does not is the name of a character.

    A word of one is a word of the other, or its beginning, or differs from it by a slip of the keys and is no common word.
    """
    return any(_is_form_of(word, name) for word in _WORD.findall(fold_label(label)) for name in _WORD.findall(fold_label(person)))


def hide_settings(config: TranscriptsConfig, people: People) -> TranscriptsConfig:
    """Return settings as a release may tell them: with pseudonyms, also for labels of aliases. Hidden ones stay as they are."""
    hide = people.make_replacer().replace
    cleaning, statistics, provenance = config.cleaning, config.statistics, config.provenance

    def hide_label(label: str) -> str:
        return label if _PSEUDONYM.fullmatch(label) else pseudonymise(fold_label(label), people.key, "speaker")

    aliases = {hide_label(label): tuple(map(people.hide_speaker, found)) for label, found in cleaning.aliases.items()}
    return replace(
        config,
        cleaning=replace(cleaning, aliases=aliases, unlabelled_speaker=people.hide_speaker(cleaning.unlabelled_speaker)),
        statistics=replace(
            statistics,
            game_master=people.hide_speaker(statistics.game_master),
            main_cast=tuple(map(people.hide_speaker, statistics.main_cast)),
        ),
        filter=replace(config.filter, excluded=tuple(map(hide, config.filter.excluded))),
        provenance=replace(provenance, license=hide(provenance.license), attribution=hide(provenance.attribution)),
    )


def _call(people: People, names: Iterable[tuple[str, str, bool]]) -> People:
    """Return people with further names: each with the person whom it means, and whether it surely is a person's.

    A name of several words stands for its person as a whole and by its parts: the first one as people are called by it, the
    others where they are no common words. A label of common words alone (`MAN WITH CHICKEN`) has no parts.
    """
    owners: defaultdict[str, set[str]] = defaultdict(set, {name: {*found} for name, found in people.owners.items()})
    given = {*people.given}
    for name, person, sure in names:
        whole, who = fold_label(name), people.identify(person)
        parts = [part for part in _WORD.findall(whole) if len(part) > 1 and part not in _LINKS]
        if len(_WORD.findall(whole)) > 1 and (sure or not all(map(is_common, parts))):
            for part in parts[:1] + [part for part in parts[1:] if len(part) > 2 and not is_common(part)]:
                owners[part].add(who)
            given.update(parts[:1])
        if len(whole) > 1:  # a letter alone is no name in texts: I'm
            given.add(whole)
            owners[whole].add(who)
    for name in people.known & owners.keys():  # a whole name means its owner, even if it is part of another's name
        owners[name] = {people.identify(name)}
    return replace(people, owners={name: frozenset(found) for name, found in owners.items()}, given=frozenset(given))


def _find_spellings(rows: Rows) -> Iterable[tuple[str, str, bool]]:
    """Yield the labels that spell the name of the one person whom they stand for, with that person."""
    for label, people in rows:
        person = people[0] if len(people) == 1 else ""
        if split_person(person) == [person] and not names_nobody(label) and is_spelling(label, person):
            yield fold_label(label), person, True


def _is_form_of(word: str, name: str) -> bool:
    short, long = sorted((word, name), key=len)
    if word == name or (len(short) >= _SHORTEST_STEM and long.startswith(short)):
        return True
    allowed = 1 if len(name) <= _SHORT else 2
    return word[0] == name[0] and not is_common(word) and OSA.distance(word, name, score_cutoff=allowed) <= allowed


Replace = Callable[[str], str]


def hide_turns(turns: Iterable[Turn], hide: Replace, hide_speaker: Replace) -> tuple[Turn, ...]:
    """Return turns with hidden texts and speakers. The raw label and raw text are replaced by the hidden speakers and lines."""
    hidden = []
    for turn in turns:
        speakers = tuple(dict.fromkeys(map(hide_speaker, turn.speakers)))
        text = hide("\n".join(turn.utterances))
        lines = tuple(text.split("\n")) if text else turn.utterances
        hidden.append(replace(turn, speakers=speakers, utterances=lines, raw_label=", ".join(speakers), raw_text=text))
    return tuple(hidden)
