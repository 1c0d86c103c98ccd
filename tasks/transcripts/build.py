"""One episode, from its files to aligned and judged chunks: land, read the dialogue and the recap, align, judge, measure."""

import logging
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.alignment.aligners import EpisodeAlignment
from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.errors import SourceError
from core.references import Notice, UnitReference
from core.summary_size import check_summary_size
from core.text.decoding import MARKUP, decode_text
from core.text.sentences import make_splitter
from core.text.tokens import Tokenizer, make_tokenizer
from core.transcripts.aligning import align_recap_text
from core.transcripts.config import AlignmentConfig, FilterConfig, StatisticsConfig, TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speaker_slips import find_unread_labels
from core.transcripts.dialogues.speakers import Alias, parse_alias_table, select_aliases
from core.transcripts.discovery import EpisodeFiles
from core.transcripts.file_types import RECAP_TYPES
from core.transcripts.matching import check_match
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap
from core.transcripts.rows import decide_rows
from core.transcripts.statistics.episode_figures import EpisodeFigures, measure_episode
from core.units import choose_copy
from infra.models.entities import count_entities
from infra.models.sentence_embedder import SentenceEmbedder
from infra.models.wordnet import read_nouns
from infra.tables.codecs import table_codec
from infra.tables.transcripts.artifacts import ALIGNMENTS, CONTRIBUTIONS, DECISION_ARTIFACT, FIGURES, RECAP, tabulate_decisions
from infra.tables.turns import DIALOGUE
from tasks.frame.building import UnitWork
from tasks.frame.landing import LandedFile, join_checksums
from tasks.transcripts.plan import TEXT_LIMIT, checksum_dictionary

logger = logging.getLogger(__name__)

MOST_UNREAD = 20
"""Names that a notice of unread labels counts one by one."""


def build_episode(work: UnitWork[TranscriptsConfig]) -> UnitReference:
    """Build one episode.

    Raises:
        SourceError: a file is bad, two copies differ, or the recap is empty or of another episode; the message names the file.
        ConfigError: the tokeniser's dictionary or the embedding model is not there.
        StoreError: source or store failed.
    """
    config, wordnet = work.config, work.resources.get("wordnet")
    transcripts, recap_file = _land(work)
    aliases = select_aliases(work.unit.id, [_parse_aliases(text) for text in work.shared], config.cleaning.aliases)
    dialogue = work.run(
        "dialogue",
        DIALOGUE,
        join_checksums(transcripts),
        [config.cleaning, aliases],
        lambda: join_parts([read_dialogue(file.file.path, file.content, config.cleaning, aliases) for file in transcripts]),
    )
    recap = work.run("recap", RECAP, join_checksums([recap_file]), config.recap, lambda: _read_recap(recap_file, config))
    check_summary_size(recap_file.file.path, len(recap.load().sentences), len(dialogue.load()))
    halves = [dialogue.artifact.fingerprint, recap.artifact.fingerprint]
    aligned = cache(lambda: align_recap(dialogue.load(), recap.load(), config.alignment, wordnet))
    read = [*halves, *checksum_dictionary(config.alignment, wordnet)]
    alignments = work.run("alignments", ALIGNMENTS, read, config.alignment, lambda: aligned().pairs)
    check_match(work.unit.id, recap_file.file.path, alignments.load(), recap.load(), len(dialogue.load()), config.matching)
    contributions = work.run("contributions", CONTRIBUTIONS, read, config.alignment, lambda: aligned().contributions)
    work.run(
        "decisions",
        table_codec(DECISION_ARTIFACT),
        [*halves, alignments.artifact.fingerprint],
        config.filter,
        lambda: _decide(alignments.load(), recap.load(), dialogue.load(), config.filter),
    )
    figures = work.run(
        "figures",
        FIGURES,
        [*halves, contributions.artifact.fingerprint],
        config.statistics,
        lambda: _measure(dialogue.load(), recap.load(), contributions.load(), config.statistics),
    ).load()
    notices = _notice_unread_labels(dialogue.load())
    for notice in notices:
        logger.info("%s: %s", work.unit.id, notice.describe())
    logger.info("%s: %d turns, %d alignments", work.unit.id, figures.turns, len(alignments.load()))
    size = sum(len(landed.content) for landed in transcripts)
    return work.refer([*transcripts, recap_file], {"turns": figures.turns, "characters": size}, notices=notices)


def _land(work: UnitWork[TranscriptsConfig]) -> tuple[list[LandedFile], LandedFile]:
    """Land the files of an episode; of several candidates for one place all must be the same."""
    files: EpisodeFiles = work.unit.spec
    landed = {file: work.land(file, TEXT_LIMIT) for file in (*files.transcripts, *files.recaps)}
    for group in files.duplicates:
        checksums = [(landed.get(file) or work.land(file, TEXT_LIMIT)).sha256 for file in group]
        choose_copy(list(zip(group, checksums, strict=True)))
    return [landed[file] for file in files.transcripts], landed[files.recaps[0]]


def _read_recap(landed: LandedFile, config: TranscriptsConfig) -> Recap:
    name = landed.file.path
    in_markup = RECAP_TYPES.get(PurePosixPath(name).suffix.lower()) in ("json", "wiki page")
    text = decode_text(name, landed.content, MARKUP if in_markup else None)
    recap = read_recap(name, text, make_splitter(config.recap.splitter), config.recap.lists == "chunked")
    if not recap.sentences:
        raise SourceError(
            f"{name}: the recap has no sentences; expected a synopsis of the episode. Complete the page and save it again"
        )
    return recap


def _decide(aligned: Sequence[tuple[Chunk, Span]], recap: Recap, turns: Sequence[Turn], config: FilterConfig) -> pa.Table:
    return tabulate_decisions(decide_rows(aligned, recap, [len(turn.text.split()) for turn in turns], config))


def _measure(turns: Sequence[Turn], recap: Recap, contributions: NDArray[np.float64], config: StatisticsConfig) -> EpisodeFigures:
    entities = count_entities((turn.text for turn in turns), config.entity_pipeline).total() if config.entity_pipeline else None
    return measure_episode(turns, recap, contributions if contributions.any() else None, config, entities)


def _notice_unread_labels(turns: Sequence[Turn]) -> list[Notice]:
    """Count the lines that look like speaker labels and were read as text."""
    unread = find_unread_labels(turns)
    if not unread:
        return []
    advice = "a row in speakers.tsv makes a name a label"
    names = dict(unread.most_common(MOST_UNREAD))
    return [Notice(what="line(s) that look like speaker labels, read as text", count=unread.total(), names=names, advice=advice)]


def align_recap(turns: Sequence[Turn], recap: Recap, config: AlignmentConfig, wordnet: str | None) -> EpisodeAlignment:
    """Align an episode's recap with its turns; `wordnet` is the dictionary's folder, where the tokeniser needs one.

    Raises:
        ConfigError: the tokeniser's dictionary or the embedding model is not there.
    """
    return align_recap_text(turns, recap, config, *make_tools(config, wordnet))


def make_tools(config: AlignmentConfig, wordnet: str | None) -> tuple[Tokenizer, SentenceEmbedder | None]:
    """Return the tokeniser of the settings, and the sentence model where they need one; errors as in `align_recap`."""
    nouns = read_nouns(Path(wordnet) if wordnet else None) if config.tokenizer == "tweet-lemmas" else None
    embedder = _open_embedder(config.embedding_model) if config.similarity == "embeddings" else None
    return make_tokenizer(config.tokenizer, nouns), embedder


# A worker builds many episodes; what does not change between them is read once a process.


@lru_cache(maxsize=8)
def _parse_aliases(text: str) -> tuple[Alias, ...]:
    return parse_alias_table("speakers.tsv", text)


@lru_cache(maxsize=1)
def _open_embedder(name: str) -> SentenceEmbedder:
    return SentenceEmbedder(name)
