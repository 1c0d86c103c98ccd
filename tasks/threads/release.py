"""What the pipeline `threads` makes of its units: tables and statistics of a release, its card and report, what `show` prints."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from core.dataset.card import FORUMS, Description
from core.dataset.rejects import count_reasons, name_settings
from core.dataset.report import MEASURES, SHARES, Drawing, Measure, ReportSpec
from core.people.pseudonyms import UNKNOWN_AUTHOR
from core.references import Artifact, UnitReference
from core.threads.config import ThreadsConfig
from core.threads.dialogues import hash_beginning
from core.threads.formats import UNREADABLE, name_post, read_post
from core.threads.mark_up import clean_text
from core.threads.reading import weigh_reader
from core.threads.withholding import withhold_people
from infra.pseudonym_key import find_pseudonym_keys
from infra.store.cipher import Cipher
from infra.store.objects import Store
from infra.store.takedown import read_takedown
from infra.tables.codecs import decode_table
from infra.tables.parquet import Rows
from infra.tables.threads import (
    DIALOGUES,
    DROPS,
    PostFilter,
    ReadDialogues,
    mend_dialogues,
    release_dialogues,
    release_drops,
)
from tasks.frame.build import read_artifact, read_stage
from tasks.frame.records import read_landed_lines
from tasks.frame.release import summarise_tables
from tasks.frame.release_spec import (
    Landed,
    Released,
    ReleaseSpec,
    ReleaseUnit,
    Reporter,
    ReviewSource,
    ShardReference,
    Summary,
    TableSpec,
)
from tasks.frame.report import TableColumns, TablePresenter
from tasks.frame.review import list_pairs
from tasks.threads.asking import READING

DESCRIPTION = Description(
    about="A row is a dialogue of two speakers out of a forum post and its comments. With `search.method = conversation` (the "
    "default) it is what the post's author and one commenter wrote to each other; otherwise it was put together, and the "
    "speakers never talked to each other in this order.",
    task="text-generation",
    languages=("en",),
    lacks={
        "summary": "nobody has summed these dialogues up. A post's title is the nearest thing, and stands in `title`; with the "
        'setting `post.title = "summary"` it is not part of the dialogue, so that a model may be trained to write it'
    },
    leakage="A post and all of its comments are in one split. Of a text that was posted several times, one post is kept.",
    citation=FORUMS,
    faults=(
        "Where a dialogue was put together, the comments are by several people and are one speaker's: he may contradict himself.",
    ),
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
    "a reader stumbles": ("reader.model",),
}
"""The settings that decide why a post, comment or dialogue is left out; no setting decides the other reasons."""


def describe_dialogues(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of dialogues, one at a time: they are not kept, and of their sentences only hashes are.

    `repetition` is the share of sentences that stand in the dialogues before, exactly but for case (section 2.1: Topical-Chat).
    Means are None without dialogues.
    """
    by_turns, pieces, topics = Counter[int](), Counter[str](), Counter[str]()
    words = sentences = 0
    coherence = 0.0
    seen: set[int] = set()
    for row in rows:
        by_turns[len(row["turns"])] += 1
        topics[row["topic"]] += 1
        coherence += row["coherence"]
        words += sum(len(turn["text"].split()) for turn in row["turns"])
        pieces.update(piece["kind"] for piece in row["pieces"])
        said = [hash(sentence.casefold()) for piece in row["pieces"] for sentence in piece["sentences"]]
        sentences += len(said)
        seen.update(said)
    count, turns = by_turns.total(), sum(length * times for length, times in by_turns.items())
    return {
        "dialogues": count,
        "utterances": turns,
        "turns_per_dialogue": turns / count if count else None,
        "words_per_turn": words / turns if turns else None,
        "dialogues_by_turns": {str(length): by_turns[length] for length in sorted(by_turns)},
        "pieces": dict(sorted(pieces.items())),
        "topics": dict(sorted(topics.items())),
        "coherence": coherence / count if count else None,
        "repetition": 1 - len(seen) / sentences if sentences else None,
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
    build = partial(_build, config=landed.config, filters=find_filters(landed))
    return (
        TableSpec(name="dialogues", schema=DIALOGUES, build=partial(build, "dialogues"), config=True, expansion=0.3),
        TableSpec(name="rejects", schema=DROPS, build=partial(build, "rejects"), config=False, expansion=0.1),
    )


def find_filters(landed: Landed[ThreadsConfig]) -> PostFilter:
    """Compare all dialogues: return the coherence that one needs, the posts that are reposts, and how far a reader is believed.

    Dialogues that the reader takes out do not count.
    The least coherence is the quantile of the share that is dropped (section 3.2.5). Posts whose first words are the same are
    one post under several ids; the one with the lowest id stays, or a copy could stand in another split. Memory is in proportion
    to the number of dialogues.
    """
    share = landed.config.postfilter.drop_share
    weight = weigh_reader(trial for found in landed.read_readings(READING) for trial in found.trials)
    coherence = [np.zeros(0)]
    first: dict[int, str] = {}
    posts: dict[str, int] = {}
    for _, read in _read_dialogues(landed, weight):
        left = np.array([name not in read.stumbling for name in read.table.column("id").to_pylist()], bool)
        coherence.append(read.table.column("coherence").to_numpy()[left])
        found = read.found.filter(pa.array(left))
        for post, dialogue in zip(found.column("post").to_pylist(), found.column("plain").to_pylist(), strict=True):
            beginning = posts.setdefault(post, hash_beginning(dialogue))
            first[beginning] = min(first.get(beginning, post), post, key=lambda name: (len(name), name))
    known = np.concatenate(coherence)
    reposts = frozenset(post for post, beginning in posts.items() if first[beginning] != post)
    return PostFilter(float(np.quantile(known, share)) if share and len(known) else 0.0, reposts, weight)


def _read_dialogues(landed: Landed[ThreadsConfig], weight: float) -> Iterator[tuple[str, ReadDialogues]]:
    """Yield the dialogues of each shard as a reader leaves them who is believed so far."""
    for unit, reference in sorted(landed.references.items()):
        yield unit, _read_unit(landed.config, weight, landed.store, unit, reference.artifacts)


def _read_unit(config: ThreadsConfig, weight: float, store: Store, unit: str, artifacts: Mapping[str, Artifact]) -> ReadDialogues:
    dialogues = decode_table(read_artifact(store, unit, artifacts["dialogues"]))
    if weight and "reading" in artifacts:
        found = READING.decode(read_artifact(store, unit, artifacts["reading"]))
        if found.model == config.reader.model:
            return mend_dialogues(dialogues, found.marks, weight, config.search.min_turns)
    return ReadDialogues(dialogues, dialogues)


def _build(
    table: Literal["dialogues", "rejects"], store: Store, unit: ReleaseUnit, *, config: ThreadsConfig, filters: PostFilter
) -> Rows:
    read = _read_unit(config, filters.weight, store, unit.unit, unit.artifacts)
    if table == "dialogues":
        return release_dialogues(read, filters, unit.provenance, unit.reviews)
    return release_drops(decode_table(unit.read(store, "drops")), read, filters, unit.provenance, unit.reviews)


def summarise(landed: Landed[ThreadsConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release: rows by table, figures of the released dialogues, and what was dropped."""
    drops = [(outcome, count) for shard in shards if shard.table == "rejects" for outcome, count in shard.counts.items()]
    filters = find_filters(landed)
    figures = describe_dialogues(_list_released(landed, filters))
    statistics = summarise_tables(landed, shards).statistics | {"figures": figures, "dropped": count_drops(drops)}
    return Summary(statistics, tabulate_threads(statistics), belief=filters.weight)


def _list_released(landed: Landed[ThreadsConfig], filters: PostFilter) -> Iterator[dict[str, Any]]:
    for unit, read in _read_dialogues(landed, filters.weight):
        for row, reason in zip(read.table.to_pylist(), filters.judge(read), strict=True):
            if not reason and row["id"] not in landed.withheld.rows.get(unit, ()):
                yield row


def show(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the dialogues of a shard, or those of one post, as lines; each part of a turn with its source."""
    for row in decode_table(read_stage(store, reference, "dialogues")).to_pylist():
        if name not in (row["post"], row["id"], reference.unit):
            continue
        yield f"{row['id']}  {row['forum']}  coherence {row['coherence']:.2f}  {row['summary']}"
        for piece in row["pieces"]:
            where = f"{piece['kind']} {piece['source']} {piece['start']}-{piece['stop'] - 1}"
            yield f"{piece['turn']:>5} {'AB'[piece['turn'] % 2]}: {' '.join(piece['sentences'])}  [{where}]"
    for row in decode_table(read_stage(store, reference, "drops")).to_pylist():
        if name in (row["post"], reference.unit) and row["kind"] == "post":
            yield f"{row['id']}  dropped: {row['reason']}"


def make_reporter(_: Landed[ThreadsConfig], tables: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    kept, rejects = tables
    columns = TableColumns(
        unit=("post",),
        confidence="coherence",
        facts={"forum": "forum", "topic": "topic", "kind": "kind", "value": "measured"},
        draw=draw_pieces,
    )
    return Reporter(
        present=TablePresenter(kept=kept, rejects=rejects, columns=columns),
        spec=ReportSpec(
            unit=("post", "posts"),
            row=("dialogue", "dialogues"),
            measures=(
                Measure(name="confidence", label="coherence", edges=SHARES),
                *(measure for measure in MEASURES if measure.name != "summary_words"),  # a dialogue of a forum has no summary
            ),
            explores="the tree of the post's comments, with those that the dialogues use",
        ),
    )


def draw_pieces(row: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the pieces of a dialogue by turn, with the score of each turn in the context of those before it."""
    if not row.get("pieces"):
        return ()
    names = ("turn", "kind", "source", "author", "start", "stop")
    pieces = [[piece[name] for name in names] for piece in row["pieces"]]
    return ({"kind": "pieces", "pieces": pieces, "scores": [round(score, 3) for score in row["scores"]]},)


LONGEST_TEXT = 400
"""Characters of a comment that the tree shows."""


def explore(store: Store, reference: UnitReference, post: str, _: ThreadsConfig) -> list[Drawing]:
    """Return the comments of a post as a tree; none where its records are not in the store any more.

    Each tells in which turns of the post's dialogues it is used, or why it was dropped. What is on the takedown list by now stays
    out.
    """
    takedown, secrets = read_takedown(store, "threads"), find_pseudonym_keys(store)
    if post in takedown or not secrets:
        return []
    cipher = Cipher(secrets[0])
    lines = (line for key in reference.inputs for line in read_landed_lines(store, key, cipher) if name_post(line) == post)
    kept = [withhold_people(post, line, takedown, secrets[0]) for line in lines]
    own = [record.line for record in kept if record.line is not None]
    if any(record.unit for record in kept) or not own:
        return []
    found = read_post(post, own, secrets[0])
    dialogues = decode_table(read_stage(store, reference, "dialogues")).to_pylist()
    drops = decode_table(read_stage(store, reference, "drops")).to_pylist()
    used: defaultdict[str, list[str]] = defaultdict(list)
    for row in dialogues:
        for piece in row["pieces"] if row["post"] == post else ():
            used[piece["source"]].append(str(piece["turn"]))
    reasons = {row["id"]: row["reason"] for row in drops if row["post"] == post}
    nodes: list[dict[str, object]] = [_describe(post, "", found.author, found.title + " " + found.text)]
    nodes += [_describe(each.id, each.parent or post, each.author, each.text) for each in found.comments]
    for node in nodes:
        node["used"] = list(dict.fromkeys(used[str(node["id"])]))
        node["why"] = reasons.get(f"{post}_{node['id']}", "")
    return [
        {
            "kind": "tree",
            "title": f"The post and its {len(nodes) - 1:,} comments",
            "note": "A chip names the turns of the dialogue that a comment stands in, or why it was dropped.",
            "nodes": nodes,
        }
    ]


def _describe(name: str, parent: str, author: str | None, text: str) -> dict[str, object]:
    cleaned = clean_text(text).strip()
    short = cleaned if len(cleaned) <= LONGEST_TEXT else cleaned[:LONGEST_TEXT] + "…"
    return {"id": name, "parent": parent, "name": author or UNKNOWN_AUTHOR, "text": short}


def list_rows(released: Released) -> ReviewSource:
    """Return the rows, of each of which readers say how its interactions are."""
    return list_pairs(released, "rate")


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("dialogues", "drops"),
    source="forum posts and their comments",
    explain_rejects=lambda config, rows: name_settings(count_reasons(config, rows), REASON_SETTINGS, config),
)
