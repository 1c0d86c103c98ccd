import time

import pytest

from core.people.mail_headers import drop_mail_headers


@pytest.mark.parametrize(
    "line",
    [
        "On Mon, 3 Jan 2022, Greta Asker <greta@example.org> wrote:",
        "On 2022-01-03 10:15, Greta Asker\n<greta@example.org> wrote:",
        "> On Jan 3, 2022, at 9:12 PM, Greta Asker wrote:",
        "Am 03.01.2022 um 10:15 schrieb Greta Asker:",
        "From: Greta Asker",
        "*From:* Greta Asker <greta@example.org>",
        "To: Asker, Greta",
        "Cc: greta@example.org, somebody else",
        "Greta wrote:",
        "Greta Asker writes:",
    ],
)
def test_lines_of_quoted_mail_that_name_somebody_go(line: str) -> None:
    left = drop_mail_headers(f"Hello.\n{line}\n> Is it damp?")
    assert [line for line in left.split("\n") if line] == ["Hello.", "> Is it damp?"]


@pytest.mark.parametrize(
    "line",
    [
        "From: my window I see it",
        "To: do the dishes",
        "From: Home",
        "She wrote:",
        "On the wall somebody wrote:",
        "and then he wrote: it is damp",
        "My Teacher writes:",
        "To: be or not to be, that is the question",
    ],
)
def test_other_lines_stay(line: str) -> None:
    assert drop_mail_headers(f"Hello.\n{line}\nIt is.") == f"Hello.\n{line}\nIt is."


def test_it_takes_linear_time() -> None:
    long = ["On 1 " * 100_000 + "wrote:", "From: " * 100_000, "A wrote:\n" * 50_000, "On 1\n" * 100_000 + "wrote:"]
    began = time.process_time()
    for text in (*long, " " * 300_000 + "wrote:", " " * 300_000 + "a wrote: b", "a " * 140 + "wrote:\n" * 50_000):
        drop_mail_headers(text)
    assert time.process_time() - began < 5
