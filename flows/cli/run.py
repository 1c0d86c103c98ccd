"""`fabula run` and `fabula demo`: the subcommands that make datasets."""

import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import ConfigError
from flows.cli.options import (
    DEFAULT_STORE,
    AllowEmptyOption,
    AllowRemovalOption,
    ConfigOption,
    InProcessOption,
    JsonOption,
    LimitOption,
    SchedulerOption,
    StoreOption,
    StrictOption,
    UnitSecondsOption,
    WorkersOption,
    repeat_command,
)
from infra.orchestration.time_limit import UNIT_SECONDS, count_seconds
from infra.shipped_profiles import list_profiles
from tasks.pipelines import PIPELINES

if TYPE_CHECKING:
    from tasks.frame.ledger import RunCall, RunSummary
    from tasks.frame.pipeline import Pipeline

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="A setting over the file's, such as split.method=order. May be repeated.", metavar="NAME=VALUE"),
]

run = typer.Typer(
    no_args_is_help=True,
    help="Bring a store up to date with a source, and release the dataset.\n\nExample: fabula run transcripts --source DIR",
)


def _make_command(pipeline: "Pipeline") -> Callable[..., None]:
    """Return the subcommand of a pipeline: the options of every run, and one for each of its resources."""

    def command(**given: Any) -> None:
        from tasks.frame.ledger import RunCall

        strict, as_json = given.pop("strict"), given.pop("as_json")
        places = {resource.name: given.pop(resource.name) for resource in pipeline.resources}
        call = RunCall(
            source=tuple(given.pop("source")),
            config_file=given.pop("config"),
            settings=read_settings(given.pop("setting") or ()),
            resources={name: place for name, place in places.items() if place is not None},
            **given,
        )
        summary = _run(pipeline, call, as_json)
        _tell(summary, call.store, count_seconds(), as_json)
        raise typer.Exit(int(summary.fell_short or bool(strict and summary.quarantined)))

    profiles = ", ".join(list_profiles(pipeline.name))
    options: dict[str, tuple[Any, Any]] = {
        "source": (Annotated[list[str], typer.Option(help=pipeline.source, metavar="URL")], Parameter.empty),
        "store": (StoreOption, DEFAULT_STORE),
        "config": (ConfigOption, None),
        "profile": (
            Annotated[str, typer.Option(help=f"Named settings that ship with fabula: {profiles}.", metavar="NAME")],
            "default",
        ),
        "setting": (SetOption, None),
        "dataset": (Annotated[str, typer.Option(help="Name of the released dataset.", metavar="NAME")], pipeline.name),
        "workers": (WorkersOption, None),
        "scheduler": (SchedulerOption, None),
        "limit": (LimitOption, None),
        "unit_seconds": (UnitSecondsOption, UNIT_SECONDS),
    }
    for resource in pipeline.resources:
        options[resource.name] = (Annotated[str | None, typer.Option(help=resource.help, metavar=resource.metavar)], None)
    options |= {"in_process": (InProcessOption, False), "allow_empty": (AllowEmptyOption, False)}
    options |= {"allow_removal": (AllowRemovalOption, False), "strict": (StrictOption, False), "as_json": (JsonOption, False)}
    # Typer reads the options from the signature: this one is put together, since every pipeline has resources of its own.
    command.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, (annotation, default) in options.items()
        ]
    )
    command.__annotations__ = {name: annotation for name, (annotation, _) in options.items()} | {"return": None}
    return command


for _pipeline in PIPELINES:
    _examples = f"examples/{_pipeline.name}"
    _example = f"fabula run {_pipeline.name} --source {_examples} --config {_examples}/settings.toml"
    run.command(_pipeline.name, help=f"{_pipeline.summary}\n\nExample: {_example}")(_make_command(_pipeline))


def demo(store: StoreOption = DEFAULT_STORE, in_process: InProcessOption = False, as_json: JsonOption = False) -> None:
    """Run every pipeline on the examples that come with fabula.

    Example: fabula demo
    """
    from flows.cli.interruption import ending_on_signals
    from tasks.frame.ledger import RunCall

    examples = Path(__file__).parents[2] / "examples"
    if not examples.is_dir():
        raise ConfigError(f"no examples at {examples}; run the demo from a checkout of fabula")

    summaries, told = [], 0.0
    # One server for all runs.
    with ending_on_signals(repeat_command()), nullcontext() if in_process else prepared_server():
        for pipeline in PIPELINES:
            source = examples / pipeline.name
            call = RunCall(
                source=(str(source),),
                store=store,
                dataset=pipeline.name,
                config_file=str(source / "settings.toml"),
                in_process=in_process,
            )
            summaries.append(_run(pipeline, call, as_json))
            if not as_json:
                _tell(summaries[-1], store, count_seconds() - told, as_json)
            told = count_seconds()
    if as_json:
        print(json.dumps({"runs": [summary.as_json() for summary in summaries]}))
    raise typer.Exit(int(any(summary.fell_short for summary in summaries)))


def read_settings(given: Sequence[str]) -> dict[str, Any]:
    """Return the settings of `--set`, nested: the value is TOML, or a text where it is none."""
    settings: dict[str, Any] = {}
    for option in given:
        name, equals, value = option.partition("=")
        if not name or not equals:
            raise ConfigError(f"--set {option}: expected NAME=VALUE, as in --set alignment.aligner=greedy")
        try:
            parsed = tomllib.loads(f"value = {value}")["value"]
        except (ValueError, RecursionError):
            parsed = value
        *sections, last = name.split(".")
        table = settings
        for section in sections:
            table = table.setdefault(section, {})
            if not isinstance(table, dict):
                raise ConfigError(f"--set {option}: {section} has a value already; give a section or a value, not both")
        table[last] = parsed
    return settings


def _tell(summary: "RunSummary", store: str, seconds: float, as_json: bool) -> None:
    from flows.cli.terminal import list_exceptions, print_outcome

    list_exceptions(summary)
    if as_json:
        print(json.dumps(summary.as_json()))
    else:
        print_outcome(summary, store, seconds)


def _run(pipeline: "Pipeline", call: "RunCall", as_json: bool) -> "RunSummary":
    """Run a pipeline; a signal ends the command with the line that resumes the run."""
    from flows.cli.interruption import ending_on_signals
    from flows.cli.terminal import progress_shown
    from flows.frame.observer import current_observer

    with ending_on_signals(repeat_command()), progress_shown(lines=not as_json):
        current_observer().start("checks", 0)  # something to see, while what computes is imported
        if call.in_process:
            from flows.frame.ingestion import InProcessMapper
            from flows.frame.run import run_pipeline

            summary = run_pipeline(pipeline, call, InProcessMapper(), current_observer())
        else:
            summary = _run_flow(pipeline, call)
    if summary.discovered == 0:
        from flows.cli.look import describe_view
        from flows.cli.tables import show_plain
        from tasks.store.look_at import look_at

        print(
            f"{pipeline.name} finds nothing to do",
            *map(show_plain, describe_view(call.source, look_at(call.source))),
            sep="\n",
            file=sys.stderr,
        )
    return summary


def _run_flow(pipeline: "Pipeline", call: "RunCall") -> "RunSummary":
    """Run the pipeline's Prefect flow; a wrong call is answered at once, not after Prefect's server has started."""
    from infra.orchestration.large_imports import importing

    with ExitStack() as server:
        with importing():
            from flows.frame.beginning import check_call
            from flows.frame.observer import current_observer

            check_call(pipeline, call)
            current_observer().start("server", 0)
            server.enter_context(prepared_server())  # Prefect is imported while it starts
            from flows.frame.flow import make_flow

        current_observer().start("flow", 0)
        parameters = asdict(call) | {"source": list(call.source)}
        del parameters["in_process"], parameters["copied_from"]
        summary: RunSummary = make_flow(pipeline)(**parameters)
    return summary


@contextmanager
def prepared_server() -> Iterator[None]:
    """Let Prefect have a server inside the block: its own of this command, unless the user has named one, which has to answer."""
    from infra.orchestration.embedded_server import embedded_server
    from infra.orchestration.prefect import prepare_prefect

    prepare_prefect()
    with embedded_server() as own:
        if own is None:
            from infra.doctor import ask_prefect

            ask_prefect(patience=30)  # else Prefect ends the run with a traceback
        yield
