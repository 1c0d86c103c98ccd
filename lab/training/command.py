"""The subcommands that train models: the ranker and the writer of rooms, the scorer of replies, the filter of posts."""

import json
import sys
from typing import Annotated

import typer

from flows.cli.options import DEFAULT_STORE, ConfigOption, StoreOption, TakenDownOption
from flows.cli.rooms import DatasetOption, JudgementsOption
from flows.cli.tables import tell_refused

train = typer.Typer(
    no_args_is_help=True,
    help="Train models.\n\nExample: fabula train room-ranker --gold examples/rooms/gold --store ./fabula-store",
)


@train.command("room-ranker")
def train_room_ranker(
    gold: Annotated[
        str | None, typer.Option(help="Folder with *.jsonl: text, label (0 or 1), kind and episode.", metavar="DIR")
    ] = None,
    judgements: JudgementsOption = None,
    store: StoreOption = DEFAULT_STORE,
    dataset: DatasetOption = "rooms",
    config: ConfigOption = None,
) -> None:
    """Train the ranker of room descriptions on labels and judgements, and keep it in the store. Prints its figures as JSON.

    Example: fabula train room-ranker --gold examples/rooms/gold --store ./fabula-store
    """
    from core.rooms.config import RoomsConfig
    from infra.settings import load_config
    from lab.training.ranker import train_ranker

    found = train_ranker(gold, store, dataset, judgements, load_config(RoomsConfig, "rooms", file=config))
    tell_refused(found.pop("refused"))
    print(json.dumps(found))


@train.command("room-writer")
def train_room_writer(
    model: Annotated[str, typer.Option(help="Folder of a causal model with its tokeniser.", metavar="DIR")],
    out: Annotated[str, typer.Option(help="Folder for checkpoints and the result.", metavar="DIR")] = "room-writer",
    store: StoreOption = DEFAULT_STORE,
    dataset: DatasetOption = "rooms",
    settings: Annotated[
        str | None, typer.Option(help="TOML file: epochs, batch, learning_rate, checkpoint_steps, …", metavar="FILE")
    ] = None,
    with_taken_down: TakenDownOption = False,
) -> None:
    """Fine-tune a causal language model on the descriptions of a dataset; called again, a stopped training is resumed.

    Example: fabula train room-writer --model ./gpt2 --out ./writer --store ./fabula-store
    """
    from infra.settings import read_toml, validate_config
    from infra.store.objects import Store
    from lab.training.writer import WriterConfig
    from lab.training.writer import train_room_writer as train_on_release
    from tasks.frame.taken_down import refuse_taken_down

    refuse_taken_down(Store(store), dataset, None, with_taken_down)
    given = read_toml(settings) if settings else {}
    checked = validate_config(WriterConfig, given, origin=settings or "defaults")
    print(json.dumps(train_on_release(model, store, dataset, out, checked, _tell_step)))


@train.command("reply-scorer")
def train_reply_scorer(
    source: Annotated[list[str], typer.Option(help="Forum posts, as for `fabula run threads`; may be repeated.", metavar="URL")],
    out: Annotated[str, typer.Option(help="Write the scorer to this file, which scorer.model then names.", metavar="FILE.json")],
    config: ConfigOption = None,
    limit: Annotated[int, typer.Option(min=100, max=100_000, help="Train and test on at most so many replies.")] = 5_000,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Train the scorer of replies on real replies against those of other posts. Prints its figures on held-out posts as JSON.

    The store keeps the sentences' vectors: another training embeds only what is new. `fabula prune` removes them.

    Example: fabula train reply-scorer --source ./forum --out reply_scorer.json
    """
    from core.threads.config import ThreadsConfig
    from infra.settings import load_config
    from lab.training.replies import train_reply_scorer as train_on_posts

    print(json.dumps(train_on_posts(source, out, load_config(ThreadsConfig, "threads", file=config), limit, store, _tell)))


@train.command("starter-classifier")
def train_starter_classifier(
    source: Annotated[list[str], typer.Option(help="Forum posts, as for `fabula run threads`; may be repeated.", metavar="URL")],
    out: Annotated[str, typer.Option(help="Write it to this file, which starter.classifier then names.", metavar="FILE.json")],
    labels: Annotated[str, typer.Option(help="Lines of a post's id, a tab, and 1 or 0.", metavar="FILE.tsv")],
    config: ConfigOption = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Train what tells posts that only invite discussion. Prints its figures beside those of the rules, cross-validated, as JSON.

    The store keeps the sentences' vectors: another training embeds only what is new.

    Example: fabula train starter-classifier --source ./forum --labels labels.tsv --out starters.json
    """
    from core.threads.config import ThreadsConfig
    from infra.settings import load_config
    from lab.training.starters import train_starter_classifier as train_on_posts

    settings = load_config(ThreadsConfig, "threads", file=config)
    print(json.dumps(train_on_posts(source, out, settings, labels, store, _tell)))


@train.command("next-sentence")
def train_next_sentence(
    corpus: Annotated[
        list[str],
        typer.Option(
            help="Files of DailyDialog, Topical-Chat, MultiWOZ, Multi-Session Chat, Switchboard; may be repeated.",
            metavar="URL",
        ),
    ],
    out: Annotated[str, typer.Option(help="Write the checkpoint to this new folder, for scorer.model.", metavar="DIR")],
    model: Annotated[str, typer.Option(help="Checkpoint of BERT: a name or a folder.", metavar="NAME")] = "bert-base-uncased",
    settings: Annotated[
        str | None, typer.Option(help="TOML file: part (head or all), epochs, batch, learning_rate, seed.", metavar="FILE")
    ] = None,
    limit: Annotated[int, typer.Option(min=10, max=1_000_000, help="Train on at most so many turns.")] = 5_000,
) -> None:
    """Fine-tune next-sentence prediction on dialogues. Prints how often it finds the next turn, before and after, as JSON.

    Example: fabula train next-sentence --corpus ./dailydialog --out ./nsp
    """
    from infra.settings import read_toml, validate_config
    from lab.training.fine_tuning import FineTuningConfig, fine_tune_next_sentence

    checked = validate_config(FineTuningConfig, read_toml(settings) if settings else {}, origin=settings or "defaults")
    print(json.dumps(fine_tune_next_sentence(corpus, model, out, checked, limit, _tell_step)))


def _tell(message: str) -> None:
    print(message, file=sys.stderr)


def _tell_step(step: int, steps: int, loss: float) -> None:
    if step == steps or step % 10 == 0:
        print(f"step {step} of {steps}, loss {loss:.3f}", file=sys.stderr)
