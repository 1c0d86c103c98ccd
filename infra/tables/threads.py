"""Schemas of the `threads` pipeline, and the way of dialogues and drops through them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from core.review.basis import find_rejected
from core.review.decisions import REVIEWED, Decision
from core.threads.dialogues import ROLES, SPEAKERS, Dialogue
from core.threads.preparing import Drop
from core.threads.segments import CleanPost
from infra.tables.columns import NAMED, PROVENANCE, SPOKEN, STRINGS, TURNS, required
from infra.tables.parquet import Provenance, Rows, assemble, tabulate_rows

_SCORES = pa.list_(pa.field("element", pa.float64(), nullable=False))
_PIECE = pa.struct(
    [
        required("turn", pa.int32()),
        required("kind", pa.string()),
        required("source", pa.string()),
        required("author", pa.string()),
        required("start", pa.int32()),
        required("stop", pa.int32()),
        required("sentences", STRINGS),
    ]
)
_MESSAGE = pa.struct([required("role", pa.string()), required("content", pa.string())])
_DIALOGUE = (
    required("id", pa.string()),
    required("post", pa.string()),
    required("forum", pa.string()),
    required("topic", pa.string()),
    required("summary", pa.string()),
    required("turns", TURNS),
    required("pieces", pa.list_(pa.field("element", _PIECE, nullable=False))),
    required("authors", STRINGS),
    required("scores", _SCORES),
    required("coherence", pa.float64()),
    required("plain", pa.string()),
    required("messages", pa.list_(pa.field("element", _MESSAGE, nullable=False))),
)
_DROP = (
    required("id", pa.string()),
    required("post", pa.string()),
    required("kind", pa.string()),
    required("reason", pa.string()),
)

DIALOGUE_ARTIFACT = pa.schema(_DIALOGUE)
DROP_ARTIFACT = pa.schema(_DROP)
DIALOGUES = pa.schema(
    [
        *NAMED,
        *(column for column in _DIALOGUE if column.name not in ("id", "summary", "turns", "plain")),
        *SPOKEN,
        *PROVENANCE,
    ]
)
DROPS = pa.schema([*_DROP, *PROVENANCE])
INCOHERENT = "least coherent"


def tabulate_dialogues(post: CleanPost, dialogues: Sequence[Dialogue], topics: Mapping[str, str]) -> pa.Table:
    """Return the dialogues of a post as a table of `DIALOGUE_ARTIFACT`.

    `summary` is the post's title. `plain` has a line a turn, `messages` the form of chat models.
    """
    rows = [_describe(post, number, dialogue, topics) for number, dialogue in enumerate(dialogues)]
    return pa.Table.from_pydict(tabulate_rows(DIALOGUE_ARTIFACT, rows), schema=DIALOGUE_ARTIFACT)


def tabulate_drops(post: str, drops: Iterable[Drop]) -> pa.Table:
    """Return what was dropped of a post as a table of `DROP_ARTIFACT`."""
    rows = [{"id": drop.id, "post": post, "kind": drop.kind, "reason": drop.reason} for drop in drops]
    return pa.Table.from_pydict(tabulate_rows(DROP_ARTIFACT, rows), schema=DROP_ARTIFACT)


def release_dialogues(table: pa.Table, least: float, provenance: Provenance, reviews: Sequence[Decision] = ()) -> Rows:
    """Return the dialogues of at least this coherence that no reader has rejected (`reviews`), as rows of a release."""
    rejected = _find_rejected(table, reviews)
    table = table.filter(pa.array([name not in rejected for name in table.column("id").to_pylist()], pa.bool_()))
    kept = table.filter(pc.greater_equal(table.column("coherence"), least))
    columns = {"unit": "post", "title": "summary", "dialogue": "plain"}  # by their names in the artifact
    return Rows(assemble(DIALOGUES, kept, {new: kept.column(old) for new, old in columns.items()}, provenance))


def release_drops(
    drops: pa.Table, dialogues: pa.Table, least: float, provenance: Provenance, reviews: Sequence[Decision] = ()
) -> Rows:
    """Return what was dropped, before the search, by the post-filter and by readers (`reviews`), as rows of a release."""
    rejected = _find_rejected(dialogues, reviews)
    low = dialogues.filter(pc.less(dialogues.column("coherence"), least))
    rows = [{"id": row["id"], "post": row["post"], "kind": "dialogue", "reason": INCOHERENT} for row in low.to_pylist()]
    rows += [
        {"id": row["id"], "post": row["post"], "kind": "dialogue", "reason": REVIEWED}
        for row in dialogues.to_pylist()
        if row["id"] in rejected and row["coherence"] >= least
    ]
    table = pa.concat_tables([drops, pa.Table.from_pydict(tabulate_rows(DROP_ARTIFACT, rows), schema=DROP_ARTIFACT)])
    outcomes = list(zip(table.column("kind").to_pylist(), table.column("reason").to_pylist(), strict=True))
    return Rows(assemble(DROPS, table, {name: table.column(name) for name in table.column_names}, provenance), outcomes)


def _find_rejected(dialogues: pa.Table, reviews: Sequence[Decision]) -> frozenset[str]:
    """Return the ids of the dialogues that readers have rejected, as they are now."""
    if not reviews:
        return frozenset()
    rows = zip(dialogues.column("id").to_pylist(), dialogues.column("turns").to_pylist(), strict=True)
    return find_rejected(((name, "", [turn["text"] for turn in turns]) for name, turns in rows), reviews)


def _describe(post: CleanPost, number: int, dialogue: Dialogue, topics: Mapping[str, str]) -> dict[str, Any]:
    texts = [" ".join(sentences) for sentences in dialogue.utterances]
    pieces = [(place, piece) for place, turn in enumerate(dialogue.turns) for piece in turn]
    return {
        "id": f"{post.id}_{number}",
        "post": post.id,
        "forum": post.forum,
        "topic": topics.get(post.forum, post.forum),
        "summary": post.title,
        "turns": [{"number": place, "speakers": [SPEAKERS[place % 2]], "text": text} for place, text in enumerate(texts)],
        "pieces": [
            {
                "turn": place,
                "kind": piece.kind,
                "source": piece.source,
                "author": piece.author,
                "start": piece.start,
                "stop": piece.stop,
                "sentences": piece.sentences,
            }
            for place, piece in pieces
        ],
        "authors": sorted({piece.author for _, piece in pieces if piece.author}),
        "scores": dialogue.scores,
        "coherence": dialogue.coherence,
        "plain": "\n".join(f"{SPEAKERS[place % 2]}: {text}" for place, text in enumerate(texts)),
        "messages": [{"role": ROLES[place % 2], "content": text} for place, text in enumerate(texts)],
    }
