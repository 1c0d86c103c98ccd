"""The subcommand `fabula read`: what a model that reads is asked about a dataset's units, and its answers."""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption

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
    budget: Annotated[int, typer.Option(min=0, help="With --ask: the most tokens that it may cost.", metavar="TOKENS")] = 0,
    show: Annotated[str | None, typer.Option("--show", help="Print the questions about a unit as sent.", metavar="UNIT")] = None,
    as_json: JsonOption = False,
) -> None:
    """Have a model read a dataset's units: the next run weighs its answers (docs/readers.md).

    Without an option it only says how many questions are open, and what they cost.

    Example: fabula read transcripts --model my-model --to questions.jsonl
    """
    from core.errors import ConfigError
    from core.reading.questions import write_batch
    from flows.cli.options import open_store
    from flows.cli.terminal import waiting_shown
    from infra.models.chat_endpoint import MODEL, find_endpoint
    from infra.named_files import read_named_text
    from tasks.store.read import ask_endpoint, list_asked, take_answers

    if sum(map(bool, (to, answers, ask, show))) > 1:
        raise ConfigError("--to, --from, --ask and --show each do one thing; give one of them")
    opened = open_store(store)
    with waiting_shown() as say:
        if answers is not None:
            say(f"taking the answers of {answers}")
            text = read_named_text(answers, "--from", "name a batch file of answers", _MOST_BYTES)
            told = asdict(take_answers(opened, dataset, model, answers.name, text.splitlines()))
        else:
            say(f"listing the questions about {dataset}")
            units = list(list_asked(opened, dataset, model))
            questions = [question for unit in units for question in unit.left]
            told = {"units": len(units), "open": len(questions), "known": sum(len(unit.known) for unit in units)}
            told |= {"tokens": sum(question.tokens + question.most_tokens // 2 for question in questions)}
            if to is not None:
                try:
                    to.write_text("".join(write_batch(questions, model)), "utf-8")
                except OSError as error:
                    raise ConfigError(f"--to {to}: {error.strerror}; name a file in an existing folder") from error
            if ask:
                outcome = ask_endpoint(opened, model, find_endpoint({**os.environ, MODEL: model}), questions, budget, say)
                told |= {"asked": outcome.questions, "answered": outcome.answers, "spent": outcome.tokens}
                told |= {"given_up": outcome.given_up, "failures": outcome.failures}
    if show is not None:
        asked = next((unit.questions for unit in units if unit.unit == show), None)
        if asked is None:
            raise ConfigError(f"--show {show}: no such unit in {dataset}; fabula show {dataset} --list names them")
        for question in asked:
            print(f"{question.instructions}\n\n{question.text}\n")
        return
    if as_json:
        print(json.dumps(told))
    else:
        _tell(told, dataset, model, to)
    if told.get("refused") or told.get("failures"):
        sys.exit(1)


def _tell(told: dict[str, Any], dataset: str, model: str, to: Path | None) -> None:
    if "taken" in told:
        named = ", ".join(f"{name} ({count:,})" for name, count in told["answered_by"].items())
        print(f"{told['taken']:,} answers taken" + (f", by {named}" if named else ""))
        print(f"{told['known']:,} were there, {told['foreign']:,} are about no question of {dataset}")
    else:
        print(f"{dataset}: {told['open']:,} open questions about {told['units']:,} units, {told['known']:,} have an answer")
        print(f"the open ones cost about {told['tokens']:,} tokens, answers included")
    if to is not None:
        print(f"written to {to}; fabula read {dataset} --model {model} --from ANSWERS takes what comes back")
    if "asked" in told:
        print(f"{told['asked']:,} asked, {told['answered']:,} answered, {told['spent']:,} tokens")
        if told["asked"] < told["open"] and not told["given_up"]:
            print("the budget does not allow the next question; a higher --budget goes on where this call ended")
        if told["given_up"]:
            print("the endpoint gave no more answers, so the call has ended; call again later: nothing is asked twice")
    failures = told.get("refused") or told.get("failures") or []
    for line in failures[:_MOST_NAMED]:
        print(f"no answer  {line}", file=sys.stderr)
    if len(failures) > _MOST_NAMED:
        print(f"… and {len(failures) - _MOST_NAMED:,} more", file=sys.stderr)
    if told.get("taken") or told.get("answered"):
        print(f'set [reader] model = "{model}" and run fabula run {dataset} again: the aligner weighs the answers')
