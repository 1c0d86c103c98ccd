from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.dataset.splits import SPLITS, SplitConfig, assign_splits
from core.errors import ConfigError

ORDER = SplitConfig()
LISTS = SplitConfig(method="lists", lists={"train": ("C1E1", "C1E2"), "validation": ("C1E3",), "test": ("C1E4",)})
SEASONS = SplitConfig(method="groups")


def season(number: int, episodes: int, start: int = 1) -> list[str]:
    return [f"C{number}E{episode:03d}" for episode in range(start, start + episodes)]


def split_seasons(splits):
    return {unit[:2]: split for unit, split in splits.items()}


def test_order_equals_the_published_split(corpora):
    names = {"train": "train_files", "validation": "val_files", "test": "test_files"}
    folder = corpora / "crd3" / "aligned data"
    published = {unit: split for split, name in names.items() for unit in (folder / name).read_text(encoding="utf-8").split()}
    assert assign_splits(sorted(published, reverse=True), ORDER) == published


@pytest.mark.parametrize(
    ("count", "expected"), [(0, ()), (1, (1, 0, 0)), (3, (3, 0, 0)), (5, (4, 0, 1)), (10, (8, 1, 1)), (159, (127, 16, 16))]
)
def test_order_rounds_to_the_largest_remainder(count, expected):
    counts = Counter(assign_splits(season(1, count), ORDER).values())
    assert tuple(counts[split] for split in SPLITS if expected) == expected


def test_a_renamed_unit_keeps_its_split_and_case_does_not_distinguish_seasons():
    before = assign_splits(season(1, 20), ORDER)
    renamed = [unit.lower() for unit in season(1, 20)]
    assert assign_splits(renamed, ORDER, before) == {unit.lower(): split for unit, split in before.items()}
    assert assign_splits(["99000017", "the_film"], ORDER, {"tt99000017": "test", "The-Film": "test"}) == {
        "99000017": "test", "the_film": "test",
    }  # fmt: skip
    units = ["S01E01", "s01e02", "S02E01", "s02e02"]
    listed = SplitConfig(method="groups", lists={"train": ("s01",), "test": ("S02",)})
    assert assign_splits(units, listed) == {"S01E01": "train", "s01e02": "train", "S02E01": "test", "s02e02": "test"}
    by_share = assign_splits([*units, "s03e01"], SplitConfig(method="groups", shares=(0.4, 0.4, 0.2)))
    assert by_share == {"S01E01": "train", "s01e02": "train", "S02E01": "validation", "s02e02": "validation", "s03e01": "test"}
    both = SplitConfig(method="groups", lists={"train": ("S01",), "test": ("s01",)})
    assert both.list_problems() == [("lists", "s01 is in train and in test; keep it in one of them")]


batches = st.lists(st.sets(st.integers(1, 400), max_size=60), min_size=1, max_size=6)
configs = st.sampled_from(
    [
        ORDER,
        SEASONS,
        SplitConfig(shares=(0.34, 0.33, 0.33)),
        SplitConfig(method="groups", lists={"train": ("C3",)}),
        SplitConfig(method="lists", lists={"train": tuple(f"C{number % 4 + 1}E{number}" for number in range(401))}),
    ]
)


@settings(max_examples=40)
@given(batches, st.data())
def test_a_published_split_never_changes_whatever_the_settings(arrivals, data):
    earlier = {}
    for batch in arrivals:
        leaving = data.draw(st.sets(st.sampled_from(sorted(earlier))) if earlier else st.just(set()))
        units = ({f"C{number % 4 + 1}E{number}" for number in batch} | set(earlier)) - leaving
        splits = assign_splits(data.draw(st.permutations(sorted(units))), data.draw(configs), earlier)
        assert set(splits) == units
        assert all(splits[unit] == earlier[unit] for unit in units & set(earlier))
        earlier |= splits


@settings(max_examples=40)
@given(batches, st.sampled_from([(0.8, 0.1, 0.1), (0.5, 0.25, 0.25), (0.9, 0.0, 0.1)]))
def test_order_approaches_the_shares_however_the_corpus_grows(arrivals, shares):
    splits = {}
    for batch in arrivals:
        splits = assign_splits([*splits, *(f"C1E{number}" for number in batch)], SplitConfig(shares=shares), splits)
        counts = Counter(splits.values())
        for split, share in zip(SPLITS, shares, strict=True):
            assert -4 / 3 - 1e-4 <= counts[split] - share * len(splits) <= 2 / 3 + 1e-4


@settings(max_examples=40)
@given(batches)
def test_groups_stay_whole_however_the_corpus_grows(arrivals):
    splits = {}
    for batch in arrivals:
        splits = assign_splits([*splits, *(f"C{number % 7}E{number}" for number in batch)], SEASONS, splits)
        assert all(splits[unit] == split for unit in splits for other, split in splits.items() if unit[:2] == other[:2])


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (LISTS, "C1E5.*in no list"),
        (SplitConfig(method="groups", group_pattern="^(S)"), "does not match the unit id C1E5"),
        (SplitConfig(method="groups", group_pattern="^(S)?"), "does not match the unit id C1E5"),
        (SplitConfig(method="groups", groups={"Whitestone": ("C1E4",)}), "C1E5 is in no arc.*Whitestone"),
    ],
)
def test_refuses_with_the_unit_named(config, message):
    with pytest.raises(ConfigError, match=message):
        assign_splits(["C1E5"], config)


@pytest.mark.parametrize(
    ("seasons", "expected"),
    [
        ({1: 10}, {"C1": "train"}),
        ({1: 113, 2: 46}, {"C1": "train", "C2": "test"}),
        ({1: 80, 2: 10, 10: 10}, {"C1": "train", "C2": "validation", "C10": "test"}),
        ({1: 40, 2: 40, 3: 12, 4: 8}, {"C1": "train", "C2": "train", "C3": "validation", "C4": "test"}),
    ],
)
def test_whole_seasons_by_shares(seasons, expected):
    units = [f"C{number}E{episode}" for number, episodes in seasons.items() for episode in range(episodes)]
    splits = assign_splits(units, SEASONS)
    assert {unit.split("E")[0]: split for unit, split in splits.items()} == expected


def test_a_continued_season_keeps_its_split_and_arcs_go_by_story_order_or_to_the_listed_split():
    first = assign_splits(season(1, 100) + season(2, 20), SEASONS)
    second = assign_splits(season(1, 100) + season(2, 60) + season(3, 10), SEASONS, first)
    assert split_seasons(first) == {"C1": "train", "C2": "test"}
    assert split_seasons(second) == {"C1": "train", "C2": "test", "C3": "validation"}
    arcs = {"z-first": ("C1E1", "C1E2"), "middle": ("C1E3",), "a-last": ("C1E4",)}
    units = ["C1E1", "C1E2", "C1E3", "C1E4"]
    by_share = assign_splits(units, SplitConfig(method="groups", groups=arcs))
    by_list = assign_splits(units, SplitConfig(method="groups", groups=arcs, lists={"test": ("z-first",)}))
    assert list(by_share.values()) == ["train", "train", "validation", "test"]
    assert by_list["C1E1"] == by_list["C1E2"] == "test"
    assert "train" in by_list.values()
