"""Reads the stored runs of a release and puts them side by side."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.errors import ConfigError
from infra.pages import read_asset
from infra.store.objects import Store
from infra.store.releases import choose_release
from lab.summarisation.board.board import Board, make_board, name_runs, tell_meteor
from lab.summarisation.board.bootstrap import resample
from lab.summarisation.board.page import render_page
from lab.summarisation.results import Scores, decode_scores, folder_key, list_results, scores_key


def compare_runs(
    store: Store,
    dataset: str,
    version: str | None = None,
    against: str | None = None,
    runs: Collection[str] | None = None,
) -> list[Board]:
    """Return a board for all runs of a release that were on the same rows; `runs`: only of these.

    A run whose system ran again with the same settings after the measures or the system had changed is left out.
    """
    chosen = choose_release(store, dataset, version).version
    results = [result for result in list_results(store, dataset, chosen) if runs is None or result["run"] in runs]
    if not results:
        raise ConfigError(
            f"store {store.url} has no benchmark of {dataset} {chosen}; `fabula benchmark {dataset} --store {store.url}` runs one"
        )
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for result in results:
        groups.setdefault(_tell_rows(result), []).append(result)
    kept = [_drop_superseded(group) for group in groups.values()]
    if against is not None and not any(against in (*name_runs(group), *(result["label"] for result in group)) for group in kept):
        labels = dict.fromkeys(str(result["label"]) for group in kept for result in group)
        raise ConfigError(f"--against {against}: no run of {dataset} {chosen} has this label; they are {', '.join(labels)}")
    boards = [board for group in groups.values() for board in _make_boards(store, group, against)]
    return sorted(boards, key=lambda board: (board.split != "test", board.config, -board.n_rows, board.seed or 0))


def write_page(store: Store, boards: Sequence[Board]) -> str:
    """Write the page of all boards of a release; return its place."""
    css = read_asset("common.css").decode("utf-8")
    key = f"{folder_key(boards[0].dataset, boards[0].version)}/benchmark.html"
    store.write(key, render_page(boards, css).encode("utf-8"))
    return store.locate(key)


def _tell_rows(result: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what decides which rows a run was on: the seed draws them where there is a limit."""
    limit = result["limit"]
    return result["config"], result["split"], limit, None if limit is None else result["seed"]


def _make_boards(store: Store, results: Sequence[dict[str, Any]], against: str | None) -> list[Board]:
    """Return the board of some runs; several where an earlier program drew other rows than this one."""
    same: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    scores: dict[str, Scores] = {}
    for result in results:
        found = decode_scores(store.read(scores_key(result["dataset"], result["version"], result["run"])))
        scores[result["run"]] = found
        same.setdefault(tuple(found.ids), []).append(result)
    boards = []
    for runs in map(_drop_superseded, same.values()):
        measured = [scores[result["run"]] for result in runs]
        boards.append(make_board(runs, [each.columns for each in measured], resample(measured[0].units), against))
    return boards


def _drop_superseded(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    latest: dict[str, dict[str, Any]] = {}
    for result in results:
        names = ("label", "system", "settings", "budget", "seed", "train", "pretrain")
        same = str([[result.get(name) for name in names], tell_meteor(result)])
        known = latest.get(same)
        if known is None or _order(result) > _order(known):
            latest[same] = result
    return list(latest.values())


def _order(result: Mapping[str, Any]) -> tuple[int, int, int]:
    measured = sum(interval is not None for interval in result["measures"].values())
    return result["system_version"], result["measures_version"], measured
