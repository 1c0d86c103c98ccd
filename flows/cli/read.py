"""The subcommand `fabula read`: what a model that reads is asked about a dataset's units, and its answers."""

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import ConfigError
from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, open_store

if TYPE_CHECKING:
    from core.reading.questions import Question, Reader
    from infra.store.objects import Store

_MOST_NAMED = 10
_MOST_BYTES = 2**28  # of a file of answers


def read(
    dataset: Annotated[str, typer.Argument(help="Name of a dataset in the store: transcripts, ...")],
    model: Annotated[
        str, typer.Option(help="Name of the model: the answers are kept under it ([reader] model).", metavar="NAME")
    ],
    store: StoreOption = DEFAULT_STORE,
    to: Annotated[Path | None, typer.Option("--to", help="Write the open questions as a batch file.", metavar="FILE")] = None,
    answers: Annotated[Path | None, typer.Option("--from", help="Take the answers of a batch file.", metavar="FILE")] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask the endpoint that FABULA_MODEL_URL names.")] = False,
    folder: Annotated[
        Path | None, typer.Option(help="Ask the model in a folder, on this machine (extra embeddings).", metavar="PATH")
    ] = None,
    budget: Annotated[
        int, typer.Option(min=0, help="With --ask and --folder: the most tokens that it may cost.", metavar="TOKENS")
    ] = 0,
    price_in: Annotated[float, typer.Option(min=0, help="Price of a million tokens of questions.", metavar="MONEY")] = 0.0,
    price_out: Annotated[float, typer.Option(min=0, help="Price of a million tokens of answers.", metavar="MONEY")] = 0.0,
    show: Annotated[
        str | None, typer.Option("--show", help="Print the questions about a unit, or a row, as sent.", metavar="ID")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Have a model read a dataset's units: the next run weighs its answers (docs/readers.md).

    Without an option it only says how many questions are open, and what they cost.

    Example: fabula read transcripts --model my-model --to questions.jsonl
    """
    from core.reading.questions import write_batch
    from flows.cli.terminal import waiting_shown
    from infra.named_files import write_named_text
    from tasks.store.read import count_answerers, estimate_cost, find_questions, list_asked, order_open

    if sum(map(bool, (to, answers, ask, folder, show))) > 1:
        raise ConfigError("--to, --from, --ask, --folder and --show each do one thing; give one of them")
    opened = open_store(store)
    if answers is not None:
        _end(_take(opened, dataset, model, answers), model, as_json)
        return
    with waiting_shown(f"listing the questions about {dataset}"):
        units = list(list_asked(opened, dataset, model))
    if show is not None:
        for question in find_questions(opened, dataset, units, show):
            print(f"{question.instructions}\n\n{question.text}\n")
        return
    cost = estimate_cost(units)
    questions = order_open(units)
    told: dict[str, Any] = {"units": len(units), "open": len(questions), "known": sum(len(unit.known) for unit in units)}
    told |= {"tokens": cost.tokens, "answered_by": count_answerers(units)}
    if price_in or price_out:
        told["money"] = round(cost.price(price_in, price_out), 2)
    if not as_json:
        print(f"{dataset}: {told['open']:,} open questions about {told['units']:,} units, {told['known']:,} have an answer")
        measured = ", as the model has counted so far" if cost.counted else ""
        money = f", and {told['money']:,.2f} at your prices" if "money" in told else ""
        print(f"the open ones cost about {cost.tokens:,} tokens, answers included{measured}{money}", flush=True)
    if to is not None:
        write_named_text(to, "--to", "".join(write_batch(questions, model)))
        if not as_json:
            print(f"written to {to}; fabula read {dataset} --model {model} --from ANSWERS takes what comes back")
    if ask or folder is not None:
        asked = _ask(opened, _open_reader(model, folder), questions, budget, as_json)
        told |= asked | {"answered_by": dict(Counter(told["answered_by"]) + Counter(asked["answered_by"]))}
    _end(told, model, as_json)


def _take(store: "Store", dataset: str, model: str, file: Path) -> dict[str, Any]:
    from flows.cli.terminal import waiting_shown
    from infra.named_files import read_named_text
    from tasks.store.read import take_answers

    with waiting_shown(f"taking the answers of {file}"):
        text = read_named_text(file, "--from", "name a batch file of answers", _MOST_BYTES)
        return {"dataset": dataset, **asdict(take_answers(store, dataset, model, file.name, text.split("\n")))}


def _open_reader(model: str, folder: Path | None) -> "Reader":
    if folder is not None:
        from infra.models.local_reader import LocalReader

        return LocalReader(folder, model)
    from infra.models.chat_endpoint import MODEL, find_endpoint

    return find_endpoint({**os.environ, MODEL: model})


def _ask(store: "Store", reader: "Reader", questions: "Sequence[Question]", budget: int, as_json: bool) -> dict[str, Any]:
    """Ask a reader, and say what came of it."""
    from flows.cli.terminal import waiting_shown
    from tasks.store.read import ask_reader

    with waiting_shown() as say:
        found = ask_reader(store, reader, questions, budget, say)
    if not as_json:
        print(f"{found.asked:,} asked, {found.answered:,} answered, {found.spent:,} tokens")
        if found.counted:
            over = found.counted / found.estimated - 1
            print(f"{found.estimated:,} were expected of these answers, the model counted {found.counted:,} ({over:+.0%})")
        if found.left and not found.given_up:
            print("the budget does not allow the next question; a higher --budget goes on where this call ended")
        if found.given_up:
            print("the reader gave no more answers, so the call has ended; call again later: nothing is asked twice")
    return asdict(found)


def _end(told: dict[str, Any], model: str, as_json: bool) -> None:
    """Print what there is to say of answers; exit status 1 where some did not come."""
    failures = told.get("refused") or told.get("failures") or []
    if as_json:
        print(json.dumps(told))
    elif "taken" in told:
        print(f"{told['taken']:,} answers taken; {told['known']:,} were there")
        print(f"{told['foreign']:,} lines are about no question of {told['dataset']}")
    if not as_json and told["answered_by"]:
        counts = Counter(told["answered_by"]).most_common()
        named = (f"{name or 'a model without a name'} ({count:,})" for name, count in counts)
        print(f"answered by {', '.join(named)}")
    if len(told["answered_by"]) > 1:
        print(
            f"more than one model has answered as {model}, and they are weighed together; "
            "give the new one a name of its own (--model)",
            file=sys.stderr,
        )
    for line in failures[:_MOST_NAMED]:
        print(f"no answer  {line}", file=sys.stderr)
    if len(failures) > _MOST_NAMED:
        print(f"… and {len(failures) - _MOST_NAMED:,} more", file=sys.stderr)
    if not as_json and (told.get("taken") or told.get("answered")):
        print(f'set [reader] model = "{model}" and call fabula run again: it weighs the answers')
    if failures:
        sys.exit(1)
