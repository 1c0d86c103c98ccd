"""What the pipeline `threads` makes of its units: the tables and statistics of a release, its card, and how a unit is shown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from core.dataset.card import COMMON_COLUMNS, Description
from core.dataset.paper_tables import tabulate_forums
from core.dataset.papers import FORUMS
from core.dataset.rejects import count_reasons, name_settings
from core.dataset.report import Drawing
from core.references import UnitReference
from core.threads.config import ThreadsConfig
from core.threads.dialogues import hash_beginning
from core.threads.formats import UNREADABLE
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.parquet import Rows
from infra.tables.threads import DIALOGUES, DROPS, PostFilter, release_dialogues, release_drops
from tasks.frame.release import ReleaseUnit, ShardReference, TableSpec, read_artifact
from tasks.frame.release_spec import Landed, ReleaseSpec, count_table_rows
from tasks.frame.report import Reporter
from tasks.frame.review_source import list_pairs

DESCRIPTION = Description(
    about="A row is a dialogue of two speakers that was put together from a forum post and its comments: the speakers never "
    "talked to each other in this order.",
    task="text-generation",
    languages=("en",),
    columns=COMMON_COLUMNS
    | {
        "id": "the post, and the number of the dialogue or comment",
        "title": "title of the post",
        "post": "the post: the same as `unit`",
        "forum": "the forum that the post is from",
        "topic": "topic of the forum; the forum itself where the settings name none",
        "pieces": "where each part of each turn comes from: post or comment, its author's pseudonym, its sentences",
        "authors": "pseudonyms of the authors",
        "scores": "how well each turn answers the one before, by the scorer",
        "coherence": "coherence of the whole dialogue, by which the least coherent are left out",
        "messages": "the dialogue in the form that chat models read",
        "kind": "what was left out: a post, a comment or a dialogue",
    },
    lacks={
        "summary": "nobody has summed these dialogues up. A post's title is the nearest thing, and stands in `title`; with the "
        'setting `post.title = "summary"` it is not part of the dialogue, so that a model may be trained to write it'
    },
    leakage="A post and all of its comments are in one split. Of a text that was posted several times, one post is kept.",
    citation=FORUMS,
    faults=("Post and comments are by several people, but each dialogue has two speakers: a speaker may contradict itself.",),
)

REASON_SETTINGS = {
    "language": ("prefilter.min_english",),
    "vulgar": ("prefilter.vulgar",),
    "over 18": ("prefilter.over_18",),
    "too short": ("prefilter.min_post_words", "prefilter.min_comment_words"),
    "title only": ("prefilter.min_post_sentences",),
    "discussion starter": ("prefilter.starter_threshold",),
    "language quality": ("prefilter.min_quality",),
    "forum": ("prefilter.forums", "prefilter.denied_forums"),
    "first sentence too long": ("post.max_characters",),
    "no dialogue long enough": ("search.min_turns",),
    "least coherent": ("postfilter.drop_share",),
}
"""The settings that decide why a post, comment or dialogue is left out; no setting decides the other reasons."""


@dataclass(slots=True)
class DialogueTotals:
    """Sums over dialogues, one at a time: the dialogues themselves are not kept.

    `repeated` needs the distinct sentences, of which only hashes are held (8 bytes and the set's room each).
    """

    dialogues: int = 0
    turns: int = 0
    words: int = 0
    pieces: Counter[str] = field(default_factory=Counter)
    by_turns: Counter[int] = field(default_factory=Counter)
    topics: Counter[str] = field(default_factory=Counter)
    coherence: float = 0.0
    sentences: int = 0
    seen: set[int] = field(default_factory=set)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a dialogue, a row of the release."""
        self.dialogues += 1
        self.turns += len(row["turns"])
        self.words += sum(len(turn["text"].split()) for turn in row["turns"])
        self.pieces.update(piece["kind"] for piece in row["pieces"])
        self.by_turns[len(row["turns"])] += 1
        self.topics[row["topic"]] += 1
        self.coherence += row["coherence"]
        for sentence in (sentence.casefold() for piece in row["pieces"] for sentence in piece["sentences"]):
            self.sentences += 1
            self.seen.add(hash(sentence))


def describe_dialogues(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of dialogues.

    `repetition` is the share of sentences that stand in the dialogues before, exactly but for case (section 2.1: Topical-Chat).
    Means are None without dialogues.
    """
    totals = DialogueTotals()
    for row in rows:
        totals.add(row)
    count, turns = totals.dialogues, totals.turns
    return {
        "dialogues": count,
        "utterances": turns,
        "turns_per_dialogue": turns / count if count else None,
        "words_per_turn": totals.words / turns if turns else None,
        "dialogues_by_turns": {str(length): totals.by_turns[length] for length in sorted(totals.by_turns)},
        "pieces": dict(sorted(totals.pieces.items())),
        "topics": dict(sorted(totals.topics.items())),
        "coherence": totals.coherence / count if count else None,
        "repetition": 1 - len(totals.seen) / totals.sentences if totals.sentences else None,
    }


def count_drops(counts: Sequence[tuple[tuple[str, str], int]]) -> dict[str, dict[str, int]]:
    """Return how many were dropped, by kind and reason; counts inside reasons are left out of their names."""
    dropped: dict[str, Counter[str]] = {}
    for (kind, reason), count in counts:
        name = "not listed by the page" if reason.endswith("does not list") else reason
        name = UNREADABLE if reason.startswith(UNREADABLE) else name
        dropped.setdefault(kind, Counter())[name] += count
    return {kind: dict(sorted(reasons.items())) for kind, reasons in sorted(dropped.items())}


def tabulate_threads(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the figures as rows of a table: `metric` and `value`."""
    figures = statistics["figures"]
    names = ("dialogues", "utterances", "turns_per_dialogue", "words_per_turn", "coherence", "repetition")
    rows = [{"metric": name.replace("_", " "), "value": _format(figures[name])} for name in names]
    for kind, reasons in statistics["dropped"].items():
        rows += [{"metric": f"{kind}s dropped: {reason}", "value": str(count)} for reason, count in reasons.items()]
    return rows


def _format(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3g}"


def list_tables(landed: Landed[ThreadsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release. The post-filter compares all dialogues, so they are read here."""
    filters = find_filters(landed)
    return (
        TableSpec(name="dialogues", schema=DIALOGUES, build=partial(_build_dialogues, filters), config=True, expansion=0.3),
        TableSpec(name="rejects", schema=DROPS, build=partial(_build_drops, filters), config=False, expansion=0.1),
    )


def find_filters(landed: Landed[ThreadsConfig]) -> PostFilter:
    """Compare all dialogues: return the coherence that one needs, and the posts that are reposts of others.

    The least coherence is the quantile of the share that is dropped (section 3.2.5). Posts whose first words are the same are
    one post under several ids; the one with the lowest id stays, or a copy could stand in another split. Memory is in proportion
    to the number of dialogues.
    """
    share = landed.config.postfilter.drop_share
    coherence = [np.zeros(0)]
    first: dict[int, str] = {}
    posts: dict[str, int] = {}
    for unit, reference in landed.references.items():
        table = decode_table(read_artifact(landed.store, unit, reference.artifacts["dialogues"]))
        coherence.append(table.column("coherence").to_numpy())
        for post, dialogue in zip(table.column("post").to_pylist(), table.column("plain").to_pylist(), strict=True):
            beginning = posts.setdefault(post, hash_beginning(dialogue))
            first[beginning] = min(first.get(beginning, post), post, key=lambda name: (len(name), name))
    known = np.concatenate(coherence)
    reposts = frozenset(post for post, beginning in posts.items() if first[beginning] != post)
    return PostFilter(float(np.quantile(known, share)) if share and len(known) else 0.0, reposts)


def _build_dialogues(filters: PostFilter, store: Store, unit: ReleaseUnit) -> Rows:
    return release_dialogues(decode_table(unit.read(store, "dialogues")), filters, unit.provenance, unit.reviews)


def _build_drops(filters: PostFilter, store: Store, unit: ReleaseUnit) -> Rows:
    drops, dialogues = (decode_table(unit.read(store, stage)) for stage in ("drops", "dialogues"))
    return release_drops(drops, dialogues, filters, unit.provenance, unit.reviews)


def summarise_threads(landed: Landed[ThreadsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    """Return what `stats.json` says: rows by table, figures of the released dialogues, and what was dropped."""
    drops = [(outcome, count) for shard in shards if shard.table == "rejects" for outcome, count in shard.counts.items()]
    figures = describe_dialogues(_read_dialogues(landed))
    return {**count_table_rows(landed, shards), "figures": figures, "dropped": count_drops(drops)}


def _read_dialogues(landed: Landed[ThreadsConfig]) -> Iterator[dict[str, Any]]:
    filters = find_filters(landed)
    for unit, reference in sorted(landed.references.items()):
        table = decode_table(read_artifact(landed.store, unit, reference.artifacts["dialogues"]))
        for row, reason in zip(table.to_pylist(), filters.judge(table), strict=True):
            if not reason and row["id"] not in landed.withheld.rows.get(unit, ()):
                yield row


def show_dialogues(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the dialogues of a shard, or those of one post, as lines; each part of a turn with its source."""
    for row in decode_table(store.read(reference.artifacts["dialogues"].key)).to_pylist():
        if name not in (row["post"], row["id"], reference.unit):
            continue
        yield f"{row['id']}  {row['forum']}  coherence {row['coherence']:.2f}  {row['summary']}"
        for piece in row["pieces"]:
            where = f"{piece['kind']} {piece['source']} {piece['start']}-{piece['stop'] - 1}"
            yield f"{piece['turn']:>5} {'AB'[piece['turn'] % 2]}: {' '.join(piece['sentences'])}  [{where}]"
    for row in decode_table(store.read(reference.artifacts["drops"].key)).to_pylist():
        if name in (row["post"], reference.unit) and row["kind"] == "post":
            yield f"{row['id']}  dropped: {row['reason']}"


def _report(landed: Landed[ThreadsConfig], tables: Sequence[TableSpec]) -> Reporter:
    from tasks.threads.report import report_posts  # reads posts, which no other command does

    return report_posts(landed, tables)


def _explore(store: Store, reference: UnitReference, name: str, config: ThreadsConfig) -> list[Drawing]:
    from tasks.threads.report import draw_comments

    return draw_comments(store, reference, name, config)


RELEASE = ReleaseSpec(
    review=partial(list_pairs, kind="rate"),
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("dialogues", "drops"),
    source="forum posts and their comments",
    summarise=summarise_threads,
    tabulate=tabulate_threads,
    paper_tables=lambda statistics, _: tabulate_forums(statistics),
    show=show_dialogues,
    report=_report,
    explain_rejects=lambda config, rows: name_settings(count_reasons(config, rows), REASON_SETTINGS, config),
    explore=_explore,
)
