"""The forums thesis's tables of people's answers: scores by profile, comparisons by topic and by other dataset."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from core.errors import ConfigError
from core.review.agreement import compare_items, measure_agreement, measure_position_bias, rate_items
from core.review.judgements import Judgement, is_model, keep_latest, select_question
from core.text.sentences import split_by_rules
from core.threads.config import ScorerConfig, ThreadsConfig
from core.threads.dialogues import CleanPost, join_pieces
from core.threads.formats import PREFIX, name_post, read_post
from core.threads.methods import find_dialogues, list_reachable
from core.threads.preparing import prepare_post
from core.threads.scoring import EmbeddingScorer, KnownScores, ReplyScorer
from infra.settings import load_config
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import choose_release
from infra.store.reviews import read_reviews
from infra.tables.parquet import read_rows
from lab.papers.figures import draw_levels
from lab.papers.tables import NONE, PaperTable, read_published, show
from tasks.frame.release_spec import Released
from tasks.threads.evaluation import LEAST_SECONDS, measure_speed, rate_share
from tasks.threads.scorers import make_scorer

COARSE = ("less natural", "the same", "more natural")
_SCORES = (
    ("4.3", "sense", "mean level of sense, 1 to 5", "table 4.3"),
    ("4.5", "interactions", "mean level of the interactions, 1 to 5", "table 4.5"),
)


@dataclass(frozen=True, slots=True)
class ForumDataset:
    """A released dataset of dialogues: its name, the profile of its last run, and what scored its replies."""

    name: str
    profile: str
    scorer: str


@dataclass(frozen=True, slots=True)
class Group:
    """Comparisons that stand in one row: their name, the published row that stands beside, and the answers."""

    name: str
    published: tuple[str, ...]
    answers: Sequence[Judgement]


def tabulate_sizes(sizes: Mapping[str, int]) -> PaperTable:
    """Return table 2.2 with the utterances of datasets of the store above the published ones."""
    return PaperTable(
        title="Forums, table 2.2: dialogue datasets and their sizes",
        heads=("dataset", "utterances"),
        rows=(
            *((f"{name} (this store)", f"{size:,}") for name, size in sizes.items()),
            *((f"{name} (published)", *size) for name, size in read_published("forums", "2.2").items()),
        ),
        parts=("table 2.2, sizes",),
    )


def tabulate_scores(store: Store, datasets: Sequence[ForumDataset]) -> list[PaperTable]:
    """Return tables 4.3 and 4.5: what people say of the dialogues of each profile, and 4.4: turns a second.

    Profiles of the thesis stand in all of them, with dashes where the store has no dataset of theirs or nobody has judged it.
    """
    found = []
    for table, question, title, part in _SCORES:
        published = read_published("forums", table)
        rows = []
        for profile, dataset in _pair_profiles(published, datasets):
            answers = _list_answers(store, dataset.name, question) if dataset else []
            rated = rate_items(answers)
            score = (f"{rated.score.value:.2f}", f"{rated.score.low:.2f} to {rated.score.high:.2f}") if rated else (NONE, NONE)
            n = str(rated.items if rated else 0)
            rows.append((profile, *_name(dataset), *score, n, *published.get(profile, (NONE,))))
        found.append(
            PaperTable(
                title=f"Forums, table {table}: {title}",
                heads=("profile", "dataset", "scorer", "ours", "95 % interval", "n (dialogues)", "published (authors' readings)"),
                rows=tuple(rows),
                note=f"Readers answer with `fabula review DATASET --annotator NAME`; nobody's answers are made up. {_DIFFERS}",
                parts=(part,),
            )
        )
    published = read_published("forums", "4.4")
    speeds = {each.name: measure_speed(store, each.name) for each in datasets}
    rows = [
        (profile, *_name(dataset), *_show_speed(speeds[dataset.name] if dataset else None), *published.get(profile, (NONE,)))
        for profile, dataset in _pair_profiles(published, datasets)
    ]
    speed = PaperTable(
        title="Forums, table 4.4: turns a second",
        heads=("profile", "dataset", "scorer", "ours", "n (turns computed)", "published"),
        rows=tuple(rows),
        note=f"Turns that were found in the store are not counted: they took no time. {_DIFFERS}",
        parts=("table 4.4, turns a second",),
    )
    return [found[0], speed, found[1]]


_DIFFERS = "The thesis scores with BERT-Large on posts of Reddit; the column says what scored here. The posts are others."


def group_comparisons(store: Store, datasets: Sequence[ForumDataset]) -> tuple[dict[str, list[Group]], list[Judgement]]:
    """Return the rows of tables 4.6 to 4.10 by table, of the answers of people that took a minute, and all these answers.

    The topic is that of our dialogue. The other dataset is the one of the store that has the other dialogue.

    Reference: thesis, sections 4.4 and 4.5.
    """
    contents = {each.name: _read_topics(store, each.name) for each in datasets}
    topics: dict[str, list[Judgement]] = {}
    others: dict[str, list[Judgement]] = {}
    answers: list[Judgement] = []
    for own, known in contents.items():
        for answer in _list_answers(store, own, "naturalness", LEAST_SECONDS):
            owners = (name for name, ids in contents.items() if name != own and answer.other in ids)
            owner = next(owners, "a dataset that is gone")
            topics.setdefault(known.get(answer.item, "a topic that is gone"), []).append(answer)
            others.setdefault(owner, []).append(answer)
            answers.append(answer)
    tables = {"4.6": [Group("all", read_published("forums", "4.6")["all"], answers)]}
    tables["4.7"] = list(_join_groups(topics, read_published("forums", "4.7")))
    published = {name: row for table in ("4.8", "4.9", "4.10") for name, row in read_published("forums", table).items()}
    tables["4.8 to 4.10"] = list(_join_groups(others, published))
    return tables, answers


def tabulate_comparisons(tables: Mapping[str, Sequence[Group]], answers: Sequence[Judgement]) -> list[PaperTable]:
    """Return tables 4.6 to 4.10, and how far annotators agree (section 4.4)."""
    titles = {
        "4.6": ("all comparisons", "table 4.6, coarse categories"),
        "4.7": ("by topic", "table 4.7, by topic"),
        "4.8 to 4.10": ("by other dataset", "tables 4.8 to 4.10, by other dataset"),
    }
    bias = measure_position_bias(answers)
    told = "" if bias is None else f" That the place shown decides nothing: p = {bias.p_value:.2g}."
    found = [
        PaperTable(
            title=f"Forums, table{'s' if 'to' in table else ''} {table}: {titles[table][0]}, ours against the other",
            heads=("group", "n", *COARSE, "95 % interval of the last", *(f"{each}, published" for each in COARSE)),
            rows=tuple((group.name, str(len(group.answers)), *_describe(group.answers), *group.published) for group in groups),
            note=f"People compare with `fabula review DATASET --task compare --against OTHER --annotator NAME`.{told}",
            parts=(titles[table][1],),
        )
        for table, groups in tables.items()
    ]
    agreement, published = measure_agreement(answers), read_published("forums", "4.4 agreement")
    pairs = int(published["pairs"][0])
    rows = [
        (kind, show(value, ".1%"), str(agreement.pairs if agreement else 0), f"{int(published[kind][0]) / pairs:.1%} of {pairs}")
        for kind, value in (
            ("rough", agreement.rough if agreement else None),
            ("exact", agreement.exact if agreement else None),
        )
    ]
    heads = ("agreement of two annotators", "ours", "n (pairs)", "published")
    title = "Forums, section 4.4: agreement of two annotators on a comparison"
    return [*found, PaperTable(title=title, heads=heads, rows=tuple(rows), parts=("4.4 agreement of two annotators",))]


def draw_comparisons(tables: Mapping[str, Sequence[Group]]) -> dict[str, str]:
    """Return figures 4.1 to 4.6 as SVG: the five levels of the comparisons by topic, by other dataset and of all."""
    found = {}
    names = {"4.7": "figures-4.1-and-4.2-topic", "4.8 to 4.10": "figures-4.3-to-4.5-against", "4.6": "figure-4.6"}
    for table, name in names.items():
        for group in tables[table]:
            compared = compare_items(group.answers)
            if compared is not None:
                title = f"{group.name}: {len(group.answers)} comparisons"
                found[f"{name}-{re.sub('[^a-z0-9]+', '-', group.name.lower())}.svg"] = draw_levels(title, compared.levels)
    return found


def _join_groups(found: Mapping[str, Sequence[Judgement]], published: Mapping[str, tuple[str, ...]]) -> Iterator[Group]:
    """Yield the published rows with our answers of the same name, in whatever case, and then the other groups."""
    named = {name.lower().replace("-", ""): name for name in found}
    for name, row in published.items():
        yield Group(name, row, found.get(named.pop(name.lower().replace("-", ""), ""), ()))
    for name in sorted(named.values()):
        yield Group(name, (NONE,) * len(COARSE), found[name])


def _describe(answers: Sequence[Judgement]) -> tuple[str, ...]:
    compared = compare_items(answers)
    if compared is None:
        return (NONE,) * 4
    better = rate_share(sum(compared.levels[3:]), len(answers))
    interval = NONE if better is None else f"{better.low:.1%} to {better.high:.1%}"
    return (*(f"{share:.2%}" for share in (compared.worse, compared.same, compared.better)), interval)


def _list_answers(store: Store, dataset: str, question: str, least: float = 0.0) -> list[Judgement]:
    people = (entry for entry in read_reviews(store, dataset).judgements if not is_model(entry.annotator))
    return select_question(keep_latest(people), question, least)


def _pair_profiles(published: Mapping[str, Any], datasets: Sequence[ForumDataset]) -> Iterator[tuple[str, ForumDataset | None]]:
    """Yield the profiles of a published table with each of their datasets (None: there is none), then the other datasets."""
    for profile in published:
        own: list[ForumDataset | None] = [each for each in datasets if each.profile == profile]
        yield from ((profile, each) for each in own or [None])
    yield from ((each.profile, each) for each in datasets if each.profile not in published)


def _name(dataset: ForumDataset | None) -> tuple[str, str]:
    return (NONE, NONE) if dataset is None else (dataset.name, dataset.scorer)


def _show_speed(speed: tuple[int, float] | None) -> tuple[str, str]:
    if speed is None or not speed[1]:
        return NONE, "0"
    return f"{speed[0] / speed[1]:.3g}", f"{speed[0]:,}"


def _read_topics(store: Store, dataset: str) -> dict[str, str]:
    """Return the topic of each dialogue of the latest release by its id."""
    manifest = choose_release(store, dataset)
    released = Released(store=store, folder=release_key(dataset, manifest.version), manifest=manifest)
    rows = (row for key in released.list_keys("dialogues") for row in read_rows(store, key, ("id", "topic")))
    return {str(row["id"]): str(row["topic"]) for row in rows}


def compare_published(folder: Path, profiles: Sequence[str], scorer: ScorerConfig | None = None) -> PaperTable:
    """Compare the dialogues that the thesis's authors published with those that its profiles make of the same posts.

    `folder` has their posts (`reference_threads*.jsonl`) and dialogues (`reference_dialogues*.jsonl`). A turn is shared if both
    have it, whatever its blanks and signs. Chance: as many replies drawn of the same post's comments, 20 times.
    """
    rows = []
    for profile in profiles:
        config = load_config(ThreadsConfig, "threads", profile)
        shared = _count_shared(folder, config, make_scorer(scorer or ScorerConfig(kind="cosine")))
        names = ("same", "same by chance", "part", "part by chance")
        shares = [f"{shared[name] / max(shared['replies'], 1):.3f}" for name in names]
        rows.append((profile, f"{shared['turns'] / max(shared['all turns'], 1):.3f}", str(shared["replies"]), *shares))
    return PaperTable(
        title="Forums: the dialogues that the authors published, beside ours of the same posts",
        heads=("profile", "their turns, shared", "n (replies)", "same reply", "by chance", "a sentence shared", "by chance"),
        rows=tuple(rows),
        note=f"{len(_read_lines(folder, 'threads'))} posts; theirs are of a later crawl and scored by BERT-Large.",
        parts=("published dialogues, 30",),
    )


def _count_shared(folder: Path, config: ThreadsConfig, scorer: ReplyScorer) -> Counter[str]:
    published = {f"{PREFIX}{row['sid']}": row["dialogue"] for row in map(json.loads, _read_lines(folder, "dialogues"))}
    found: Counter[str] = Counter()
    for line in map(str.encode, _read_lines(folder, "threads")):
        post = prepare_post(read_post(name_post(line), [line], b"key"), config.prefilter, config.post, split_by_rules).post
        if post is None or post.id not in published:
            continue
        if isinstance(scorer, EmbeddingScorer):
            scorer.vectors.learn(list_reachable(post, config.search))
        dialogues = find_dialogues(post, KnownScores(scorer), config.search, config.scorer.max_context)
        ours = {_squeeze(" ".join(said)) for each in dialogues for utterance in join_pieces(each.turns) for said in [utterance]}
        theirs = published[post.id]
        found.update({"all turns": len(theirs), "turns": sum(_squeeze(turn) in ours for turn in theirs)})
        replies = theirs[1::2]
        pieces = [piece for each in dialogues for turn in each.turns for piece in turn if piece.kind == "comment"]
        found.update(_match(replies, [piece.sentences for piece in pieces], ""))
        found["replies"] += len(replies)
        chance: Counter[str] = Counter()
        for seed in range(_DRAWS):
            chance.update(_match(replies, _draw(post, len(pieces), config.search.max_segment, Random(seed)), " by chance"))
        found.update({name: count / _DRAWS for name, count in chance.items()})
    return found


_DRAWS = 20


def _match(replies: Sequence[str], said: Sequence[Sequence[str]], mark: str) -> dict[str, int]:
    """Return how many replies are the same as one that is said, and how many share a sentence with any."""
    whole = {_squeeze(" ".join(sentences)) for sentences in said}
    parts = {_squeeze(sentence) for sentences in said for sentence in sentences}
    same = sum(_squeeze(reply) in whole for reply in replies)
    part = sum(any(_squeeze(sentence) in parts for sentence in split_by_rules(reply)) for reply in replies)
    return {f"same{mark}": same, f"part{mark}": part}


def _draw(post: CleanPost, count: int, longest: int, draw: Random) -> list[Sequence[str]]:
    """Return comments of a post drawn at random, whole or as runs of up to `longest` sentences."""
    comments = [comment.sentences for comment in post.replies if comment.sentences]
    drawn = draw.sample(comments, min(count, len(comments)))
    if not longest:
        return [*drawn]
    starts = [draw.randrange(len(sentences)) for sentences in drawn]
    return [sentences[start : start + draw.randint(1, longest)] for sentences, start in zip(drawn, starts, strict=True)]


def _read_lines(folder: Path, kind: str) -> list[str]:
    files = sorted(folder.glob(f"reference_{kind}*.jsonl"))
    if not files:
        raise ConfigError(f"--corpus {folder}: no reference_{kind}*.jsonl there; the thesis's authors published 30 of them")
    return files[0].read_text("utf-8").splitlines()


def _squeeze(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(filter(str.isalnum, text.lower()))
