"""`fabula paper`: the tables and figures of a paper, from a store, beside what the paper published."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, astuple
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import ConfigError
from flows.cli.options import (
    DEFAULT_STORE,
    InProcessOption,
    JsonOption,
    SchedulerOption,
    StoreOption,
    TakenDownOption,
    WordNetOption,
    WorkersOption,
    open_store,
)
from flows.cli.tables import print_table, show_plain
from lab.papers.tables import HEADS, PAPERS, Part, read_parts, write_rows

if TYPE_CHECKING:
    from lab.papers.making import Made

Paper = StrEnum("Paper", {name: name for name in PAPERS})  # type: ignore[misc]  # mypy wants the names written out


def paper(
    name: Annotated[Paper, typer.Argument(help="The paper.")],
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[
        str | None, typer.Option(help="This dataset alone; default: those of the paper's pipelines, its own profile first.")
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            help="Folder with the paper's own data: crd3 `cleaned data`, `aligned data`, `gold`; sumtitles gold links; "
            "forums the published posts and dialogues; rooms labelled sentences.",
            metavar="DIR",
            file_okay=False,
            exists=True,
        ),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(help="Write the tables as Markdown and the figures as SVG.", metavar="FOLDER")
    ] = None,
    bert_score: Annotated[bool, typer.Option("--bert-score", help="Also compute BERTScore, as `fabula measure` does.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Measure only so many pairs of a dataset.")] = None,
    wordnet: WordNetOption = None,
    with_taken_down: TakenDownOption = False,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    in_process: InProcessOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make the tables and figures of a paper from a store, beside what it published, and say what cannot be made and why.

    Example: fabula paper crd3 --store ./fabula-store --corpus ~/CRD3/data --to tables
    """
    from flows.cli.terminal import progress_shown
    from flows.frame.measures import computing
    from infra.models.sentence_embedder import PACKAGED_MODEL
    from lab.papers.making import PaperCall, make_paper

    if wordnet is not None:
        os.environ["WNSEARCHDIR"] = wordnet  # for what computes with the settings of a release, which name none
    with progress_shown(lines=not as_json), computing(workers, scheduler, in_process) as compute:
        call = PaperCall(
            store=open_store(store),
            dataset=dataset,
            corpus=corpus,
            wordnet=wordnet,
            bert_model=PACKAGED_MODEL if bert_score else None,
            limit=limit,
            compute=compute,
            with_taken_down=with_taken_down,
        )
        made = make_paper(name.value, call)
    shown = {part for table in made.tables for part in table.parts} | made.shown
    rest = [part for part in read_parts(name.value) if part.name not in shown or "needs" in part.verdict]
    if to is not None:
        _write(to, name.value, made, rest)
    if as_json:
        tables = [asdict(table) for table in made.tables]
        print(json.dumps({"tables": tables, "figures": [*made.figures], "missing": made.missing, "parts": [*map(asdict, rest)]}))
        return
    print(show_plain(f"{PAPERS[name.value]}, made of {', '.join(made.sources) or 'nothing'}") + "\n")
    for table in made.tables:
        _print(table.title, table.heads, table.rows, table.note)
    _print("Its other parts, and what needs more, as docs/papers.md has them", HEADS, list(map(astuple, rest)))
    for line in made.missing:
        print(show_plain(f"needs  {line}"))
    if made.figures and to is None:
        print(f"--to FOLDER writes {len(made.figures)} figures: {', '.join(made.figures)}")


def _print(title: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], note: str = "") -> None:
    print(show_plain(title))
    texts = len(heads) if heads == HEADS else 1
    print_table(heads[:texts], heads[texts:], rows)
    print(show_plain(note) + "\n" if note else "")


def _write(folder: Path, name: str, made: "Made", rest: list[Part]) -> None:
    lines = [f"# {PAPERS[name]}", "", f"Made of {', '.join(made.sources) or 'nothing'}.", ""]
    for table in made.tables:
        lines += [f"**{table.title}**", "", *write_rows([table.heads, *table.rows]), "", table.note, ""]
    lines += [line for figure in made.figures for line in (f"![{figure}]({figure})", "")]
    lines += ["**Other parts, and what needs more**", "", *write_rows([HEADS, *map(astuple, rest)]), ""]
    lines += ["**Needed for the rest**", "", *(f"- {line}" for line in made.missing), ""] if made.missing else []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text("\n".join(lines), encoding="utf-8")
        for figure, svg in made.figures.items():
            (folder / figure).write_text(svg, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"--to {folder}: {error.strerror}; name a folder that can be written") from error
