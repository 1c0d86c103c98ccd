"""What a person sees of an evaluation: tables of the figures with their confidence intervals."""

from collections.abc import Iterator, Mapping
from typing import Any

from flows.cli.terminal import OUTPUT


def print_quality(figures: Mapping[str, Any]) -> None:
    """Print the figures of the store and of `crd3`: all chunks and kept ones, in all and by episode; then the reliability."""
    profiles = {name: figures[name] for name in ("store", "crd3") if figures[name] is not None}
    lines = [
        f"{'':<18}{'chunks':>7}   " + "".join(f"{kind + ' P':>9}{'R':>7}{'F1':>7}{'95 %':>13}   " for kind in ("pooled", "macro"))
    ]
    for name, found in profiles.items():
        lines += _list_rows(name, found)
    for name, found in profiles.items():
        lines.append(
            f"{name}: {found['kept_share']:.1%} of the chunks kept, {found['coverage']:.1%} of the gold sentences found in chunks"
        )
    if reliability := figures["store"]["reliability"]:
        lines += _list_bins(reliability)
    for line in lines:
        OUTPUT.print(line.rstrip(), markup=False)


def print_agreement(figures: Mapping[str, Any]) -> None:
    """Print how links agree with gold: the store's and `sumtitles`', in all, by who made the gold, and by story."""
    profiles = {name: figures[name] for name in ("store", "sumtitles") if figures[name] is not None}
    width = max(len(part) for found in profiles.values() for part in [*found["by_source"], *found["by_story"]])
    width = max(width + 4, len("sumtitles"))
    lines = [
        f"{'':<{width}}{'links':>6}{'hit rate':>10}{'95 %':>13}{'distance':>10}{'95 %':>15}"
        f"{'IoU':>8}{'recall':>8}{'precision':>11}{'F1':>7}{'accuracy':>10}"
    ]
    for name, found in profiles.items():
        lines.append(_show_agreement(name, found["all"], width))
        for level in ("by_source", "by_story"):
            lines += [_show_agreement(f"  {part or 'own'}", value, width) for part, value in found[level].items()]
            lines.append("")
    if figures["left_out"]:
        lines.append(f"left out: {', '.join(figures['left_out'])}")
    lines.append("distance: to the nearest gold scene, in % of the script. IoU is what the paper calls precision.")
    for line in lines:
        OUTPUT.print(line.rstrip(), markup=False)


def _show_agreement(title: str, found: Mapping[str, Any], width: int) -> str:
    rates = found["rates"]
    if rates is None:
        return f"{title:<{width}}{0:>6}"
    hit, distance = rates["hit_rate"], rates["distance_percent"]
    shown = f"{title:<{width}}{rates['links']:>6,}{hit['value']:>10.3f}{hit['low']:>7.2f} –{hit['high']:>4.2f}"
    shown += f"{distance['value']:>8.1f} %{distance['low']:>8.1f} –{distance['high']:>5.1f}"
    measures = (("iou", 8), ("recall", 8), ("precision", 11), ("f1", 7), ("accuracy", 10))
    return shown + "".join(f"{'–' if found[name] is None else f'{found[name]:.3f}':>{space}}" for name, space in measures)


def _list_rows(name: str, found: Mapping[str, Any]) -> Iterator[str]:
    parts = {name: found, **{f"  {episode}": part for episode, part in found["by_episode"].items()}}
    for title, part in parts.items():
        for which, count in (("all", "chunks"), ("kept", "kept_chunks")):
            kinds = (part[which] or {}).values()
            yield f"{title + ', ' + which:<18}{part[count]:>7,}   " + "   ".join(map(_show_rates, kinds))


def _show_rates(rates: Mapping[str, Mapping[str, float]]) -> str:
    precision, recall, f1 = (rates[name]["value"] for name in ("precision", "recall", "f1"))
    return f"{precision:>9.3f}{recall:>7.3f}{f1:>7.3f}{rates['f1']['low']:>7.2f} –{rates['f1']['high']:>4.2f}"


def _list_bins(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"confidence in the store: calibration error {found['calibration_error']:.3f}, Brier score {found['brier']:.3f}"
    yield f"{'stated':>12}{'mean':>8}{'right':>8}{'chunks':>8}"
    for entry in found["bins"]:
        limits = f"{entry['low']:.1f} – {entry['high']:.1f}"
        yield f"{limits:>12}{entry['stated']:>8.3f}{entry['observed']:>8.3f}{entry['count']:>8,}"
