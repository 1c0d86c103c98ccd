"""The landed files of a unit under review, for a look at what a row was made from: as text, whatever they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from infra.store.catalog import find_pipeline_of, read_catalog
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.store.takedown import read_takedown
from tasks.pipelines import find_pipeline
from tasks.store.inspect import find_entry

_PACKED = frozenset((".docx", ".pdf", ".gz", ".zip"))


@dataclass(frozen=True, slots=True)
class Original:
    """A landed file: its path in the source, its key in the store, and whether a browser can show it as text."""

    path: str
    key: str

    @property
    def ending(self) -> str:
        """How its address ends: `.txt` is shown, `.bin` is saved."""
        return ".bin" if PurePosixPath(self.path.lower()).suffix in _PACKED else ".txt"


def list_originals(store: Store, dataset: str, unit: str) -> Sequence[Original]:
    """Return the files that a unit was made from.

    There are none where a release has pseudonyms, which the files would tell, and where the unit or a row of it is taken down.
    """
    manifest, pipeline = read_manifest(store, dataset), find_pipeline_of(store, dataset)
    if manifest is None or pipeline is None or find_pipeline(pipeline).names_people:
        return ()
    if manifest.says.get("configuration", {}).get("cleaning", {}).get("pseudonyms"):
        return ()
    takedown = read_takedown(store, pipeline)
    if takedown.find(unit) or takedown.find_rows({unit: (unit,)}):
        return ()
    entry = find_entry(read_catalog(store, dataset), unit)
    if entry is None or entry.reference is None:
        return ()
    found = entry.reference
    owners = found.owners or (found.unit,) * len(found.inputs)
    return [
        Original(path, key)
        for path, key, owner in zip(found.sources, found.inputs, owners, strict=False)
        if owner == unit and not key.endswith(".zst")  # the lines of a file of records, of many units
    ]


def read_original(store: Store, original: Original) -> bytes | None:
    """Return a landed file; what a browser shows comes as UTF-8, so that nothing in it is run. None where it is gone."""
    if not store.exists(original.key):
        return None
    content = store.read(original.key)
    return content if original.ending == ".bin" else show_text(content)


def show_text(content: bytes) -> bytes:
    """Return a text as UTF-8; what is not UTF-8 is taken for windows-1252."""
    try:
        return content.decode("utf-8").encode()
    except UnicodeDecodeError:
        return content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252", "replace").encode()
