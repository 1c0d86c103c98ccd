"""One episode, from its files to aligned chunks: land, read the dialogue and the recap, align, measure."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.alignment.aligners import EpisodeAlignment
from core.dialogue import Turn
from core.errors import SourceError
from core.fingerprints import fingerprint
from core.references import Artifact, UnitReference
from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from core.text.tokens import Tokenizer, make_tokenizer
from core.transcripts.aligning import align_recap_text
from core.transcripts.config import AlignmentConfig, TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import Alias, parse_alias_table, select_aliases
from core.transcripts.discovery import EpisodeFiles
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap
from core.transcripts.statistics.episode_figures import EpisodeFigures, measure_episode
from core.units import SourceFile, choose_copy
from infra.models.entities import count_entities
from infra.models.sentence_embedder import SentenceEmbedder
from infra.models.wordnet import checksum_nouns, find_wordnet, read_nouns
from infra.settings import load_config
from infra.store.objects import Store
from infra.tables.codecs import Codec
from infra.tables.transcript_artifacts import ALIGNMENTS, CONTRIBUTIONS, FIGURES, RECAP
from infra.tables.turns import DIALOGUE
from tasks.frame.landing import LandedFile, join_checksums, land_file
from tasks.frame.stages import StageResult, run_stage

PIPELINE = "transcripts"
STAGE_VERSIONS = {"dialogue": 1, "recap": 1, "alignments": 5, "contributions": 6, "figures": 5}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""

Value = TypeVar("Value")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EpisodeRequest:
    """An episode to build: its files, where it goes, and every setting.

    `aliases` are the texts of the alias tables that apply, later ones with the last word; `wordnet` is a folder on the worker.
    """

    files: EpisodeFiles
    store: str
    aliases: tuple[str, ...]
    config: TranscriptsConfig
    wordnet: str | None = None


def build_episode(request: EpisodeRequest) -> UnitReference:
    """Build one episode; stages whose fingerprint the store knows are not computed again.

    Raises:
        SourceError: a file is bad, two copies differ, or the recap has no sentences; the message names the file.
        ConfigError: the tokeniser's dictionary or the embedding model is not there.
        StoreError: source or store failed.
    """
    return _Episode(request).build()


class _Episode:
    """The stages of one episode with what they share; it lives for one call."""

    def __init__(self, request: EpisodeRequest) -> None:
        self.request = request
        self.unit = request.files.id
        self.config = request.config
        self.store = _open_store(request.store)
        self.artifacts: dict[str, Artifact] = {}
        self.computed: list[str] = []
        self.seconds: dict[str, float] = {}

    def build(self) -> UnitReference:
        started = time.perf_counter()
        transcripts, recap_file = self._land()
        self.seconds["land"] = time.perf_counter() - started
        aliases = self._aliases()
        dialogue = self._run(
            "dialogue",
            DIALOGUE,
            join_checksums(transcripts),
            [self.config.cleaning, aliases],
            lambda: self._read_turns(transcripts, aliases),
        )
        recap = self._run("recap", RECAP, join_checksums([recap_file]), self.config.recap, lambda: self._read_recap(recap_file))
        halves = [dialogue.artifact.fingerprint, recap.artifact.fingerprint]
        aligned = cache(lambda: self._align(dialogue.load(), recap.load()))
        dictionary = checksum_dictionary(self.config.alignment, self.request.wordnet)
        alignments = self._run("alignments", ALIGNMENTS, [*halves, *dictionary], self.config.alignment, lambda: aligned().pairs)
        contributions = self._run(
            "contributions", CONTRIBUTIONS, [*halves, *dictionary], self.config.alignment, lambda: aligned().contributions
        )
        figures = self._run(
            "figures",
            FIGURES,
            [*halves, contributions.artifact.fingerprint],
            self.config.statistics,
            lambda: self._measure(dialogue.load(), recap.load(), contributions.load()),
        )
        measured = figures.load()
        logger.info("%s: %d turns, %d alignments", self.unit, measured.turns, len(alignments.load()))
        files = (*transcripts, recap_file)
        return UnitReference(
            self.unit,
            self.artifacts,
            tuple(landed.key for landed in files),
            tuple(landed.file.origin or landed.file.path for landed in files),
            {"turns": measured.turns, "characters": sum(len(landed.content) for landed in transcripts)},
            tuple(self.computed),
            self.seconds,
        )

    def _run(
        self, stage: str, codec: Codec[Value], inputs: Sequence[str], config: object, compute: Callable[[], Value]
    ) -> StageResult[Value]:
        started = time.perf_counter()
        key = fingerprint(stage, STAGE_VERSIONS[stage], inputs, config)
        result = run_stage(self.store, PIPELINE, stage, self.unit, key, codec, compute)
        self.artifacts[stage] = result.artifact
        if result.computed:
            self.computed.append(stage)
        self.seconds[stage] = time.perf_counter() - started
        return result

    def _land(self) -> tuple[list[LandedFile], LandedFile]:
        files = self.request.files
        transcripts = [land_file(self.store, PIPELINE, self.unit, file) for file in files.transcripts]
        recaps = [land_file(self.store, PIPELINE, self.unit, file) for file in files.recaps]
        landed = {entry.file: entry for entry in (*transcripts, *recaps)}
        for group in files.duplicates:
            copies = [self._checksum(file, landed) for file in group]
            choose_copy(list(zip(group, copies, strict=True)))
        return transcripts, recaps[0]

    def _checksum(self, file: SourceFile, landed: dict[SourceFile, LandedFile]) -> str:
        known = landed.get(file) or land_file(self.store, PIPELINE, self.unit, file)
        return known.sha256

    def _aliases(self) -> dict[str, tuple[str, ...]]:
        tables = [_parse_aliases(text) for text in self.request.aliases]
        return select_aliases(self.unit, tables, self.config.cleaning.aliases)

    def _read_turns(self, transcripts: Sequence[LandedFile], aliases: dict[str, tuple[str, ...]]) -> tuple[Turn, ...]:
        return join_parts(
            [read_dialogue(landed.file.path, landed.content, self.config.cleaning, aliases) for landed in transcripts]
        )

    def _read_recap(self, landed: LandedFile) -> Recap:
        name = landed.file.path
        recap = read_recap(name, decode_text(name, landed.content), make_splitter(self.config.recap.splitter))
        if not recap.sentences:
            raise SourceError(
                f"{name}: the recap has no sentences; expected a synopsis of the episode. Complete the page and save it again"
            )
        return recap

    def _measure(self, turns: Sequence[Turn], recap: Recap, contributions: NDArray[np.float64]) -> EpisodeFigures:
        config = self.config.statistics
        entities = (
            count_entities((turn.text for turn in turns), config.entity_pipeline).total() if config.entity_pipeline else None
        )
        return measure_episode(turns, recap, contributions if contributions.any() else None, config, entities)

    def _align(self, turns: Sequence[Turn], recap: Recap) -> EpisodeAlignment:
        return align_recap(turns, recap, self.config.alignment, self.request.wordnet)


def align_recap(turns: Sequence[Turn], recap: Recap, config: AlignmentConfig, wordnet: str | None) -> EpisodeAlignment:
    """Align an episode's recap with its turns; `wordnet` is the dictionary's folder, where the tokeniser needs one.

    Raises:
        ConfigError: the tokeniser's dictionary or the embedding model is not there.
    """
    embedder = _open_embedder(config.embedding_model) if config.similarity == "embeddings" else None
    tokenizer = _tokenizer(config, wordnet)
    return align_recap_text(turns, recap, config, tokenizer, embedder)


def check_settings(profile: str, config_file: str | None, wordnet: str | None) -> None:
    """Look for what a run cannot do without, before anything is started.

    Raises:
        ConfigError: the profile, the settings or the dictionary is not there or wrong.
    """
    check_resources(load_config(TranscriptsConfig, PIPELINE, profile, config_file), wordnet)


def check_resources(config: TranscriptsConfig, wordnet: str | None) -> str | None:
    """Look for what the settings need before the first unit starts; return the dictionary's folder, if they need one.

    Raises:
        ConfigError: the tokeniser's dictionary or the entity pipeline is not there; the message says how to get it.
    """
    if config.alignment.tokenizer == "tweet-lemmas":
        wordnet = str(find_wordnet(_folder(wordnet)).absolute())  # a worker's folder and environment are others
    if config.statistics.entity_pipeline:
        count_entities((), config.statistics.entity_pipeline)
    return wordnet


def _tokenizer(config: AlignmentConfig, wordnet: str | None) -> Tokenizer:
    return make_tokenizer(config.tokenizer, read_nouns(_folder(wordnet)) if config.tokenizer == "tweet-lemmas" else None)


def checksum_dictionary(config: AlignmentConfig, wordnet: str | None) -> list[str]:
    """Return what the alignments' fingerprint covers of the dictionary: nothing where the tokeniser reads none."""
    return [checksum_nouns(_folder(wordnet))] if config.tokenizer == "tweet-lemmas" else []


def _folder(wordnet: str | None) -> Path | None:
    return Path(wordnet) if wordnet else None


# A worker builds many episodes; what does not change between them is read once a process.


@lru_cache(maxsize=8)
def _parse_aliases(text: str) -> tuple[Alias, ...]:
    return parse_alias_table("speakers.tsv", text)


@lru_cache(maxsize=4)
def _open_store(url: str) -> Store:
    return Store(url)


@lru_cache(maxsize=1)
def _open_embedder(name: str) -> SentenceEmbedder:
    return SentenceEmbedder(name)
