"""What a person sees of an evaluation: tables of the figures with their confidence intervals."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flows.cli.tables import print_table

Figures = Mapping[str, Any]
_INTERVAL = "95 % CI"
_NONE = "–"
_QUALITY_NOTES = """
Precision, recall and F1 count turns.
pooled     over the turns of all chunks together
macro      mean over the chunks
95 % CI    95 % confidence interval of F1
"""
_RATES_NOTES = """
hit rate   share of the links that name a gold scene
distance   from the linked scene to the nearest gold scene, in % of the script
95 % CI    95 % confidence interval
"""
_READERS_NOTES = """
compared   pairs of annotators of one item; exactly and roughly are the shares of these that agree
alpha      Krippendorff's: 1 where all agree, 0 where they agree as chance would"""
_CELLS_NOTES = """
Measures of the SumTitles paper, over all pairs of scene and sentence.
IoU        what the paper calls precision"""


def print_quality(figures: Figures) -> None:
    """Print the quality of the alignments: for the store and for `crd3`, all and kept chunks, together and by episode."""
    profiles = {name: figures[name] for name in ("store", "crd3") if figures[name] is not None}
    rows = (
        row
        for name, found in profiles.items()
        for title, part in {name: found, **{f"  {episode}": part for episode, part in found["by_episode"].items()}}.items()
        for row in _list_quality(title, part)
    )
    print_table(["", "chunks", "average"], ["count", "precision", "recall", "F1", _INTERVAL], rows)
    print(_QUALITY_NOTES.rstrip())
    _print_shares(profiles)
    if reliability := figures["store"]["reliability"]:
        _print_reliability(reliability)


def print_annotators(questions: Iterable[Figures]) -> None:
    """Print how far annotators agree, a row a question; nothing without questions."""
    found = list(questions)
    if not found:
        return
    rows = []
    for each in found:
        shares = (_NONE if each[name] is None else f"{each[name]:.2f}" for name in ("exact", "rough", "alpha"))
        rows.append((each["question"], *(f"{each[name]:,}" for name in ("answers", "hasty", "pairs")), *shares))
    print_table(["question"], ["answers", "too fast", "compared", "exactly", "roughly", "alpha"], rows)
    print(_READERS_NOTES)
    for each in found:
        if bias := each["position_bias"]:
            print(f"{each['question']}: the place at which an item was shown changed the answers with p = {bias['p_value']:.3f}")


def print_agreement(figures: Figures) -> None:
    """Print how links agree with gold: for the store and for `sumtitles`, all links, by source of the gold, and by story."""
    profiles = {name: figures[name] for name in ("store", "sumtitles") if figures[name] is not None}
    rows = [(title, part) for name, found in profiles.items() for title, part in _list_parts(name, found)]
    rates = ((title, *_show_rates(part["rates"])) for title, part in rows)
    print_table([""], ["links", "hit rate", _INTERVAL, "distance", _INTERVAL], rates)
    print(_RATES_NOTES)
    cells = ((title, *(_show(part[name]) for name in ("iou", "recall", "precision", "f1", "accuracy"))) for title, part in rows)
    print_table([""], ["IoU", "recall", "precision", "F1", "accuracy"], cells)
    print(_CELLS_NOTES)
    if figures["left_out"]:
        print(f"left out   {', '.join(figures['left_out'])}")


def _list_quality(title: str, part: Figures) -> Iterator[tuple[str, ...]]:
    for which, count in (("all", "chunks"), ("kept", "kept_chunks")):
        for average, rates in (part[which] or {_NONE: None}).items():
            f1 = rates["f1"] if rates else None
            values = (_show(rates[name]["value"]) if rates else _NONE for name in ("precision", "recall", "f1"))
            yield title, which, average, f"{part[count]:,}", *values, _show_interval(f1)


def _print_shares(profiles: Mapping[str, Figures]) -> None:
    print()
    rows = []
    for name, found in profiles.items():
        share = found["kept_share"]
        rows.append((name, _NONE if share is None else f"{share:.1%}", f"{found['coverage']:.1%}"))
    print_table([""], ["chunks kept", "gold sentences found in chunks"], rows)


def _print_reliability(found: Figures) -> None:
    print(f"\nConfidence in the store: calibration error {found['calibration_error']:.3f}, Brier score {found['brier']:.3f}.\n")
    rows = []
    for entry in found["bins"]:
        limits = f"{entry['low']:.1f}–{entry['high']:.1f}"
        rows.append((limits, _show(entry["stated"]), _show(entry["observed"]), f"{entry['count']:,}"))
    print_table([], ["confidence", "mean", "share right", "chunks"], rows)


def _list_parts(name: str, found: Figures) -> Iterator[tuple[str, Figures]]:
    yield name, found["all"]
    for source, part in found["by_source"].items():
        yield f"  gold: {source or 'own'}", part
    for story, part in found["by_story"].items():
        yield f"  {story}", part


def _show_rates(rates: Figures | None) -> tuple[str, ...]:
    if rates is None:
        return "0", _NONE, _NONE, _NONE, _NONE
    hit, distance = rates["hit_rate"], rates["distance_percent"]
    shown = f"{distance['value']:.1f} %", f"{distance['low']:.1f}–{distance['high']:.1f}"
    return f"{rates['links']:,}", _show(hit["value"]), _show_interval(hit), *shown


def _show_interval(rate: Figures | None) -> str:
    return _NONE if rate is None else f"{rate['low']:.2f}–{rate['high']:.2f}"


def _show(value: float | None) -> str:
    return _NONE if value is None else f"{value:.3f}"
