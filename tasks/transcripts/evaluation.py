"""Evaluating `transcripts` on gold: the alignments in the store against spans read by hand, the paper's method beside."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

from core.alignment.config import CURVE
from core.alignment.spans import Chunk, Span
from core.alignment.windows import CUT
from core.dataset.report import Quality, ReviewCurve, name_figures
from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.metrics.alignment_quality import match_span
from core.metrics.fitting import FittedSettings, KnownRow, find_odds, fit_confidence
from core.metrics.reliability import Reliability
from core.reading.belief import FOUND
from core.reading.belief import READING as STAGE
from core.references import CatalogEntry, UnitReference
from core.review.agreement import measure_questions
from core.review.curves import simulate_review
from core.review.decisions import PEOPLE
from core.review.judgements import is_model
from core.text.decoding import decode_text
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.evaluation import (
    LOOKED_AT,
    GoldSentence,
    GradedChunk,
    GradedEpisode,
    describe_coverage,
    describe_quality,
    grade_episode,
    grade_reviewed,
    list_looks,
    rate_chunk_confidences,
    read_gold,
)
from infra.settings import load_config
from infra.sources.opening import list_sources, open_source, read_file
from infra.sources.records import RecordSource
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.reviews import read_reviews, write_evaluation
from infra.tables.transcripts.artifacts import ALIGNMENTS, READING, RECAP
from infra.tables.turns import DIALOGUE
from tasks.frame.build import read_stage
from tasks.frame.publish import collect_reviews
from tasks.frame.review import REVIEWED, find_compared, tell_judged, tell_today
from tasks.transcripts.build import align_recap
from tasks.transcripts.reading import TEXT_LIMIT

Gold = Mapping[str, Sequence[GoldSentence]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was found: figures for a program, what to tell a person beside them, and the store's reliability table."""

    figures: dict[str, Any]
    notes: tuple[str, ...]
    reliability: Reliability | None


def evaluate_reviewed(store: Store, config: FilterConfig, dataset: str = "transcripts") -> Evaluation:
    """Compare the aligner's spans with what people decided (`fabula review`), and the annotators with each other.

    Models that are believed decide rows of a release, but they are no gold.
    """
    catalog = {unit: entry.reference for unit, entry in read_catalog(store, dataset).items() if entry.reference is not None}
    graded = []
    for unit, found in collect_reviews(store, dataset, catalog).items():
        if decided := [decision for decision in found if decision.decided_by == PEOPLE]:
            pairs = ALIGNMENTS.decode(read_stage(store, catalog[unit], "alignments"))
            graded.append(grade_reviewed(unit, decided, pairs, config, _read_turns(store, catalog[unit])))
    if not any(episode.chunks for episode in graded):
        raise ConfigError(f"store {store.url}: nobody has decided a span yet; fabula review {dataset} --annotator NAME does")
    reviews = read_reviews(store, dataset)
    people = [entry for entry in reviews.judgements if not is_model(entry.annotator)]
    note = "annotators see rows of high priority first, so these chunks are harder than the others; for the quality of the "
    note += "release, review in random order (fabula review --order random)"
    evaluation = _describe(graded, (note, *reviews.refused))
    evaluation.figures["readers"] = [asdict(entry) for entry in measure_questions(people)]
    return evaluation


def evaluate_transcripts(
    store: Store, gold_url: str, config: FilterConfig, wordnet: str | None = None, dataset: str = "transcripts"
) -> Evaluation:
    """Compare the alignments of the landed episodes with gold: every `EPISODE.json` under `gold_url`.

    `config` decides which chunks count as kept. The profile `crd3` is computed on the spot from the stored dialogues and recaps;
    its figures are None where its dictionary is not at hand. Sentences of gold episodes that the store lacks count as not found.
    """
    gold = _read_gold(gold_url)
    landed, missing = _find_episodes(store, dataset, gold)
    notes = [f"gold {unit}: {why}" for unit, why in missing.items()]
    absent = sum(len({entry.text for entry in gold[unit] if entry.start is not None}) for unit in missing)
    own = [
        _grade_stored(store, unit, reference, gold[unit], ALIGNMENTS.decode(read_stage(store, reference, "alignments")), config)
        for unit, reference in landed.items()
    ]
    crd3 = None
    try:
        again = _grade_crd3(store, landed, gold, wordnet)
        crd3 = {"coverage": describe_coverage(again, absent), **describe_quality(again)}
    except ConfigError as error:
        notes.append(f"profile crd3 was not computed beside it: {error}")
    return _describe(own, tuple(notes), missing, absent, crd3)


def _describe(
    graded: Sequence[GradedEpisode],
    notes: tuple[str, ...],
    missing: Mapping[str, str] | None = None,
    absent: int = 0,
    crd3: dict[str, Any] | None = None,
) -> Evaluation:
    """Return the figures as JSON values; `missing` says why gold episodes are, `absent` counts their sentences."""
    curve = simulate_review(list_looks(graded), *LOOKED_AT)
    figures: dict[str, Any] = {
        "episodes": sorted(episode.episode for episode in graded),
        "missing": dict(missing or {}),
        "store": {"coverage": describe_coverage(graded, absent), **describe_quality(graded)},
        "crd3": crd3,
        "review_curve": None if curve is None else asdict(curve),
    }
    return Evaluation(figures, notes, rate_chunk_confidences([chunk for episode in graded for chunk in episode.chunks]))


def _read_gold(url: str) -> dict[str, tuple[GoldSentence, ...]]:
    source = open_source(url)
    if isinstance(source, RecordSource):  # people's spans in records are gold too
        files = [file for file in source.list_files() if file.path.startswith("gold/")]
    else:
        files = [file for file in list_sources([url]) if file.path.endswith(".json")]
    if not files:
        raise ConfigError(f"gold {url}: no EPISODE.json there; give the folder with one gold file an episode")
    contents = {file.path: decode_text(file.path, read_file(file, TEXT_LIMIT.bytes)) for file in files}
    return {PurePosixPath(path).stem: read_gold(path, text) for path, text in contents.items()}


def _find_episodes(store: Store, dataset: str, gold: Gold) -> tuple[dict[str, UnitReference], dict[str, str]]:
    """Return the landed episodes that have gold, and why the others are missing."""
    catalog = read_catalog(store, dataset)
    references = {unit: entry.reference for unit in gold if (entry := catalog.get(unit)) is not None}
    landed = {unit: reference for unit, reference in references.items() if reference is not None}
    missing = {unit: _explain(store, catalog.get(unit)) for unit in gold if unit not in landed}
    if not landed:
        unit, why = next(iter(missing.items()))
        raise ConfigError(f"none of the {len(gold)} gold episodes is in the store, such as {unit}: {why}")
    return landed, missing


def _explain(store: Store, entry: CatalogEntry | None) -> str:
    if entry is not None and entry.failure is not None:
        return f"store {store.url} has it in quarantine: {entry.failure.reason}"
    return f"store {store.url} lacks the episode; run `fabula run transcripts` on a source that has it, or take its gold away"


def _grade_stored(
    store: Store,
    unit: str,
    reference: UnitReference,
    gold: Sequence[GoldSentence],
    pairs: Sequence[tuple[Chunk, Span]],
    config: FilterConfig,
) -> GradedEpisode:
    turns = len(_read_turns(store, reference))
    last = max((entry.end for entry in gold if entry.end is not None), default=0)
    if last >= turns:
        raise ConfigError(
            f"gold {unit}: it names turn {last:,}, but the stored dialogue has {turns:,} turns (from 0); gold and store must "
            "come from the same transcript, cleaned with the same settings"
        )
    return grade_episode(unit, gold, pairs, config)


def _grade_crd3(store: Store, landed: Mapping[str, UnitReference], gold: Gold, wordnet: str | None) -> list[GradedEpisode]:
    config = load_config(TranscriptsConfig, "transcripts", "crd3")
    graded = []
    for unit, reference in landed.items():
        turns = DIALOGUE.decode(read_stage(store, reference, "dialogue"))
        recap = RECAP.decode(read_stage(store, reference, "recap"))
        pairs = align_recap(turns, recap, config.alignment, wordnet).pairs
        graded.append(grade_episode(unit, gold[unit], pairs, config.filter))
    return graded


def fit_stored(store: Store, gold_url: str | None, dataset: str = "transcripts") -> FittedSettings:
    """Fit the curve of confidence on all spans of a dataset that are known.

    Of an episode the first of these counts: gold; a reader who is believed, wherever he has read all of a chunk; what people have
    decided (`fabula review`), who have mostly looked at what is hard.

    Raises:
        ConfigError: too little is known (`fit_confidence`), or the gold cannot be used.
    """
    catalog = {unit: entry.reference for unit, entry in read_catalog(store, dataset).items() if entry.reference is not None}
    gold, reviewed, config = _read_gold(gold_url) if gold_url else {}, collect_reviews(store, dataset, catalog), FilterConfig()
    known: list[KnownRow] = []
    given = {"gold": 0, "reader": 0, "people": 0}
    for unit, reference in catalog.items():
        by_people = [decision for decision in reviewed.get(unit, ()) if decision.decided_by == PEOPLE]
        found = _read_found(store, reference)
        if unit in gold:
            source, graded = "gold", _grade_stored(store, unit, reference, gold[unit], found, config)
        elif FOUND in reference.artifacts:
            source, graded = "reader", _grade_read(store, unit, reference, found)
        else:
            source, graded = "people", grade_reviewed(unit, by_people, found, config, _read_turns(store, reference))
        spans = (span for chunk, span in found if chunk.size)  # a summary of the whole dialogue has no confidence either
        if any(span.start is not None and span.confidence is None for span in spans):
            raise ConfigError(f"{unit}: its spans have no confidence; a curve is fitted for alignment.aligner = windows only")
        told = [chunk for chunk in graded.chunks if chunk.match.predicted]
        known += [KnownRow(unit, float(find_odds(chunk.score, *CUT)), chunk.right) for chunk in told]
        given[source] += len(told)
    return FittedSettings({"alignment.windows.curve": fit_confidence(known, CURVE)}, given)


def _grade_read(store: Store, unit: str, reference: UnitReference, found: Sequence[tuple[Chunk, Span]]) -> GradedEpisode:
    """Compare what the aligner has `found` by itself with what it finds with a reader who is believed."""
    votes = READING.decode(read_stage(store, reference, STAGE)).votes
    heard = ALIGNMENTS.decode(read_stage(store, reference, "alignments"))
    graded = [
        GradedChunk(
            match_span(own.start, own.end, span.start, span.end), (unit, chunk.first_sentence // 8), None, True, own.score
        )
        for (chunk, own), (_, span) in zip(found, heard, strict=True)
        if span.start is not None
        and span.end is not None
        and all(sentence in votes for sentence in range(chunk.first_sentence, chunk.last_sentence + 1))
    ]
    return GradedEpisode(unit, tuple(graded), len(graded), len(graded))


def _read_turns(store: Store, reference: UnitReference) -> list[str]:
    return [turn.text for turn in DIALOGUE.decode(read_stage(store, reference, "dialogue"))]


def _read_found(store: Store, reference: UnitReference) -> list[tuple[Chunk, Span]]:
    """Return the chunks of an episode with what the aligner finds by itself, whether a reader is heard or not."""
    return [*ALIGNMENTS.decode(read_stage(store, reference, FOUND if FOUND in reference.artifacts else "alignments"))]


_PARTS = {"all": "every chunk", "kept": "chunks that the filter keeps"}
_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
_STAGE = "alignments"


def record_quality(
    store: Store, dataset: str, figures: dict[str, Any], config: FilterConfig, reviews: bool, judged: str = ""
) -> Quality:
    """Keep the figures of an evaluation (`Evaluation.figures`) for the card of the next release; return what is kept."""
    found, curve = figures["store"], figures["review_curve"]
    artifacts = find_compared(store, dataset, figures["episodes"], _STAGE)
    quality = Quality(
        gold=REVIEWED if reviews else "spans that people read",
        figures=tuple(
            figure
            for kept, part in _PARTS.items()
            if found[kept] is not None
            for figure in name_figures(
                found[kept]["pooled"], {key: f"{name} in turns, {part}" for key, name in _MEASURES.items()}
            )
        ),
        judged=judged or (tell_judged(store, dataset, ("span",)) if reviews else ""),
        measured=tell_today(),
        counted=f"{found['chunks']} chunks of {', '.join(artifacts)}",
        stage=_STAGE,
        artifacts=artifacts,
        settings={"filter": canonicalise(config)},
        curve=None if curve is None else ReviewCurve(**curve),
    )
    write_evaluation(store, dataset, "reviews" if reviews else "gold", quality)
    return quality
