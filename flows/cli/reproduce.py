"""`fabula reproduce`: published results, computed again and compared."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import InProcessOption, SchedulerOption, WordNetOption, WorkersOption

if TYPE_CHECKING:
    from flows.frame.measures import Compute

reproduce = typer.Typer(
    no_args_is_help=True, help="Recompute published results and compare.\n\nExample: fabula reproduce crd3 --root ~/CRD3/data"
)


@reproduce.command("crd3")
def reproduce_crd3(
    root: Annotated[
        Path, typer.Option(help="Folder of CRD3's repository with `cleaned data` and `aligned data`.", metavar="DIR")
    ],
    wordnet: WordNetOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    in_process: InProcessOption = False,
) -> None:
    """Recompute CRD3's published alignments from its published chunks and print the comparison as JSON.

    Example: fabula reproduce crd3 --root ~/CRD3/data --wordnet /usr/share/wordnet
    """
    from flows.cli.terminal import progress_shown
    from flows.frame.measures import computing

    with progress_shown(), computing(workers, scheduler, in_process) as compute:
        figures = recompute_alignments(root, wordnet, compute)
    print(json.dumps(figures))


def recompute_alignments(root: Path, wordnet: str | None, compute: "Compute") -> dict[str, Any]:
    """Recompute every published alignment under `root` and return the figures as JSON values.

    Raises:
        SourceError: a published file is missing or malformed.
    """
    # Imported here because every Dask worker imports this module, as part of its main program.
    from functools import partial

    from core.transcripts.reproduction import summarise_reproduction
    from flows.frame.measures import map_watched
    from infra.models.wordnet import find_wordnet
    from tasks.transcripts.crd3 import list_episodes, read_split, reproduce_episode

    root = root.absolute()
    episodes, split = list_episodes(root), read_split(root)
    dictionary = str(find_wordnet(wordnet).absolute())
    results = list(map_watched(compute, "episodes", partial(reproduce_episode, root, wordnet=dictionary), episodes))
    return summarise_reproduction(results, split)
