"""From speaker labels to people: several speakers in one label, remarks, exceptions, characters and misspellings."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from html import unescape

from core.errors import ConfigError

_SEPARATOR = re.compile(r"\s*(?:[,&/+]\s*(?:and\b\s*)?|\band\b)\s*", re.IGNORECASE)
_REMARK = re.compile(r"\s*\([^()]*\)?\s*")
_EXCEPTION = re.compile(
    r"(?P<whole>[^()]*[^()\s])\s*\(?\s*\b(?:except|but|minus)\b\s+(?:for\s+)?(?P<absent>[^()]*)\)?\s*", re.IGNORECASE
)


_MAX_LABEL = 300  # characters; a longer label is no list of names and is kept whole


@dataclass(frozen=True, slots=True)
class Alias:
    """One row of an alias table: `label` stands for `speakers`, in units that match one of `units` (empty: in all)."""

    label: str
    speakers: tuple[str, ...]
    units: tuple[str, ...] = ()


def parse_alias_table(name: str, text: str) -> tuple[Alias, ...]:
    """Parse a table of aliases: tab-separated columns `label`, `speakers` and, where a row holds for some units only, `units`.

    Several speakers or units are separated by commas; a unit may be a glob (`C1E*`). Lines that begin with `#`, blank lines and a
    first row `label<TAB>speakers` are skipped.

    Raises:
        ConfigError: a line has too few or too many columns or an empty one; the message names table and line.
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
                f"{name}, line {number}: {line!r} is no alias; expected label, tab, people (commas between), and "
                "for some units only a tab and these, as in `CHRIS<TAB>CHRIS PERKINS<TAB>C1E036`"
            )
        rows.append(Alias(columns[0], speakers, _split_list(columns[2]) if len(columns) == 3 else ()))
    return tuple(rows)


def select_aliases(
    unit: str, tables: Iterable[Iterable[Alias]] = (), aliases: Mapping[str, tuple[str, ...]] | None = None
) -> dict[str, tuple[str, ...]]:
    """Collect the aliases that hold in a unit: folded label → people.

    Rows for certain units win over rows for all, later tables over earlier ones (profile, then source), and `aliases` (the user's
    configuration) over every table. The people of the tables stand for themselves, so that `Anna` and `ANNA` are one person.
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
    """Return the people whom a label names, in its order, each once; () for an empty label.

    A label is looked up as a whole first, then without remarks in parentheses, then name by name (`LAURA, SAM, AND MATT`,
    `LAURA & SAM`, `LAURA/SAM`). `ALL except SAM` becomes `ALL - SAM`, as in CRD3. A name without an alias stands for itself.
    """
    label = " ".join(unescape(label).split())
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


def fold_label(label: str) -> str:
    """Fold case and white space, by which labels do not differ."""
    return " ".join(label.split()).casefold()


def _split_list(column: str) -> tuple[str, ...]:
    return tuple(entry.strip() for entry in column.split(",") if entry.strip())
