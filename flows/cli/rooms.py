"""The subcommands for descriptions of rooms: rank what to judge next, write."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, TakenDownOption, open_release
from flows.cli.tables import print_figures, tell_refused

rank = typer.Typer(
    no_args_is_help=True, help="List what is most useful to judge next.\n\nExample: fabula rank rooms --store ./fabula-store"
)
write = typer.Typer(
    no_args_is_help=True, help='Write with a trained model.\n\nExample: fabula write rooms --prompt "You enter" --model ./writer'
)
DatasetOption = Annotated[str, typer.Option(help="Dataset of rooms.", metavar="NAME")]
JudgementsOption = Annotated[
    str | None, typer.Option(help="Folder with *.jsonl judgements, beside those in the store's reviews/.", metavar="DIR")
]


@rank.command("rooms")
def rank_rooms(
    store: StoreOption = DEFAULT_STORE,
    dataset: DatasetOption = "rooms",
    judgements: JudgementsOption = None,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Sentences to list.")] = 50,
    order: Annotated[
        Literal["useful", "likely"],
        typer.Option(help="useful: what teaches the ranker most; likely: the highest probability first."),
    ] = "useful",
    seed: Annotated[int, typer.Option(min=0, help="Seed for drawing sentences from a large dataset.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Write the list to this file, one JSON object a line.", metavar="FILE")] = None,
    with_taken_down: TakenDownOption = False,
) -> None:
    """List the sentences that are most useful to judge next: the ranker is unsure of them, and they are unlike those judged.

    A line has what a judgement of the sentence needs (item, dataset, version, question), its text and its probability.

    Example: fabula rank rooms --count 50 --store ./fabula-store
    """
    from infra.named_files import write_named_text
    from tasks.rooms.evaluation import rank_sentences

    opened = open_release(store, dataset, None, with_taken_down)
    found = rank_sentences(opened, dataset, judgements, count, seed, order)
    tell_refused(found["refused"])
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found["sentences"])
    if out is None:
        print(lines, end="")
        return
    write_named_text(out, "--out", lines)


@write.command("rooms")
def write_rooms(
    prompt: Annotated[list[str], typer.Option(help="How the descriptions begin; may be repeated.", metavar="TEXT")],
    model: Annotated[str, typer.Option(help="Folder that fabula train room-writer has filled.", metavar="DIR")] = "room-writer",
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Descriptions for each prompt.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Of the sampling.")] = 1,
    top_p: Annotated[float, typer.Option(min=0.01, max=1.0, help="Share of the probability that is sampled from.")] = 0.95,
    temperature: Annotated[float, typer.Option(min=0.01, max=10.0, help="Above 1: bolder; below 1: safer.")] = 0.9,
    sheet: Annotated[
        str | None,
        typer.Option(
            help="Also write NAME.jsonl, these and the table-based ones mixed blindly, and NAME.key.jsonl.", metavar="NAME"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write descriptions; near copies of the training data are removed and reported, and the measures compared with tables.

    Example: fabula write rooms --prompt "You enter" --model ./writer --count 20
    """
    from infra.models.language_models import Sampling
    from tasks.rooms.writer import write_rooms as write_texts

    sampling = Sampling(count=count, top_p=top_p, temperature=temperature, seed=seed)
    found = write_texts(model, tuple(prompt), sampling, sheet)
    if as_json:
        print(json.dumps(found))
        return
    for text in found["texts"]:
        print(text)
    print(f"{len(found['near_copies'])} near copies of the training data removed", file=sys.stderr)
    print_figures({name: found[name] or {} for name in ("near_copy_shares", "writer", "tables")})
