"""What the pipeline `transcripts` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.dataset.paper_tables import tabulate_crd3
from core.dataset.rejects import RejectedRows
from core.dataset.report import Picture
from core.dialogue import Turn
from core.references import UnitReference
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.differences import diff_turns
from core.transcripts.pictures import draw_episode
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import ALIGNMENTS
from infra.tables.turns import DIALOGUE
from tasks.frame.release_spec import ReleaseSpec
from tasks.transcripts.description import DESCRIPTION
from tasks.transcripts.tables import find_retold, list_tables


def show(store: Store, reference: UnitReference, _: str, diff: bool) -> Iterator[str]:
    """Yield an episode's clean turns as lines; with `diff` what cleaning changed, raw against clean."""
    turns: Sequence[Turn] = DIALOGUE.decode(store.read(reference.artifacts["dialogue"].key))
    if diff:
        yield from diff_turns(turns)
        return
    for turn in turns:
        time = "" if turn.start is None else f"[{turn.start:9.2f}] "
        yield f"{turn.number:>5} {time}{', '.join(turn.speakers)}: {turn.text}"


def draw(store: Store, reference: UnitReference) -> list[Picture]:
    """Return a picture of where the recap's sentences lie in an episode."""
    aligned = ALIGNMENTS.decode(store.read(reference.artifacts["alignments"].key))
    return draw_episode(reference.unit, aligned, reference.counts["turns"])


def _explain(config: TranscriptsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    from core.transcripts.filters import explain_rejects

    return explain_rejects(config.filter, rows)


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("dialogue", "recap", "decisions", "figures"),
    read_stages=("dialogue", "recap", "decisions"),
    facts=find_retold,
    paper_tables=tabulate_crd3,
    reject_columns=("episode", "chunk_size", "offset", "turn_start", "turn_end", "confidence"),
    explain_rejects=_explain,
)
