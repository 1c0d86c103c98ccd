"""Settings of the windows aligner: the model's probabilities, each with its reason."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowsConfig:
    """How likely recap sentences and turns are to go together, by `core.alignment.windows`.

    Found by coordinate search for the mean of pooled and macro F1 on hand-read episodes, starting from guesses and drawn back to
    them (`docs/alignment.md`: what each is worth, and what it costs to leave an episode out of the search). Lengths and gaps are
    in units of the pace: the turns that a sentence takes on average where it stands, by a clock that runs with what is said.
    """

    mention: float = 0.5  # of a sentence's terms, the rate at which a long turn of its span says each
    mention_words: float = 6.0  # a turn with so many content words has half that rate: short turns say little
    engaged: float = 0.3  # of the turns of a span, the share that speaks in the sentence's words; the others could stand anywhere
    trust: float = 0.6  # exponent of a turn's likelihood ratio: turns repeat each other, so that full counting would be too sure
    rarity: float = 1.2  # added to the count of other turns with a term: one seen nowhere else is rare, not impossible
    chance_words: float = 5.0  # words added to every turn when chance is counted, or a match in a short turn would prove too much
    unaligned: float = 0.012  # sentences that no turn tells of: captions, sponsors' notes
    length_shares: tuple[float, ...] = (0.28, 0.58, 0.14)  # mixture of geometric lengths: one turn, a short span, a long one
    length_means: tuple[float, ...] = (0.6, 2.5)  # of the short and the long spans, in paces
    retold_length_shares: tuple[float, ...] = (0.6, 0.35, 0.05)  # of sentences that retell an earlier episode: mostly one turn
    gap_shares: tuple[float, ...] = (0.22, 0.06, 0.51, 0.18, 0.03)  # same turn, next turn, near, far, back
    retold_gap_shares: tuple[float, ...] = (0.5, 0.25, 0.15, 0.05, 0.05)
    gap_means: tuple[float, ...] = (0.35, 3.6, 0.1)  # near, far, back, in paces
    shared_words: float = 6.0  # two sentences share a turn of so many content words half as easily as a long monologue
    clock_words: float = 1.0  # a turn takes as long as its content words and this many: spans begin and end with long turns
    story_share: float = 0.85  # of the turns, what the plot's sentences have between them: it sets their pace
    retold_pace: float = 2.0  # turns a sentence that retells an earlier episode
    aside_pace: float = 10.0  # turns a sentence about announcements, the break, what comes after the show
    opening: float = 0.03  # mean turns before the first sentence, as a share of all
    closing: float = 0.06  # mean turns after the last one, as a share of all
