"""What the report shows of a post: its dialogues, each part of a turn with its source, and on demand the tree of its comments."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from core.dataset.report import MEASURES, SHARES, Drawing, Measure, ReportSpec
from core.people.pseudonyms import UNKNOWN_AUTHOR
from core.references import UnitReference
from core.threads.cleaning import clean_text
from core.threads.config import ThreadsConfig
from core.threads.formats import name_post, read_post
from core.threads.withholding import withhold_people
from infra.pseudonym_key import find_pseudonym_keys
from infra.store.cipher import Cipher
from infra.store.objects import Store
from infra.store.takedown import read_takedown
from infra.tables.codecs import decode_table
from tasks.frame.records import read_landed_lines
from tasks.frame.release import TableSpec
from tasks.frame.release_spec import Landed
from tasks.frame.report import Reporter, TableColumns, TablePresenter


def report_posts(_: Landed[ThreadsConfig], tables: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    kept, rejects = tables
    columns = TableColumns(unit=("post",), confidence="coherence", facts={"forum": "forum", "topic": "topic"}, draw=draw_pieces)
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


def draw_comments(store: Store, reference: UnitReference, post: str, _: ThreadsConfig) -> list[Drawing]:
    """Return the comments of a post as a tree; none where its records are not in the store any more.

    Each tells in which turns of the post's dialogues it is used, or why it was dropped. What is on the takedown list by now stays
    out.

    Raises:
        StoreError: an artifact is missing, or the store failed.
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
    dialogues = decode_table(store.read(reference.artifacts["dialogues"].key)).to_pylist()
    drops = decode_table(store.read(reference.artifacts["drops"].key)).to_pylist()
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
