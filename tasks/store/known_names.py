"""The ids that a store knows of a pipeline: what a name on the command line means, and which texts a unit has."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.dataset.takedown import identify, is_forum_id, split_row
from core.dataset.units import find_nearest
from core.errors import ConfigError
from core.people.pseudonyms import UNKNOWN_AUTHOR, pseudonymise
from core.references import UnitReference
from infra.pseudonym_key import find_pseudonym_keys, identify_key, read_pseudonym_key
from infra.store.catalog import find_pipeline_of, list_cataloged, read_catalog
from infra.store.history import read_history
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import find_latest
from infra.store.takedown import list_names
from tasks.frame.ledger import UNITS, units_key
from tasks.frame.pipeline import Pipeline
from tasks.frame.planning_again import list_contents
from tasks.frame.taken_down import read_named

_MENTION = re.compile(r"@|/?u(?:ser)?/", re.IGNORECASE)
"""What stands before an author's name where people write of him."""
SMALL_BYTES = 1024
"""Smaller files do not identify a unit, unless they are its text: several units may have the same placeholder or cast."""


@dataclass(frozen=True, slots=True)
class _Released:
    """What the latest releases name, by identity: rows and comments with their posts, people, and comments by their own ids."""

    ids: dict[str, str]
    comments: dict[str, list[str]]


@dataclass(frozen=True)
class KnownNames:
    """The datasets of a pipeline in a store, and the ids of all units that they hold, held, or wait for, by identity.

    `names_people`: the pipeline's data name people by pseudonyms.
    """

    store: Store
    pipeline: str
    datasets: tuple[str, ...]
    units: dict[str, str]
    names_people: bool = False

    def resolve(self, names: Sequence[str], force: bool = False) -> list[str]:
        """Return what names on the command line mean: ids of units, rows and comments as the store spells them, and pseudonyms.

        What the store knows by a name comes first. Where data name people, any other name is a person's: it is hashed at once,
        and stands in no answer and no error.
        """
        found: dict[str, None] = {}
        unknown: list[str] = []
        for name in names:
            known = self._find(name)
            if not known and (force or self.hides(name)):
                person = self._name_person(name, make=force)
                known = [person] if force or person in {*self._released.ids.values()} - {UNKNOWN_AUTHOR} else []
            if UNKNOWN_AUTHOR in known:
                raise ConfigError(
                    f"{UNKNOWN_AUTHOR} stands for every author whom the source does not name; name a post or a comment"
                )
            found |= dict.fromkeys(known)
            if not known:
                unknown.append(self._describe(name))
        if unknown:
            has = ", ".join(self.datasets) or f"none of {self.pipeline}: check --store and --pipeline"
            raise ConfigError(
                f"store {self.store.url} knows {'; '.join(unknown)}. Datasets that were searched: {has}. Correct the id; "
                "--force adds one that the store does not know yet"
            )
        return list(found)

    def resolve_listed(self, names: Sequence[str]) -> list[str]:
        """Return the ids on the takedown list that names mean; a name that none has stays, or becomes a pseudonym."""
        listed = {identify(name): name for name in list_names(self.store, self.pipeline)}
        found: dict[str, None] = {}
        for name in names:
            identity = identify(name)
            alone = identity.removeprefix("t1-") if identity.startswith(("t1-", "unnamed-")) else None
            comments = [listed[each] for each in listed if alone and each.endswith(f"-{alone}")]
            found |= dict.fromkeys([listed[identity]] if identity in listed else comments or [self._name_person(name)])
        return list(found)

    def hides(self, name: str) -> bool:
        """Tell whether a name is a person's, which nobody may see."""
        return self.names_people and not is_forum_id(name)

    def describe_unknown(self, name: str) -> str:
        """Return what an id that `resolve` returned will keep out of later releases, "" where the store knows it."""
        if self._find(name):
            return ""
        if not self.names_people:
            return f"{name}: the store does not know it; it keeps out a unit or row of this id, in any spelling, and nothing else"
        what = (
            "the posts and comments of the author with this pseudonym"
            if identify(name).startswith("author-")
            else ("a post, dialogue or comment of this id, in any spelling")
        )
        return f"{name}: the latest release does not name it; it keeps out {what}, under this machine's key, and nothing else"

    def _name_person(self, name: str, make: bool = False) -> str:
        """Return the pseudonym of a plain name (`Name`, `u/Name`, `@Name`); other ids as they are.

        A store without a key names nobody yet, unless one is to be made.
        """
        if not self.hides(name):
            return name
        keys = [read_pseudonym_key(self.store)] if make else find_pseudonym_keys(self.store)
        return pseudonymise(_MENTION.sub("", name.strip(), 1), keys[0]) if keys else UNKNOWN_AUTHOR

    def _find(self, name: str) -> list[str]:
        """Return what the store knows by a name: one id, or a comment's ids in all posts that have one of this id."""
        identity = identify(name)
        if unit := self.units.get(identity):
            return [unit]
        if self.names_people or any(identify(start) in self.units for start in split_row(name)):
            if known := self._released.ids.get(identity):
                return [known]
            return self._released.comments.get(identity, [])
        return []

    @cached_property
    def _released(self) -> _Released:
        """What the latest releases name; read when first asked for."""
        ids: dict[str, str] = {}
        comments: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for dataset in self.datasets:
            latest = find_latest(self.store, dataset)
            if latest is None or latest.manifest is None:
                continue
            for file in latest.manifest.tables:
                for row in read_named(self.store, f"{release_key(dataset, latest.version)}/{file.path}"):
                    parts = {f"{unit}_{each}": each for unit in row.units for each in row.comments if each not in row.units}
                    parts |= {name: name.removeprefix(f"{unit}_") for unit in row.units for name in (row.id,) if name != unit}
                    ids |= {identify(name): name for name in (row.id, *row.units, *row.people, *parts)}
                    for name, part in parts.items():
                        comments[identify(part if part.startswith("unnamed-") else f"t1_{part}")][name] = None
        return _Released(ids, {identity: list(names) for identity, names in comments.items()})

    def find_texts(self, units: Sequence[str]) -> dict[str, list[str]]:
        """Return the SHA-256 of the landed files that tell each of these units from all others; none where it never landed.

        A person is told by the key that makes the pseudonym: with another one the list would mean nobody.
        """
        wanted = set(units)
        owners: dict[str, set[str]] = defaultdict(set)
        found: dict[str, list[tuple[str, bool, UnitReference]]] = defaultdict(list)
        for dataset in self.datasets:
            for entry in read_catalog(self.store, dataset).values():
                if entry.reference is None:
                    continue
                members = (entry.unit,) if identify(entry.unit) in self.units else ()
                for unit, sums in list_contents(entry.reference, members).items():
                    for place, sha256 in enumerate(sums):
                        owners[sha256].add(unit)
                        if unit in wanted:
                            found[unit].append((sha256, place == 0, entry.reference))
        folders = {reference.unit for files in found.values() for _, _, reference in files}
        landed = (entry for folder in folders for entry in self.store.list_objects(f"landing/{self.pipeline}/{folder}"))
        sizes = {entry.key.split("/")[3]: entry.size for entry in landed}
        keys = [identify_key(key) for key in find_pseudonym_keys(self.store)[:1]] if self.names_people else []
        people = {name: keys for name in units if keys and identify(name).startswith("author-")}
        return people | {
            unit: sorted(
                {
                    sha256
                    for sha256, text, _ in files
                    if len(owners[sha256]) == 1 and (text or sizes.get(sha256, SMALL_BYTES) >= SMALL_BYTES)
                }
            )
            for unit, files in found.items()
        }

    def _describe(self, name: str) -> str:
        if self.hides(name):
            return "no id and no author of the name that was given: its pseudonym does not stand in the latest release"
        unit = next((unit for start in split_row(name) if (unit := self.units.get(identify(start)))), "")
        rows = [row for row in self._released.ids.values() if unit and identify(row).startswith(identify(unit))]
        people = self._released.ids.values() if self.names_people else ()
        near = find_nearest(name, rows or [*self.units.values(), *people])
        meant = f" (did you mean {' or '.join(near)}?)" if near else ""
        return f"no unit or row {name!r}{meant}"


def read_names(store: Store, pipeline: Pipeline) -> KnownNames:
    """Return what a store knows of a pipeline: units of the last run's sources and of all releases, and its takedown list."""
    datasets = tuple(name for name in list_cataloged(store) if find_pipeline_of(store, name) == pipeline.name)
    units: dict[str, str] = {}
    for dataset in datasets:
        listed = store.read_derived(units_key(dataset), UNITS)
        for unit in (*read_history(store, dataset).splits, *(listed.units if listed is not None else ())):
            units[identify(unit)] = unit
    for name in list_names(store, pipeline.name):
        units.setdefault(identify(name), name)
    return KnownNames(store, pipeline.name, datasets, units, pipeline.names_people)
