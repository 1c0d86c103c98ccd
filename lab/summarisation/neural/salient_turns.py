"""Which turn each sentence of a summary retells: the targets of an extractor, and the pairs that an abstractor rewrites."""

from collections.abc import Sequence

from core.metrics.rouge import score_rouge
from core.text.numbering import Codes


def find_salient_turns(turns: Sequence[Codes], sentences: Sequence[Codes]) -> tuple[int, ...]:
    """Return for each summary sentence the turn (0-based) with the highest ROUGE-L recall that no earlier sentence has.

    Ties go to the first turn. Turns without words are never taken. Where the sentences outnumber the turns, the last sentences
    have none.

    Reference: Chen and Bansal, 2018, equation 6; `get_extract_label` of their program.
    """
    left = [place for place, turn in enumerate(turns) if turn.size]
    found = []
    for sentence in sentences:
        if not left:
            break
        best = max(left, key=lambda place: (score_rouge(sentence, turns[place]).rouge_l.recall, -place))
        left.remove(best)
        found.append(best)
    return tuple(found)
