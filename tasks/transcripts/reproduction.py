"""One episode of CRD3: read what was published, align it again, compare."""

from pathlib import Path

from core.text.tokens import make_tokenizer
from core.transcripts.reproduction import EpisodeReproduction, reproduce_alignments
from infra.models.wordnet import read_nouns
from tasks.transcripts.crd3_layout import read_chunkings, read_turns


def reproduce_episode(root: str | Path, episode: str, wordnet: str | Path | None = None) -> EpisodeReproduction:
    """Recompute the published alignments of an episode under `root`, CRD3's own layout.

    `wordnet` is the folder of WordNet's noun files (None: where `infra.models.wordnet` looks). A worker reads them once and keeps
    the tokeniser's memory for the next episode. Raises SourceError for bad files and ConfigError where WordNet is missing.
    """
    tokenizer = make_tokenizer("tweet-lemmas", read_nouns(Path(wordnet) if wordnet else None))
    return reproduce_alignments(episode, read_turns(Path(root), episode), read_chunkings(Path(root), episode), tokenizer)
