"""How good a scorer is: how often it ranks the true reply first, and whether it tells intact dialogues from shuffled ones."""

from collections.abc import Sequence
from random import Random

from scipy.stats import binomtest

from core.metrics.alignment_quality import Estimate
from core.threads.dialogues import measure_coherence, rate_turns
from core.threads.reply_pairs import ReplyPair
from core.threads.scoring import KnownScores, ReplyScorer, ScoreRequest
from core.threads.segments import Sentences


def rate_share(hits: int, total: int, level: float = 0.95) -> Estimate | None:
    """Return a share with Wilson's interval, None without trials."""
    if not total:
        return None
    interval = binomtest(hits, total).proportion_ci(level, method="wilson")
    return Estimate(hits / total, float(interval.low), float(interval.high))


def measure_recall(pairs: Sequence[ReplyPair], others: Sequence[Sequence[Sentences]], scorer: ReplyScorer) -> Estimate | None:
    """Return how often the true reply scores higher than all its `others` (recall@1), with Wilson's interval."""
    requests = [
        [pair.request, *(ScoreRequest(pair.context, other) for other in found)] for pair, found in zip(pairs, others, strict=True)
    ]
    hits = 0
    for asked in requests:
        true, *false = scorer(asked).tolist()
        hits += true > max(false)
    return rate_share(hits, len(pairs))


def measure_separation(
    dialogues: Sequence[Sequence[Sentences]], scorer: ReplyScorer, longest_context: int, seed: int = 0
) -> Estimate | None:
    """Return how often a dialogue is more coherent than with its turns shuffled, with Wilson's interval.

    Dialogues of fewer than three turns are left out. The order that is drawn is never the dialogue's own.

    Reference: thesis, section 3.2.5: what the post-filter has to be able to do.
    """
    draw = Random(seed)
    hits = total = 0
    for utterances in dialogues:
        if len(utterances) < 3:
            continue
        shuffled = list(utterances)
        while shuffled == list(utterances):
            draw.shuffle(shuffled)
            if len(set(utterances)) == 1:
                break
        scores = KnownScores(scorer)
        intact, mixed = (measure_coherence(rate_turns(each, scores, longest_context)) for each in (utterances, shuffled))
        hits += intact > mixed
        total += 1
    return rate_share(hits, total)
