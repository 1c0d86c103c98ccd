"""Tables as a pipe and a terminal of 80 columns get them, and text that tries to drive either."""

import re
from contextlib import redirect_stdout
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from flows.cli.tables import print_table, show_plain

PATH = f"s3://bucket/{'a-long-folder/' * 20}file"


class Terminal(StringIO):
    """Standard output of somebody who looks at it."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name, value in {"COLUMNS": "80", "LINES": "25", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def print_path() -> None:
    print_table(["state", "where"], ["rows"], [("ok", PATH, "1,000"), ("ok", "short", "2")], {"ok": "green"})


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS"])
def test_in_a_pipe_a_row_is_one_line_without_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "1")
    print_path()
    heading, first, second = capsys.readouterr().out.splitlines()
    assert heading.split() == ["state", "where", "rows"]
    assert first == f"ok     {PATH}  1,000"
    assert second.endswith("      2")
    assert len(second) == len(first)


def test_on_a_terminal_long_text_is_wrapped_and_nothing_is_cut(terminal: Terminal) -> None:
    with redirect_stdout(terminal):
        print_path()
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())
    assert shown != terminal.getvalue()
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in shown
    assert "".join(line.removeprefix("ok").removesuffix("1,000").strip() for line in lines[1:-1]) == PATH


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[bold red]asked[/] [link=http://x]for[/link] :skull:", "[bold red]asked[/] [link=http://x]for[/link] :skull:"),
        ("\x1b[2Jgone\x07", "\ufffd[2Jgone\ufffd"),
        ("two\r\nlines\tand a tab", "two lines and a tab"),
        ("\u202ereversed", "\ufffdreversed"),
        ("a half \ud800", "a half \ufffd"),
    ],
)
def test_text_from_outside_is_shown_and_not_obeyed(capsys: pytest.CaptureFixture[str], text: str, shown: str) -> None:
    print_table(["reason"], ["chunks"], [(text, "1")])
    assert capsys.readouterr().out.splitlines()[1] == f"{shown}{' ' * max(0, 6 - cell_len(shown))}       1"


@given(st.text(st.characters(), max_size=40))
def test_shown_text_is_one_line_that_can_be_written(text: str) -> None:
    shown = show_plain(text)
    shown.encode()  # raises where a surrogate is left
    assert len(shown.splitlines()) <= 1
    assert "\x1b" not in shown
