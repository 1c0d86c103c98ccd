"""Where the reviews of a dataset stand: who has answered what, what comes of it, and how far the readers agree."""

from collections import Counter
from typing import Any

from core.review.agreement import measure_questions
from core.review.decisions import settle
from core.review.judgements import MEASURED, is_model, list_believed
from core.review.question_study import tabulate_study
from infra.store.objects import Store
from infra.store.reviews import read_reviews


def describe_reviews(store: Store, dataset: str) -> dict[str, Any]:
    """Return the figures of all judgements of a dataset, as JSON values.

    `readers` counts answers by reader and question, `decisions` the rows by verdict and by who decided, `disputed` names the rows
    on which readers do not agree, `agreement` of people has a row a question, `models` tells how far each is believed, `study` is
    CRD3's table 4 (empty without one), and `refused` are the lines that are no judgements.
    """
    reviews = read_reviews(store, dataset)
    people = [entry for entry in reviews.judgements if not is_model(entry.reader)]
    settled = settle(reviews.judgements, is_model, list_believed(reviews.judgements))
    readers = Counter((entry.reader, entry.question) for entry in reviews.judgements)
    decisions = Counter((decision.verdict, decision.decided_by) for decision in settled.decisions)
    study = tabulate_study(reviews.judgements)
    return {
        "dataset": dataset,
        "readers": [{"reader": who, "question": what, "answers": count} for (who, what), count in sorted(readers.items())],
        "decisions": [{"verdict": what, "decided_by": by, "rows": count} for (what, by), count in sorted(decisions.items())],
        "disputed": [dispute.item for dispute in settled.disputes],
        "too_fast": settled.hasty,
        "agreement": [entry.as_json() for entry in measure_questions(people)],
        "models": {entry.reader: entry.note for entry in reviews.judgements if entry.question == MEASURED},
        "study": [
            {"kind": row.kind, "correct": row.correct, "wrong": row.wrong, "declined": row.declined, "ungraded": row.ungraded}
            | {"precision": row.precision, "causes": row.causes}
            for row in study
            if sum((row.correct, row.wrong, row.declined, row.ungraded))
        ],
        "refused": list(reviews.refused),
    }
