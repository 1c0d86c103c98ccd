"""Settings of the windows aligner: the model's probabilities, each with its reason."""

from dataclasses import asdict, dataclass

from core.errors import ConfigError

_PROBABILITIES = ("engaged", "edge_engaged", "unaligned", "unspoken_unaligned")
_ROUNDED = 1e-3  # shares in decimals may miss 1 by so much


@dataclass(frozen=True, slots=True)
class WindowsConfig:
    """How likely recap sentences and turns are to go together, by `core.alignment.windows`.

    Found by coordinate search on hand-read episodes (`docs/alignment.md`: what each is worth, and how it does on episodes that
    the search has not seen). Spans are short, middling or long: components in this order wherever there are three values.
    Lengths and gaps are in units of the pace: the turns that a sentence takes on average where it stands, by a clock that runs
    with what is said.
    """

    mention: float = 0.25  # of a sentence's terms, the rate at which a long turn inside its span says each
    edge_mention: float = 0.5  # the same for a span's first and last turn: readers begin and end where the words are
    mention_words: float = 24.0  # a turn with so many content words has half that rate: short turns say little
    engaged: tuple[float, ...] = (0.4, 0.2, 0.08)  # share of the turns inside that speak of the sentence: less in longer spans
    edge_engaged: float = 0.9  # the same of the first and last turns
    trust: float = 0.7  # exponent of a turn's likelihood ratio: turns repeat each other, so that full counting would be too sure
    rarity: float = 0.6  # added to the count of other turns with a term: one seen nowhere else is rare, not impossible
    chance_words: float = 6.0  # words added to every turn when chance is counted, or a match in a short turn would prove too much
    unaligned: float = 0.003  # sentences that no turn tells of
    unspoken_unaligned: float = 0.4  # the same of videos in the break and after the show
    length_shares: tuple[float, ...] = (0.4, 0.4, 0.2)  # of the spans; each component is geometric
    length_means: tuple[float, ...] = (0.15, 0.5, 1.5)  # in paces, times the sentence's terms over those of the average sentence
    retold_length_shares: tuple[float, ...] = (0.85, 0.1, 0.05)  # of sentences that retell an earlier episode: mostly one turn
    gap_shares: tuple[float, ...] = (0.15, 0.05, 0.55, 0.22, 0.03)  # same turn, next turn, near, far, back
    retold_gap_shares: tuple[float, ...] = (0.5, 0.25, 0.15, 0.05, 0.05)
    gap_means: tuple[float, ...] = (0.5, 2.5, 0.1)  # near, far, back, in paces
    clock_words: float = 0.3  # a turn takes as long as its content words and this many: spans begin and end with long turns
    story_share: float = 0.85  # of the turns, what the plot's sentences have between them: it sets their pace
    pace_power: float = 0.7  # a pace above 25 turns is drawn down to it (few sentences leave much out), one below drawn up
    retold_pace: float = 2.0  # turns a sentence that retells an earlier episode
    aside_pace: float = 10.0  # turns a sentence about announcements, the break, what comes after the show
    opening: float = 0.03  # mean turns before the first sentence, as a share of all
    closing: float = 0.08  # mean turns after the last one, as a share of all
    part_spread: float = 0.13  # standard deviation of where a part begins around an even division of the turns, as a share of all
    part_gap_shares: tuple[float, ...] = (0.05, 0.05, 0.3, 0.6, 0.0)  # of a part's first sentence: recaps skip much there
    part_gap: float = 0.06  # mean of the far gap there, at least: as a share of all turns


def check_windows(config: WindowsConfig) -> None:
    """Raise ConfigError for lists of a wrong length, shares that do not add up to 1, and values that are out of range."""
    for name, value in asdict(config).items():
        values = value if isinstance(value, tuple) else (value,)
        expected = len(config.length_means) if isinstance(value, tuple) else 1
        expected = 5 if name.endswith("gap_shares") else 3 if name == "gap_means" else expected
        where = f"the aligner's setting windows.{name} = {value}"
        if len(values) != expected or not values:
            raise ConfigError(f"{where}: {len(values)} values found, {expected} expected (lengths have as many as length_means)")
        if name.endswith("_shares") and (min(values) < 0 or abs(sum(values) - 1) > _ROUNDED):
            raise ConfigError(f"{where}: these are shares, which add up to 1, not to {sum(values):g}")
        if name in _PROBABILITIES and not 0 <= min(values) <= max(values) < 1:
            raise ConfigError(f"{where}: a probability is expected, from 0 to below 1")
        if min(values) < 0 or (min(values) == 0 and name not in (*_PROBABILITIES, "part_gap") and not name.endswith("_shares")):
            raise ConfigError(f"{where}: more than 0 is expected")
