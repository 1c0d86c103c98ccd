"""Members of a zip archive that cannot be read, or would be written outside of its folder where somebody unpacks it."""

import re
import stat
import zipfile
from collections import Counter

COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Compression methods that are unpacked. With others, zipfile may expand a few bytes to gigabytes in a single read."""

_ENCRYPTED = 0x1 | 0x40
"""Bits of a zip member's flags: encrypted, and strongly so."""

_PATCH = 0x20
"""Bit of a zip member's flags: it holds changes to another file, which zipfile cannot apply."""

_LEAVING = re.compile(r"^[/\\]|^[A-Za-z]:|\\|\0|(?:^|/)\.\.(?:/|$)")
"""What no name within a folder has: a root or a drive before it, a backslash, NUL, a part that goes up."""


def find_faults(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the members of an archive that are not read, by name, with the reason."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    counts = Counter(member.filename.strip("/") for member in members)
    found = {member.filename.rstrip("/"): _find_fault(member, counts[member.filename.strip("/")]) for member in members}
    return {name: f"{name} {fault}" for name, fault in found.items() if fault}


def _find_fault(member: zipfile.ZipInfo, count: int) -> str:
    if _LEAVING.search(member.orig_filename):
        return f"is called {member.orig_filename!r} in its archive, which is no name within a folder; pack it again under another"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link in its archive; expected a file: pack what it leads to in its place"
    if member.flag_bits & _ENCRYPTED:
        return "is encrypted in its archive; expected no password: pack it again without one"
    if member.flag_bits & _PATCH:
        return "is a patch of another file in its archive; expected a whole file: pack it again"
    return f"is one of {count} files of this name in its archive; expected one: pack it again" if count > 1 else ""
