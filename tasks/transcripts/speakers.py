"""Shows the speakers of an episode with their turns, probable misspellings as rows for `speakers.tsv`, and unread labels."""

from collections.abc import Iterator

from core.references import UnitReference
from core.transcripts.dialogues.speaker_slips import count_speakers, find_speaker_slips, find_unread_labels
from infra.store.objects import Store
from infra.tables.turns import DIALOGUE


def show_speakers(store: Store, reference: UnitReference) -> Iterator[str]:
    """Yield the speakers of a landed episode as lines, then what to correct; the rows are ready to paste into `speakers.tsv`."""
    turns = DIALOGUE.decode(store.read(reference.artifacts["dialogue"].key))
    counts = count_speakers(turns)
    for speaker, count in counts.most_common():
        yield f"{count:>7,}  {speaker}"
    if slips := find_speaker_slips(counts):
        yield f"# {len(slips)} of these names are probably misspelt. Rows for speakers.tsv, at the source's root:"
        yield from (slip.row for slip in slips)
    if unread := find_unread_labels(turns):
        yield f"# {unread.total():,} lines look like labels and were read as text; a row `NAME<TAB>NAME` makes a name a label:"
        yield from (f"# {count:>5,}  {name}" for name, count in unread.most_common())
