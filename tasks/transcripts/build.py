"""One episode, from its files to aligned and judged chunks: read (`reading`), align, judge, measure."""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from core.alignment.aligners import EpisodeAlignment, Hearing
from core.alignment.spans import Order
from core.dialogue import Turn, check_summary_size
from core.reading.belief import FOUND
from core.references import Notice, UnitReference
from core.transcripts.aligning import align_recap_text
from core.transcripts.config import AlignmentConfig, StatisticsConfig, TranscriptsConfig
from core.transcripts.dialogues.cleaning import count_directions
from core.transcripts.dialogues.speaker_slips import find_guessed_labels, find_unread_labels
from core.transcripts.matching import check_named, rate_fit
from core.transcripts.recaps.recap import Recap
from core.transcripts.rows import decide_rows
from core.transcripts.statistics import OUT_OF_ORDER, EpisodeFigures, measure_episode
from infra.models.trained_pipeline import count_entities
from infra.tables.codecs import table_codec
from infra.tables.transcripts.artifacts import ALIGNMENTS, CONTRIBUTIONS, DECISION_ARTIFACT, FIGURES, FIT, tabulate_decisions
from tasks.frame.build import UnitWork
from tasks.transcripts.asking import hear_reader, make_hearing
from tasks.transcripts.ingestion import checksum_resources, make_tools
from tasks.transcripts.reading import read_episode

MOST_UNREAD = 20
"""Names that a notice of unread labels counts one by one."""


def build(work: UnitWork[TranscriptsConfig]) -> UnitReference:
    """Build one episode."""
    wordnet = work.resources.get("wordnet")
    read = read_episode(work)
    config = read.config
    dialogue, recap, recap_path = read.dialogue, read.recap, read.recap_file.file.path
    check_summary_size(recap_path, len(recap.load().sentences), len(dialogue.load()))
    halves = [dialogue.artifact.fingerprint, recap.artifact.fingerprint]
    heard = hear_reader(work, dialogue, recap, config)
    alone = [*halves, *checksum_resources(config, work.resources)]
    hear = make_hearing(heard.reading)
    if hear:  # what the aligner finds by itself: as in a run without a reader
        found = partial(align_recap, dialogue.load(), recap.load(), config.alignment, wordnet)
        work.run("alignments", ALIGNMENTS, alone, config.alignment, lambda: found().pairs, name=FOUND)
    aligned = cache(lambda: align_recap(dialogue.load(), recap.load(), config.alignment, wordnet, hear))
    inputs = [*alone, *heard.inputs]
    alignments = work.run("alignments", ALIGNMENTS, inputs, config.alignment, lambda: aligned().pairs)
    check_named(work.unit.id, recap_path, recap.load())
    fit = work.run("fit", FIT, inputs, config.alignment, lambda: rate_fit(aligned(), dialogue.load(), recap.load())).load()
    contributions = work.run("contributions", CONTRIBUTIONS, inputs, config.alignment, lambda: aligned().contributions)
    work.run(
        "decisions",
        table_codec(DECISION_ARTIFACT),
        [*halves, alignments.artifact.fingerprint],
        config.filter,
        lambda: tabulate_decisions(
            decide_rows(alignments.load(), recap.load(), [len(turn.text.split()) for turn in dialogue.load()], config.filter)
        ),
    )
    figures = work.run(
        "figures",
        FIGURES,
        [*halves, contributions.artifact.fingerprint],
        config.statistics,
        lambda: _measure(dialogue.load(), recap.load(), contributions.load(), config.statistics),
    ).load()
    size = sum(len(landed.content) for landed in read.transcripts)
    return work.refer(
        [*read.transcripts, read.recap_file],
        {
            "turns": figures.turns,
            "characters": size,
            **({} if fit.order == "held" else {OUT_OF_ORDER: 1}),
            **heard.counts,
        },
        notices=[*_list_notices(dialogue.load(), config, fit.order), *heard.notices],
    )


def _measure(turns: Sequence[Turn], recap: Recap, contributions: NDArray[np.float64], config: StatisticsConfig) -> EpisodeFigures:
    entities = count_entities((turn.text for turn in turns), config.entity_pipeline).total() if config.entity_pipeline else None
    return measure_episode(turns, recap, contributions if contributions.any() else None, config, entities)


def _list_notices(turns: Sequence[Turn], config: TranscriptsConfig, order: Order) -> list[Notice]:
    """Tell of labels that were guessed, or read as text, of stage directions that stay, and of a recap out of order."""
    notices = []
    if guessed := find_guessed_labels(turns):
        what, advice = "turn(s) of speakers that were guessed", "a row in speakers.tsv tells who they are"
        notices.append(Notice(what=what, count=guessed.total(), names=dict(guessed.most_common(MOST_UNREAD)), advice=advice))
    if unread := find_unread_labels(turns):
        what, advice = "line(s) that look like speaker labels, read as text", "a row in speakers.tsv makes a name a label"
        names = dict(unread.most_common(MOST_UNREAD))
        notices.append(Notice(what=what, count=unread.total(), names=names, advice=advice))
    if config.cleaning.stage_directions == "keep" and (count := count_directions(turns)):
        advice = 'they stay in the turns; cleaning.stage_directions = "remove" leaves them out'
        notices.append(Notice(what="stage direction(s) in brackets", count=count, advice=advice))
    if order != "held":
        advice = f"each of its {order} was aligned by itself; if it is in order, look whether it belongs to this transcript"
        notices.append(Notice(what="recap that does not follow the order of its dialogue", count=1, advice=advice))
    return notices


def align_recap(
    turns: Sequence[Turn], recap: Recap, config: AlignmentConfig, wordnet: str | None, hear: Hearing | None = None
) -> EpisodeAlignment:
    """Align an episode's recap with its turns; `wordnet` is the dictionary's folder, where the tokeniser needs one."""
    return align_recap_text(turns, recap, config, *make_tools(config, wordnet), hear)
