"""What Prefect's UI shows of a run, beside its task runs: progress while units land, then a summary, a table and the release.

On a run's page the UI lists the artifacts of the flow run first, in no order, and those of task runs below. So the summary alone
is the flow run's, and all else belongs to task runs of its own.

None of it may fail a run whose data is in the store: a server that does not take an artifact costs a warning.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from time import monotonic
from typing import TypeVar, cast
from uuid import UUID

from prefect import get_run_logger, task
from prefect.artifacts import (
    create_image_artifact,
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.cache_policies import NO_CACHE

from core.dataset.pictures import Picture
from core.references import UnitReference, describe_notices
from flows.frame.observer import Illustration, Observer
from tasks.frame.ledger import RunSummary

UPDATE_SECONDS = 1.0
"""The progress moves at most so often, whatever the number of units: their cost stays the same."""
PAUSE_SECONDS = 60.0
"""How long the progress leaves a server alone that did not answer: a call to one that is gone may take long to fail."""
MAX_ROWS = 500
"""Units that the table and the summary name one by one; the run's record in the store has all."""

Shown = TypeVar("Shown")


class UiObserver(Observer):
    """Shows a run in Prefect's UI: a bar while units land, then tables, a summary and a link to the release."""

    def __init__(self, pipeline: str, beside: Observer) -> None:
        """Name the artifacts after the pipeline; `beside` watches the steps too."""
        self._pipeline = pipeline
        self._beside = beside
        self._progress: ProgressArtifact | None = None

    def start(self, step: str, total: int) -> None:
        """Show a new bar for the step that builds units; others are short."""
        self._beside.start(step, total)
        self._progress = ProgressArtifact(self._pipeline, total) if step == "units" else None

    def advance(self, part: str = "") -> None:
        """Move the bar."""
        self._beside.advance(part)
        if self._progress is not None:
            self._progress.advance(part)

    def show_statistics(self, dataset: str, url: str, rows: Sequence[Mapping[str, str]]) -> None:
        """Show the statistics of a new release as a table."""
        key = re.sub(r"[^a-z0-9]+", "-", dataset.lower()).strip("-")  # all that Prefect allows
        with tolerated():
            table = [dict(row) for row in rows]
            told = f"Statistics of {url}"
            _show_beside("statistics", lambda: create_table_artifact(table, key=f"{key}-statistics", description=told))

    def conclude(
        self, summary: RunSummary, references: Mapping[str, UnitReference], illustrate: Callable[[], Illustration]
    ) -> None:
        """Show a summary of the run, a table of its units, and a link to the release; with pictures where these can be made."""
        shown = Illustration()
        with tolerated():
            shown = illustrate()
        with tolerated():
            create_markdown_artifact(
                describe_run(summary, shown), key=f"{summary.pipeline}-run", description="Outcome of the run"
            )
            _show_beside("details", lambda: _show_details(summary, references, shown.pictures))


class ProgressArtifact:
    """A bar in the UI that moves while units land."""

    def __init__(self, pipeline: str, total: int, clock: Callable[[], float] = monotonic) -> None:
        """Show 0 of `total` units; `clock` counts in seconds."""
        self._total = total
        self._done = 0
        self._last = ""
        self._clock = clock
        self._due = clock() + UPDATE_SECONDS
        self._id: UUID | None = None
        with tolerated():
            created = _show_beside(
                "progress", lambda: create_progress_artifact(0.0, key=f"{pipeline}-progress", description=self._describe())
            )
            self._id = cast(UUID, created)

    def advance(self, unit: str = "") -> None:
        """Note that a unit is done."""
        self._done += 1
        self._last = unit
        if self._id is None or (self._done < self._total and self._clock() < self._due):
            return
        self._due = self._clock() + PAUSE_SECONDS
        with tolerated():
            update_progress_artifact(self._id, 100 * self._done / self._total, description=self._describe())
            self._due = self._clock() + UPDATE_SECONDS

    def _describe(self) -> str:
        return f"{self._done} of {self._total} units" + (f", last {self._last}" if self._last else "")


def _show_details(summary: RunSummary, references: Mapping[str, UnitReference], pictures: Sequence[Picture]) -> None:
    """Show the units of a run, the pictures of its release, and a link to it."""
    pipeline, rows = summary.pipeline, list_rows(summary, references)
    total = len(summary.quarantined) + len(summary.waiting) + len(summary.computed) + len(summary.reused)
    named = "" if total <= len(rows) else f": {len(rows)} of {total}, failed and new ones first"
    if rows:
        create_table_artifact(rows, key=f"{pipeline}-units", description=f"Units of the run{named}")
    if summary.release is None:
        return
    for picture in pictures:
        create_image_artifact(image_url=encode_picture(picture), key=f"{pipeline}-{picture.name}", description=picture.title)
    state, link = "new" if summary.new_release else "unchanged", locate_release(summary.release)
    create_link_artifact(link, link_text=summary.release, key=f"{pipeline}-release", description=f"Release ({state})")


@task(name="shown", task_run_name="{what}", cache_policy=NO_CACHE, persist_result=False)
def _show_beside(what: str, show: Callable[[], Shown]) -> Shown:  # noqa: ARG001 -- Prefect names the task run by it
    """Call a function whose artifacts belong to a task run of its own, named `what`."""
    return show()


def encode_picture(picture: Picture) -> str:
    """Return a picture as an address that holds all of it: Prefect's server stores no files."""
    return f"data:image/svg+xml;base64,{b64encode(picture.svg.encode()).decode()}"


def describe_run(summary: RunSummary, shown: Illustration) -> str:
    """Return the summary in Markdown: counts, the release, what is in quarantine and why, what waits and for what."""
    counts = summary.as_json()["units"]
    lines = [f"# {summary.pipeline}, run {summary.run_id}", ""]
    lines += ["| units | |", "|---|---|", *(f"| {name} | {count} |" for name, count in counts.items()), ""]
    state = "new" if summary.new_release else "unchanged"
    lines += [f"**Release** ({state}): `{summary.release}`" if summary.release else "**No release**: nothing has landed.", ""]
    if summary.highlights:
        lines += ["| table | |", "|---|---|", *(f"| {_escape(name)} | {value} |" for name, value in summary.highlights), ""]
    if empty := summary.explain_empty():
        lines += [f"**{empty[0].upper()}{empty[1:]}**", ""]
    lines += _section("Changed since the release before", [_escape(line) for line in shown.changes])
    lines += _section("Left out", [_escape(rows.describe()) for rows in summary.rejects])
    failures = sorted(summary.quarantined, key=lambda failure: failure.unit)
    reasons = [f"**{_escape(failure.unit)}** ({failure.stage}): {_escape(failure.reason)}" for failure in failures]
    lines += _section("In quarantine", reasons)
    lines += _section("To look at", [*map(_escape, describe_notices(summary.notices))])
    lines += _section("Removed from the sources", [_escape(unit) for unit in summary.removed])
    lines += _section("Waiting", [f"**{_escape(unit)}** for its {_escape(missing)}" for unit, missing in summary.waiting])
    for number, picture in enumerate(shown.pictures):
        lines += [] if number else ["## Pictures", ""]
        lines += [f"![{_escape(picture.title)}]({encode_picture(picture)})", ""]
    return "\n".join(lines)


def list_rows(summary: RunSummary, references: Mapping[str, UnitReference]) -> list[dict[str, str]]:
    """Return the rows of the table, at most `MAX_ROWS`: unit, state, seconds, what was counted in it, and why it failed.

    Units that travel in a shard have no seconds and counts of their own.
    """
    states = [(failure.unit, "quarantined", failure.reason) for failure in summary.quarantined]
    states += [(unit, "waiting", f"no {missing} yet") for unit, missing in summary.waiting]
    states += [(unit, "computed", "") for unit in summary.computed]
    states += [(unit, "reused", "") for unit in summary.reused]
    chosen = states[:MAX_ROWS]
    counted = dict.fromkeys(name for unit, _, _ in chosen if unit in references for name in references[unit].counts)
    rows = []
    for unit, state, reason in chosen:
        reference = references.get(unit)
        seconds = f"{sum(reference.seconds.values()):.2f}" if reference is not None and state == "computed" else ""
        figures = {name: str(reference.counts.get(name, "")) if reference is not None else "" for name in counted}
        rows.append({"unit": unit, "state": state, "seconds": seconds, **figures, "reason": reason})
    return rows


def locate_release(url: str) -> str:
    """Return a release's place as a link: a local folder as a file URL."""
    return PurePath(url).as_uri() if PurePath(url).is_absolute() else url


def _section(title: str, entries: Sequence[str]) -> list[str]:
    if not entries:
        return []
    left = len(entries) - MAX_ROWS
    more = [f"- … and {left} more: the run's record in the store (`runs/`) has all"] if left > 0 else []
    return [f"## {title}", "", *(f"- {entry}" for entry in entries[:MAX_ROWS]), *more, ""]


def _escape(text: str) -> str:
    """Return text that Markdown shows as it is: names of files are the source's, not ours."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]<>#|!" else letter for letter in text.replace("\n", " "))


@contextmanager
def tolerated() -> Iterator[None]:
    """Let a block fail that shows something in Prefect's UI: the run only warns of it."""
    try:
        yield
    except Exception as error:
        get_run_logger().warning("Prefect's server did not take an artifact (%r); the run goes on", error)
