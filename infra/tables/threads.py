"""Schemas of the `threads` pipeline, and the way of dialogues and drops through them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from core.review.decisions import REVIEWED, Decision, find_rejected
from core.threads.dialogues import ROLES, SPEAKERS, CleanPost, Dialogue, Sentences, measure_coherence
from core.threads.preparing import Drop
from core.threads.reading import Marks, Place, choose_sentences
from infra.tables.columns import PROVENANCE, REASON, SPOKEN, STRINGS, TURNS, UNIT, leave_meanings_out, optional, required
from infra.tables.parquet import Provenance, Rows, assemble

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
_ID = required("id", pa.string(), "the post, and the number of the dialogue or comment")
_DIALOGUE = (
    _ID,
    required("post", pa.string(), "the post: the same as `unit`"),
    required("forum", pa.string(), "the forum that the post is from"),
    required("topic", pa.string(), "topic of the forum; the forum itself where the settings name none"),
    required("summary", pa.string()),
    required("turns", TURNS),
    required(
        "pieces",
        pa.list_(pa.field("element", _PIECE, nullable=False)),
        "where each part of each turn comes from: post or comment, its author's pseudonym, its sentences",
    ),
    required("authors", STRINGS, "pseudonyms of the authors"),
    required("scores", _SCORES, "how well each turn answers the one before, by the scorer"),
    required("coherence", pa.float64(), "coherence of the whole dialogue, by which the least coherent are left out"),
    required("plain", pa.string()),
    required(
        "messages", pa.list_(pa.field("element", _MESSAGE, nullable=False)), "the dialogue in the form that chat models read"
    ),
)
_DROP = (
    _ID,
    required("post", pa.string()),
    required("kind", pa.string(), "what was left out: a post, a comment or a dialogue"),
    REASON,
    required("text", pa.string(), "what the filter saw, without names and addresses; empty where its author has taken it back"),
    required("authors", STRINGS, "pseudonyms of the authors"),
    optional("value", pa.float64(), "what the filter measured, where it measures something"),
)

DIALOGUE_ARTIFACT = leave_meanings_out(pa.schema(_DIALOGUE))
DROP_ARTIFACT = leave_meanings_out(pa.schema(_DROP))
DIALOGUES = pa.schema(
    [
        _ID,
        UNIT,
        required("title", pa.string(), "title of the post"),
        *(column for column in _DIALOGUE if column.name not in ("id", "summary", "turns", "plain")),
        *SPOKEN,
        *PROVENANCE,
    ]
)
DROPS = pa.schema([*_DROP, *PROVENANCE])


def tabulate_dialogues(post: CleanPost, dialogues: Sequence[Dialogue], topics: Mapping[str, str]) -> pa.Table:
    """Return the dialogues of a post as a table of `DIALOGUE_ARTIFACT`.

    `summary` is the post's title. `plain` has a line a turn, `messages` the form of chat models.
    """
    rows = [_describe(post, number, dialogue, topics) for number, dialogue in enumerate(dialogues)]
    return pa.Table.from_pylist(rows, schema=DIALOGUE_ARTIFACT)


def tabulate_drops(post: str, drops: Iterable[Drop]) -> pa.Table:
    """Return what was dropped of a post as a table of `DROP_ARTIFACT`."""
    rows = [{"post": post, **asdict(drop)} for drop in drops]
    return pa.Table.from_pylist(rows, schema=DROP_ARTIFACT)


@dataclass(frozen=True, slots=True)
class ReadDialogues:
    """The dialogues of a shard: `table` as a reader leaves them, `found` as they were. `stumbling` are those he takes out."""

    table: pa.Table
    found: pa.Table
    stumbling: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PostFilter:
    """What a release leaves out since all posts are compared: dialogues of less coherence than `least`, and reposts.

    `weight` is how far the reader of the settings is believed.
    """

    least: float
    reposts: frozenset[str]
    weight: float = 0.0

    def judge(self, read: ReadDialogues, reviews: Sequence[Decision] = ()) -> list[str]:
        """Return for each dialogue why a reader, this filter or raters (`reviews`) leave it out, "" where it stays."""
        rejected = find_rejected(read.table.select(["id", "turns"]).to_pylist() if reviews else (), reviews)
        rows = zip(*(read.table.column(name).to_pylist() for name in ("id", "post", "coherence")), strict=True)
        return [
            "a reader stumbles" if name in read.stumbling
            else "repost" if post in self.reposts
            else "least coherent" if coherence < self.least
            else REVIEWED if name in rejected
            else ""
            for name, post, coherence in rows
        ]  # fmt: skip


def mend_dialogues(table: pa.Table, marks: Mapping[str, Marks], weight: float, min_turns: int) -> ReadDialogues:
    """Return dialogues without the sentences over which a reader stumbles (`core.threads.reading.choose_sentences`).

    A turn keeps the score that it had before. `marks` are by dialogue.
    """
    rows, stumbling = table.to_pylist(), set[str]()
    for row in rows:
        if row["id"] not in marks:
            continue
        said = split_turns(row["pieces"])
        lengths, replied = [*map(len, said)], is_conversation(row["pieces"])
        kept = choose_sentences(lengths, row["scores"], marks[row["id"]], weight, min_turns, replied)
        if kept is None:
            stumbling.add(row["id"])
        elif sum(map(len, kept)) < sum(map(len, said)):
            row.update(_join_turns(row, kept))
    mended = pa.Table.from_pylist(rows, schema=DIALOGUE_ARTIFACT)
    return ReadDialogues(mended, table, frozenset(stumbling))


def split_turns(pieces: Iterable[Mapping[str, Any]]) -> tuple[Sentences, ...]:
    """Return the sentences of each turn of a dialogue, of its column `pieces`."""
    said: dict[int, list[str]] = {}
    for piece in pieces:
        said.setdefault(piece["turn"], []).extend(piece["sentences"])
    return tuple(map(tuple, said.values()))


def is_conversation(pieces: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether the turns of a dialogue are replies to each other, of its column `pieces`: only the first is of the post."""
    return all(piece["kind"] != "post" for piece in pieces if piece["turn"])


def _join_turns(row: Mapping[str, Any], kept: Sequence[Sequence[Place]]) -> dict[str, Any]:
    """Return the columns of a dialogue whose turns are each made of some former sentences.

    What joined a turn of speaker 1 to a reply that is gone (`thread`, `reaction`) is gone too. A turn has the score that its
    first sentence had.
    """
    single: dict[int, list[dict[str, Any]]] = {}  # each sentence of a turn as a piece
    for piece in row["pieces"]:
        for start, sentence in enumerate(piece["sentences"], piece["start"]):
            single.setdefault(piece["turn"], []).append(piece | {"start": start, "stop": start + 1, "sentences": [sentence]})
    pieces: list[dict[str, Any]] = []
    for number, turn in enumerate(kept):
        for former, place in turn:
            piece = single[former][place] | {"turn": number}
            last = pieces[-1] if pieces else None
            if number % 2 == 0 and piece["kind"] != "post" and (not number or kept[number - 1][-1][0] != former - 1):
                continue
            if last and all(last[name] == piece[name] for name in ("turn", "kind", "source")) and last["stop"] == piece["start"]:
                last["stop"], last["sentences"] = piece["stop"], [*last["sentences"], *piece["sentences"]]
            else:
                pieces.append(piece)
    scores = [row["scores"][turn[0][0] - 1] for turn in kept[1:]]
    return _say([" ".join(sentences) for sentences in split_turns(pieces)]) | {
        "pieces": pieces,
        "authors": sorted({piece["author"] for piece in pieces if piece["author"]}),
        "scores": scores,
        "coherence": measure_coherence(scores),
    }


def release_dialogues(read: ReadDialogues, filters: PostFilter, provenance: Provenance, reviews: Sequence[Decision] = ()) -> Rows:
    """Return the dialogues that a reader, the post-filter and raters (`reviews`) leave, as rows of a release."""
    kept = read.table.filter(pa.array([not reason for reason in filters.judge(read, reviews)], pa.bool_()))
    columns = {"unit": "post", "title": "summary", "dialogue": "plain"}  # by their names in the artifact
    return Rows(assemble(DIALOGUES, kept, {new: kept.column(old) for new, old in columns.items()}, provenance))


def release_drops(
    drops: pa.Table, read: ReadDialogues, filters: PostFilter, provenance: Provenance, reviews: Sequence[Decision] = ()
) -> Rows:
    """Return what was dropped, before the search, by a reader, the post-filter and raters (`reviews`), as rows of a release."""
    names = (read.table.column(name).to_pylist() for name in ("id", "post", "plain", "authors", "coherence"))
    rows = [
        {"id": name, "post": post, "kind": "dialogue", "reason": reason, "text": text, "authors": authors, "value": value}
        for name, post, text, authors, value, reason in zip(*names, filters.judge(read, reviews), strict=True)
        if reason
    ]
    table = pa.concat_tables([drops, pa.Table.from_pylist(rows, schema=DROP_ARTIFACT)])
    outcomes = list(zip(table.column("kind").to_pylist(), table.column("reason").to_pylist(), strict=True))
    return Rows(assemble(DROPS, table, {name: table.column(name) for name in table.column_names}, provenance), outcomes)


def _describe(post: CleanPost, number: int, dialogue: Dialogue, topics: Mapping[str, str]) -> dict[str, Any]:
    texts = [" ".join(sentences) for sentences in dialogue.utterances]
    pieces = [(place, piece) for place, turn in enumerate(dialogue.turns) for piece in turn]
    return {
        "id": f"{post.id}_{number}",
        "post": post.id,
        "forum": post.forum,
        "topic": topics.get(post.forum, post.forum),
        "summary": post.title,
        "pieces": [
            {"turn": place} | {name: getattr(piece, name) for name in ("kind", "source", "author", "start", "stop", "sentences")}
            for place, piece in pieces
        ],
        "authors": sorted({piece.author for _, piece in pieces if piece.author}),
        "scores": dialogue.scores,
        "coherence": dialogue.coherence,
        **_say(texts),
    }


def _say(texts: Sequence[str]) -> dict[str, Any]:
    """Return the columns that hold what is said."""
    return {
        "turns": [{"number": place, "speakers": [SPEAKERS[place % 2]], "text": text} for place, text in enumerate(texts)],
        "plain": "\n".join(f"{SPEAKERS[place % 2]}: {text}" for place, text in enumerate(texts)),
        "messages": [{"role": ROLES[place % 2], "content": text} for place, text in enumerate(texts)],
    }
