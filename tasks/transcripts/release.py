"""What the pipeline `transcripts` makes of its units: what is in a release, and how it is shown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.alignment.config import CURVE
from core.dataset.card import CRD3, Description
from core.dataset.pictures import Picture
from core.dataset.rejects import RejectedRows
from core.dialogue import Turn
from core.references import UnitReference
from core.text.near_copies import ReleasedText, count_leaks
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.cleaning import diff_turns
from core.transcripts.dialogues.speaker_slips import count_speakers, find_speaker_slips, find_unread_labels
from core.transcripts.pictures import draw_episode
from core.transcripts.rows import REJECT_COLUMNS, explain_rejects
from core.transcripts.statistics import OUT_OF_ORDER, tabulate_statistics
from core.transcripts.statistics import summarise as summarise_episodes
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import ALIGNMENTS, FIGURES
from infra.tables.transcripts.rows import choose_pairs
from infra.tables.turns import DIALOGUE
from tasks.frame.build import read_artifact, read_stage
from tasks.frame.release_spec import Landed, ReleaseSpec, ShardReference, Summary
from tasks.transcripts.tables import find_facts, find_matches, list_tables, review_decisions

DESCRIPTION = Description(
    about="A row pairs a stretch of an episode's dialogue with the sentences of a recap that sum it up. The pairs were found by "
    "aligning each recap with its transcript.",
    task="summarization",
    languages=("en",),
    citation=CRD3,
    faults=(
        "A span may end before the last event that its sentence tells, or begin after the first.",
        "A sentence that is told out of order has a span that covers one of its places only.",
        "The config `pairs` holds a sentence in several pairs; use `train_on` for training.",
    ),
)


def show(store: Store, reference: UnitReference, _: str, diff: bool) -> Iterator[str]:
    """Yield an episode's clean turns as lines; with `diff` what cleaning changed, raw against clean."""
    turns: Sequence[Turn] = DIALOGUE.decode(read_stage(store, reference, "dialogue"))
    if diff:
        yield from diff_turns(turns)
        return
    for turn in turns:
        time = "" if turn.start is None else f"[{turn.start:9.2f}] "
        yield f"{turn.number:>5} {time}{', '.join(turn.speakers)}: {turn.text}"


def draw(store: Store, reference: UnitReference) -> list[Picture]:
    """Return a picture of where the recap's sentences lie in an episode."""
    aligned = ALIGNMENTS.decode(read_stage(store, reference, "alignments"))
    return draw_episode(reference.unit, aligned, reference.counts["turns"])


def _explain(config: TranscriptsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    return explain_rejects(config.filter, rows)


def show_speakers(store: Store, reference: UnitReference) -> Iterator[str]:
    """Yield the speakers of a landed episode as lines, then what to correct; the rows are ready to paste into `speakers.tsv`."""
    turns = DIALOGUE.decode(read_stage(store, reference, "dialogue"))
    counts = count_speakers(turns)
    for speaker, count in counts.most_common():
        yield f"{count:>7,}  {speaker}"
    if slips := find_speaker_slips(counts):
        yield f"# {len(slips)} of these names are probably misspelt. Rows for speakers.tsv, at the source's root:"
        yield from ("\t".join(slip) for slip in slips)
    if unread := find_unread_labels(turns):
        yield f"# {unread.total():,} lines look like labels and were read as text; a row `NAME<TAB>NAME` makes a name a label:"
        yield from (f"# {count:>5,}  {name}" for name, count in unread.most_common())


def summarise(landed: Landed[TranscriptsConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release; the figures are read one episode at a time."""
    decisions: Counter[tuple[int, str, str, bool]] = Counter()
    for shard in shards:
        if shard.table == "alignments":
            decisions.update(shard.counts)
    figures = (
        FIGURES.decode(read_artifact(landed.store, unit, reference.artifacts["figures"]))
        for unit, reference in sorted(landed.references.items())
    )
    statistics = summarise_episodes(figures, decisions, landed.config.statistics)
    statistics[OUT_OF_ORDER] = sum(reference.counts.get(OUT_OF_ORDER, 0) for reference in landed.references.values())
    alignment = landed.config.alignment
    statistics["confidence_curve"] = (
        ("default" if alignment.windows.curve == CURVE else "own") if alignment.aligner == "windows" else None
    )
    matches = find_matches(landed)
    statistics["foreign_recaps"] = {unit: match.better for unit, match in matches.items() if match.foreign}
    statistics["unsure_recaps"] = sum(match.unsure and not match.foreign for match in matches.values())
    statistics["between_splits"] = count_leaks(_read_texts(landed))
    return Summary(statistics, tabulate_statistics(statistics))


def _read_texts(landed: Landed[TranscriptsConfig]) -> Iterator[ReleasedText]:
    """Yield the rows to train on; the other rows have the same sentences. Units that the takedown list keeps out have none."""
    facts = find_facts(landed)
    for unit, reference in sorted(landed.references.items()):
        if unit not in landed.splits:
            continue
        reviews = landed.reviews.get(unit, ())
        decisions = review_decisions(landed.config.filter, landed.store, unit, reference.artifacts, reviews, facts[unit])
        chosen = choose_pairs(decisions, train_on_only=True)
        for kind, text in zip(chosen.column("kind").to_pylist(), chosen.column("summary").to_pylist(), strict=True):
            yield ReleasedText(landed.splits[unit], kind, text)


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("dialogue", "recap", "decisions", "figures"),
    read_stages=("dialogue", "recap", "decisions"),
    facts=find_facts,
    reject_columns=REJECT_COLUMNS,
    explain_rejects=_explain,
)
