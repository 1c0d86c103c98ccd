"""Opens the file of a blind sheet."""

from core.errors import ConfigError, SourceError
from core.review.blind_sheet import SheetText, read_sheet
from infra.named_files import read_named_text

WRITE_SHEET = "fabula write rooms --sheet writes one"


def open_sheet(sheet: str) -> dict[str, SheetText]:
    """Return the texts of a sheet by item; ConfigError where its file is no sheet."""
    try:
        return read_sheet(read_named_text(f"{sheet}.jsonl", "sheet", WRITE_SHEET).splitlines())
    except SourceError as error:
        raise ConfigError(f"{sheet}.jsonl is no sheet ({error}); {WRITE_SHEET}") from error
