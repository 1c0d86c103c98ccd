"""A small source that lies in every kind of place, and what a source gives of it."""

from infra.sources.folder import FolderSource

FILES = {"transcripts/C1E001 one.txt": b"first", "recaps/C1E001_é.md": b"second!"}


def read_contents(source: FolderSource) -> dict[str, bytes]:
    """Return what a source gives for each file that it lists, at most 100 bytes."""
    return {file.path: source.read(file, 100) for file in source.list_files()}
