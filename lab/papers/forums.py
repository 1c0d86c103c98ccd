"""The forums thesis's tables of people's answers: scores by profile, comparisons by topic and by other dataset."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.review.agreement import compare_items, measure_agreement, measure_position_bias, rate_items
from core.review.judgements import Judgement, is_model, keep_latest, select_question
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import choose_release
from infra.store.reviews import read_reviews
from infra.tables.parquet import read_rows
from lab.papers.figures import draw_levels
from lab.papers.tables import NONE, PaperTable, make_table, show
from lab.readings.published import read_published
from tasks.frame.release_spec import Released
from tasks.threads.evaluation import LEAST_SECONDS, measure_speed, rate_share

_FIGURES = {"4.7": "figures-4.1-and-4.2-topic", "4.8 to 4.10": "figures-4.3-to-4.5-against", "4.6": "figure-4.6"}


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


def tabulate_scores(store: Store, datasets: Sequence[ForumDataset]) -> list[PaperTable]:
    """Return tables 4.3 and 4.5: what people say of the dialogues of each profile, and 4.4: turns a second.

    Profiles of the thesis stand in all of them, with dashes where the store has no dataset of theirs or nobody has judged it.
    """

    def rate(question: str) -> Callable[[str], tuple[str, ...]]:
        def show_rating(name: str) -> tuple[str, ...]:
            rated = rate_items(_list_answers(store, name, question))
            if rated is None:
                return NONE, NONE, "0"
            return f"{rated.score.value:.2f}", f"{rated.score.low:.2f} to {rated.score.high:.2f}", str(rated.items)

        return show_rating

    def show_speed(name: str) -> tuple[str, ...]:
        turns, seconds = measure_speed(store, name)
        return show(turns / seconds if seconds else None, ".3g"), f"{turns:,}"

    unrated = (NONE, NONE, "0")
    tables = (("4.3", rate("sense"), unrated), ("4.4", show_speed, (NONE, "0")), ("4.5", rate("interactions"), unrated))
    found = []
    for table, describe, absent in tables:
        published, rows = read_published(f"forums-{table}"), []
        for profile, own in _pair_profiles(published, datasets):
            ours = (own.name, own.scorer, *describe(own.name)) if own else (NONE, NONE, *absent)
            rows.append((profile, *ours, *published.get(profile, (NONE,))))
        found.append(make_table(f"forums-{table}", rows))
    return found


def group_comparisons(store: Store, datasets: Sequence[ForumDataset]) -> tuple[dict[str, list[Group]], list[Judgement]]:
    """Return the rows of tables 4.6 to 4.10 by table, of the answers of people that took a minute, and all these answers.

    The topic is that of our dialogue. The other dataset is the one of the store that has the other dialogue.

    Reference: thesis, sections 4.4 and 4.5.
    """
    contents = {each.name: _read_topics(store, each.name) for each in datasets}
    topics: defaultdict[str, list[Judgement]] = defaultdict(list)
    others: defaultdict[str, list[Judgement]] = defaultdict(list)
    answers: list[Judgement] = []
    for own, known in contents.items():
        for answer in _list_answers(store, own, "naturalness", LEAST_SECONDS):
            owners = (name for name, ids in contents.items() if name != own and answer.other in ids)
            topics[known.get(answer.item, "a topic that is gone")].append(answer)
            others[next(owners, "a dataset that is gone")].append(answer)
            answers.append(answer)
    named = {name: row for table in ("4.8", "4.9", "4.10") for name, row in read_published(f"forums-{table}").items()}
    tables = {
        "4.6": _join_groups({"all": answers}, read_published("forums-4.6")),
        "4.7": _join_groups(topics, read_published("forums-4.7")),
        "4.8 to 4.10": _join_groups(others, named),
    }
    return {table: list(groups) for table, groups in tables.items()}, answers


def tabulate_comparisons(tables: Mapping[str, Sequence[Group]], answers: Sequence[Judgement]) -> list[PaperTable]:
    """Return tables 4.6 to 4.10, and how far annotators agree (section 4.4)."""
    bias, agreement = measure_position_bias(answers), measure_agreement(answers)
    pairs, published = str(agreement.pairs if agreement else 0), read_published("forums-4.4 agreement")
    found = [
        make_table(
            f"forums-{table}",
            [(group.name, str(len(group.answers)), *_describe(group.answers), *group.published) for group in groups],
            p=show(bias.p_value if bias else None, ".2g"),
        )
        for table, groups in tables.items()
    ]
    shares = {"rough": agreement.rough, "exact": agreement.exact} if agreement else {}
    rows = [(kind, show(shares.get(kind), ".1%"), pairs, *row) for kind, row in published.items()]
    return [*found, make_table("forums-4.4 agreement", rows)]


def draw_comparisons(tables: Mapping[str, Sequence[Group]]) -> dict[str, str]:
    """Return figures 4.1 to 4.6 as SVG: the five levels of the comparisons by topic, by other dataset and of all."""
    compared = ((table, group, compare_items(group.answers)) for table, groups in tables.items() for group in groups)
    return {
        f"{_FIGURES[table]}-{re.sub('[^a-z0-9]+', '-', group.name.lower())}.svg": draw_levels(
            f"{group.name}: {len(group.answers)} comparisons", found.levels
        )
        for table, group, found in compared
        if found is not None
    }


def _join_groups(found: Mapping[str, Sequence[Judgement]], published: Mapping[str, tuple[str, ...]]) -> Iterator[Group]:
    """Yield the published rows with our answers of the same name, in whatever case, and then the other groups."""
    named = {name.lower().replace("-", ""): name for name in found}
    for name, row in published.items():
        yield Group(name, row, found.get(named.pop(name.lower().replace("-", ""), ""), ()))
    for name in sorted(named.values()):
        yield Group(name, (NONE,) * 3, found[name])


def _describe(answers: Sequence[Judgement]) -> tuple[str, ...]:
    compared = compare_items(answers)
    better = None if compared is None else rate_share(sum(compared.levels[3:]), len(answers))
    if compared is None or better is None:
        return (NONE,) * 4
    shares = (f"{share:.2%}" for share in (compared.worse, compared.same, compared.better))
    return (*shares, f"{better.low:.1%} to {better.high:.1%}")


def _list_answers(store: Store, dataset: str, question: str, least: float = 0.0) -> list[Judgement]:
    people = (entry for entry in read_reviews(store, dataset).judgements if not is_model(entry.annotator))
    return select_question(keep_latest(people), question, least)


def _pair_profiles(
    published: Mapping[str, tuple[str, ...]], datasets: Sequence[ForumDataset]
) -> Iterator[tuple[str, ForumDataset | None]]:
    """Yield the profiles of a published table with each of their datasets (None: there is none), then the other datasets."""
    for profile in published:
        own: list[ForumDataset | None] = [each for each in datasets if each.profile == profile]
        yield from ((profile, each) for each in own or [None])
    yield from ((each.profile, each) for each in datasets if each.profile not in published)


def _read_topics(store: Store, dataset: str) -> dict[str, str]:
    """Return the topic of each dialogue of the latest release by its id."""
    manifest = choose_release(store, dataset)
    released = Released(store=store, folder=release_key(dataset, manifest.version), manifest=manifest)
    rows = (row for key in released.list_keys("dialogues") for row in read_rows(store, key, ("id", "topic")))
    return {str(row["id"]): str(row["topic"]) for row in rows}
