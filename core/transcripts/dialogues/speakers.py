"""Resolves speaker labels to people: several speakers in one label, remarks, exceptions, characters and misspellings."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from html import unescape
from itertools import chain

from core.errors import ConfigError
from core.text.decoding import compose

_SEPARATOR = re.compile(r"\s*(?:[,&/+]\s*(?:and\b\s*)?|\band\b)\s*", re.IGNORECASE)
_REMARK = re.compile(r"\s*(?:\([^()]*\)?|\[[^\[\]]*\]?)\s*")
_EXCEPTION = re.compile(
    r"(?P<whole>[^()]*[^()\s])\s*\(?\s*\b(?:except|but|minus)\b\s+(?:for\s+)?(?P<absent>[^()]*)\)?\s*", re.IGNORECASE
)


_MAX_LABEL = 300  # characters; a longer label is not a list of names and is kept whole


@dataclass(frozen=True, slots=True)
class Alias:
    """One row of an alias table: `label` stands for `speakers` in the units that match one of `units`; () means all units."""

    label: str
    speakers: tuple[str, ...]
    units: tuple[str, ...] = ()


def parse_alias_table(name: str, text: str) -> tuple[Alias, ...]:
    """Parse an alias table with the tab-separated columns `label`, `speakers` and, optionally, `units`.

    Commas separate several speakers or units. A unit may be a glob (`C1E*`). Blank lines, lines that begin with `#` and a first
    row `label<TAB>speakers` are skipped.

    Raises:
        ConfigError: a line has too few columns, too many, or an empty label or speaker; the message names the table and the line.
    """
    rows: list[Alias] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if not rows and [column.lower() for column in columns[:2]] == ["label", "speakers"]:
            continue
        speakers = _split_list(columns[1]) if len(columns) > 1 else ()
        if len(columns) not in (2, 3) or not columns[0] or not speakers:
            raise ConfigError(
                f"{name}, line {number}: {line!r} is not an alias; expected a label, a tab, its people (with commas between), "
                "and optionally a tab and its units, as in `CHRIS<TAB>CHRIS PERKINS<TAB>C1E036`. Correct the line"
            )
        rows.append(Alias(columns[0], speakers, _split_list(columns[2]) if len(columns) == 3 else ()))
    return tuple(rows)


def select_aliases(
    unit: str, tables: Iterable[Iterable[Alias]] = (), aliases: Mapping[str, tuple[str, ...]] | None = None
) -> dict[str, tuple[str, ...]]:
    """Collect the aliases that hold in a unit, as a map from folded labels to people.

    A row for certain units wins over a row for all units, a later table over an earlier one, and `aliases` (the user's
    configuration) over all tables. Each person in a table is an alias of themselves, so that `Anna` and `ANNA` are one person.
    """
    general: dict[str, tuple[str, ...]] = {}
    special: dict[str, tuple[str, ...]] = {}
    people: dict[str, tuple[str, ...]] = {}
    for table in tables:
        for row in table:
            people.update((fold_label(person), (person,)) for person in row.speakers)
            if not row.units:
                general[fold_label(row.label)] = row.speakers
            elif any(fnmatchcase(unit, pattern) for pattern in row.units):
                special[fold_label(row.label)] = row.speakers
    configured = {fold_label(label): tuple(speakers) for label, speakers in (aliases or {}).items()}
    return people | general | special | configured


def resolve_speakers(label: str, aliases: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the people that a speaker label names, in the label's order and each once; () for an empty label.

    The whole label is looked up first, then the label without remarks in parentheses, then each name (`LAURA, SAM, AND MATT`,
    `LAURA & SAM`, `LAURA/SAM`). `ALL except SAM` becomes `ALL - SAM`, as in CRD3. A name without an alias stands for itself.
    """
    label = " ".join(compose(unescape(label)).split())
    if (known := aliases.get(fold_label(label))) is not None:
        return known
    if len(label) > _MAX_LABEL:
        return (label,)
    exception = _EXCEPTION.fullmatch(label)
    if exception is not None and exception["absent"].strip():
        absent = resolve_speakers(exception["absent"], aliases)
        return tuple(" - ".join((person, *absent)) for person in resolve_speakers(exception["whole"], aliases))
    plain = " ".join(_REMARK.sub(" ", label).split())
    people: list[str] = []
    for name in [plain] if fold_label(plain) in aliases else _SEPARATOR.split(plain):
        people += aliases.get(fold_label(name), (name,)) if name else ()
    return tuple(dict.fromkeys(people))


def unify_spellings(speakers: Mapping[str, tuple[str, ...]], counts: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    """Give people whose names differ in case only the most frequent spelling (by `counts` of labels): MATT for `Matt`."""
    spellings: dict[str, Counter[str]] = {}
    for label, people in speakers.items():
        for name in chain.from_iterable(person.split(" - ") for person in people):
            spellings.setdefault(fold_label(name), Counter())[name] += counts[label]
    usual = {name: found.most_common(1)[0][0] for found in spellings.values() if len(found) > 1 for name in found}
    if not usual:
        return dict(speakers)
    renamed = {
        label: (" - ".join(usual.get(name, name) for name in person.split(" - ")) for person in people)
        for label, people in speakers.items()
    }
    return {label: tuple(dict.fromkeys(people)) for label, people in renamed.items()}


def split_names(label: str) -> list[str]:
    """Return the names in a label as they are written, without remarks: of `ANNA and BEN (laughing)` ANNA and BEN."""
    label = " ".join(unescape(label).split())
    if len(label) > _MAX_LABEL:
        return [label]
    exception = _EXCEPTION.fullmatch(label)
    if exception is not None and exception["absent"].strip():
        return [*split_names(exception["whole"]), *split_names(exception["absent"])]
    return [name for name in _SEPARATOR.split(" ".join(_REMARK.sub(" ", label).split())) if name]


def fold_label(label: str) -> str:
    """Fold case, white space and the composition of accents: labels that differ in these only are the same."""
    return " ".join(compose(label).split()).casefold()


def _split_list(column: str) -> tuple[str, ...]:
    return tuple(entry.strip() for entry in column.split(",") if entry.strip())
