"""Tables for people: they wrap on a terminal, are whole in a pipe, and show text from outside as it is."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

_WIDE = 1_000_000
"""Columns of the console that a pipe gets: wider than any row, so that nothing is wrapped or cut."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, characters that change the direction of the text, and halves of surrogate pairs."""


def print_table(
    texts: Sequence[str], numbers: Sequence[str], rows: Iterable[Sequence[str]], styles: Mapping[str, str] | None = None
) -> None:
    """Print rows under these headings: columns of text, then columns of numbers, which are right-aligned.

    The table is as wide as the terminal, or in a pipe as wide as its rows and without colours. A cell is one line of plain text:
    markup such as `[bold]` is shown and not interpreted. `styles` are Rich's by the text of a row's first cell.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in texts:
        table.add_column(heading, overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True, overflow="fold")
    for first, *others in rows:
        table.add_row(Text(show_plain(first), style=(styles or {}).get(first, "")), *(Text(show_plain(cell)) for cell in others))
    if sys.stdout.isatty():
        Console().print(table)
        return
    console = Console(width=_WIDE, color_system=None, force_terminal=False)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().removesuffix("\n").split("\n"):
        print(line.rstrip())


def print_figures(figures: Mapping[str, object]) -> None:
    """Print nested figures: a row each, named by the path to it, as in `oracle.exact.rouge1`. Missing ones are left out."""
    print_table(["figure"], ["value"], _list_figures(figures, ""))


def print_result(found: Mapping[str, object], as_json: bool) -> None:
    """Print figures as JSON, or for a person."""
    if as_json:
        print(json.dumps(found))
    else:
        print_figures(found)


def tell_refused(refused: Iterable[str]) -> None:
    """Name on standard error what was refused."""
    for reason in refused:
        print(show_plain(f"refused  {reason}"), file=sys.stderr)


def show_plain(text: str) -> str:
    """Return text as one line that cannot drive a terminal: white space becomes a space, control characters U+FFFD."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", re.sub(r"[\t\n\r]+", " ", text))


def _list_figures(figures: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _list_figures(value, f"{prefix}{name}.")
        elif value is not None:
            yield prefix + name, f"{value:.4f}" if isinstance(value, float) else str(value)
