"""Recomputing published alignments."""

from functools import partial
from pathlib import Path
from typing import Any

from core.transcripts.reproduction import summarise
from flows.frame.computing import Compute
from flows.frame.observer import current_observer
from infra.models.wordnet import find_wordnet
from tasks.transcripts.crd3_layout import list_episodes, read_split
from tasks.transcripts.reproduction import reproduce_episode


def reproduce_alignments(root: Path, wordnet: str | None, compute: Compute) -> dict[str, Any]:
    """Recompute every published alignment under `root` and return the figures as JSON values.

    Raises:
        ConfigError: the layout or WordNet's noun files are not there.
        SourceError: a published file is missing or malformed.
    """
    root = root.absolute()
    episodes, split = list_episodes(root), read_split(root)
    dictionary = str(find_wordnet(Path(wordnet) if wordnet else None).absolute())
    observer = current_observer()
    observer.start("episodes", len(episodes))
    results = []
    for result in compute(partial(reproduce_episode, root, wordnet=dictionary), episodes):
        results.append(result)
        observer.advance()
    return summarise(results, split)
