"""The papers' own methods on the sources of the pipelines, into datasets of their own."""

from collections.abc import Callable
from functools import partial

from prefect import flow, get_run_logger

from core.errors import FabulaError
from flows.frame.interrupted import show_cancelled
from flows.frame.units import WAITING_THREADS
from flows.scripts import build_scripts
from flows.transcripts import build_transcripts
from tasks.frame.ledger import RunSummary

CRD3 = "papers-crd3"
SUMTITLES = "papers-sumtitles"


@flow(name="papers", flow_run_name="papers into {store}", task_runner=WAITING_THREADS, on_crashed=[show_cancelled])
def build_papers(
    transcripts: list[str],
    scripts: list[str],
    store: str,
    workers: int | None = None,
    scheduler: str | None = None,
    limit: int | None = None,
    wordnet: str | None = None,
) -> list[RunSummary]:
    """Align transcripts with the profile `crd3` and scripts with the profile `sumtitles`; one runs also if the other fails.

    Args:
        transcripts: folders or URLs with `transcripts/` and `recaps/`; none: the profile crd3 is left out.
        scripts: folders or URLs with `movies/ID/`, `books/ID/`, `friends/*.json`; none: the profile sumtitles is left out.
        store: folder or fsspec URL of the store.
        workers: processes of a local Dask cluster; default: one per core.
        scheduler: address of a running Dask scheduler, instead of a local cluster.
        limit: at most so many units of each, in order.
        wordnet: folder of WordNet's noun files; default: WNSEARCHDIR, or where Debian's package puts them.

    Raises:
        FabulaError: a profile could not run (no WordNet, no sentence model, no such source).
    """
    shared = {"store": store, "workers": workers, "scheduler": scheduler, "limit": limit}
    runs: list[Callable[[], RunSummary]] = []
    if transcripts:
        runs.append(partial(build_transcripts, transcripts, profile="crd3", dataset=CRD3, wordnet=wordnet, **shared))
    if scripts:
        runs.append(partial(build_scripts, scripts, profile="sumtitles", dataset=SUMTITLES, **shared))
    summaries, errors = [], []
    for run in runs:
        try:
            summaries.append(run())
        except FabulaError as error:
            get_run_logger().error("%s", error)
            errors.append(error)
    if errors:
        raise errors[0]
    return summaries
