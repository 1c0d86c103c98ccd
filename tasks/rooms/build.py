"""One document, or one shard of records: sentences, the parts of their scores, and what finds copies among them."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache

import pyarrow as pa

from core.errors import SourceError
from core.references import UnitReference
from core.rooms.config import AnalysisConfig, RoomsConfig
from core.rooms.copies import digest_words, sign_text
from core.rooms.places import PlaceWeights, parse_weights, rate_sentences
from core.rooms.score import (
    CURSE_WORDS,
    CURSES,
    KEYS,
    Part,
    RoomLexicon,
    Similarity,
    analyse_by_rules,
    analyse_tagged,
    count_words,
    find_parts,
    list_candidates,
    parse_lexicon,
    score_parts,
)
from core.rooms.sentences import (
    DocumentSpec,
    Passage,
    RoomSources,
    find_rights,
    read_contribution,
    read_document,
    read_record,
    split_passages,
)
from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from infra.models.room_words import open_embedded_words, open_vector_words, read_place_weights, read_word_tables, tag_sentences
from infra.tables.codecs import TABLE, decode_table
from infra.tables.foreign import list_parquet
from infra.tables.rooms import (
    DIALOGUES,
    SENTENCES,
    read_dialogue_passages,
    read_parts,
    tabulate_parts,
    tabulate_prints,
    tabulate_sentences,
)
from tasks.frame.build import StageResult, UnitWork, join_checksums
from tasks.frame.model import LandedFile, SizeLimit
from tasks.frame.records import RECORD
from tasks.frame.shards import Member, MemberRows, ShardRules, build_shard
from tasks.rooms.asking import hear_reader

TEXT_LIMIT = SizeLimit(64 * 2**20, "a text or table", "Divide it, or save it as JSON Lines, which are read as a stream")
DIALOGUES_LIMIT = SizeLimit(512 * 2**20, "a file of a released dataset", "Release the dataset again")
BATCH = 512
"""Sentences that are analysed together."""
_KEY_WORDS = tuple(CURSES if key == "curse" else (key,) for key in KEYS)


def build(work: UnitWork[RoomsConfig]) -> UnitReference:
    """Build a document or a shard of records."""
    if work.unit.records:
        reference = _build_records(work)
        made = reference.artifacts["sentences"]
        sentences = made.fingerprint

        def load() -> pa.Table:
            return decode_table(work.store.read(made.key))

    else:
        landed, found = _read_document(work)
        reference = work.refer([landed], {"characters": len(landed.content)})
        sentences, load = found.artifact.fingerprint, found.load
    config = work.config
    parts = work.run("parts", TABLE, [sentences], config.analysis, lambda: analyse_sentences(load(), config.analysis))
    inputs = [sentences, parts.artifact.fingerprint]
    settings = [config.weights, config.selection, config.copies, bool(config.reader.model)]
    work.run("prints", TABLE, inputs, settings, lambda: _print_sentences(load(), parts.load(), config))
    return hear_reader(work, work.complete(reference))


def analyse_sentences(table: pa.Table, config: AnalysisConfig) -> pa.Table:
    """Return the parts of the score of each sentence of a `SENTENCES` table, as a table of `PARTS`, a batch at a time."""
    texts = table.column("text").to_pylist()
    tables = [tabulate_parts(find_text_parts(texts[start : start + BATCH], config)) for start in range(0, len(texts), BATCH)]
    return pa.concat_tables(tables).combine_chunks() if tables else tabulate_parts([])


def find_text_parts(texts: Sequence[str], config: AnalysisConfig) -> list[tuple[Part, ...]]:
    """Return the parts of the score of each text."""
    lexicon = _open_lexicon()
    similar = _open_similarity(config)
    if config.pipeline:
        analyses = [analyse_tagged(tokens, entities) for tokens, entities in tag_sentences(texts, config.pipeline)]
    else:
        analyses = [analyse_by_rules(text) for text in texts]
    known = similar([token.lower() for analysis in analyses for token in analysis.tokens])
    curses = CURSE_WORDS if config.curses == "list" else None
    return [
        find_parts(text, analysis, known, config.threshold, lexicon, curses)
        for text, analysis in zip(texts, analyses, strict=True)
    ]


@cache
def _open_lexicon() -> RoomLexicon:
    return parse_lexicon(*read_word_tables())


@cache
def _open_place_weights() -> PlaceWeights:
    return parse_weights(read_place_weights())


def _open_similarity(config: AnalysisConfig) -> Similarity:
    if config.similarity == "embeddings":
        return open_embedded_words(config.embedding_model, _KEY_WORDS)
    if config.similarity == "pipeline":
        return open_vector_words(config.pipeline, _KEY_WORDS)
    return lambda _: _open_lexicon().similarities


def _read_document(work: UnitWork[RoomsConfig]) -> tuple[LandedFile, StageResult[pa.Table]]:
    spec: DocumentSpec = work.unit.spec
    (file,) = work.unit.files
    landed = work.land(file, DIALOGUES_LIMIT if spec.kind == "dialogues" else TEXT_LIMIT)
    inputs = [work.unit.id, *join_checksums([landed]), spec.kind, json.dumps(asdict(spec.rights), sort_keys=True)]

    def read() -> pa.Table:
        passages = _read_passages(work.unit.id, file.path, landed.content, spec)
        return tabulate_sentences(work.unit.id, split_passages(passages, make_splitter(work.config.splitter)))

    return landed, work.run("sentences", TABLE, inputs, work.config.splitter, read)


def _read_passages(unit: str, path: str, content: bytes, spec: DocumentSpec) -> list[Passage]:
    if spec.kind == "contribution":
        rights, text = read_contribution(path, decode_text(path, content), spec.rights)
        return read_document(path, text.encode(), unit, rights)
    if spec.kind == "text":
        return read_document(path, content, unit, spec.rights)
    try:
        return read_dialogue_passages(list_parquet(content, DIALOGUES_LIMIT.bytes, DIALOGUES.names), spec.rights.redistributable)
    except (ValueError, OSError, pa.ArrowException) as error:
        raise SourceError(f"{path}: no table of dialogues ({error}); expected that of a release of transcripts") from error


def _build_records(work: UnitWork[RoomsConfig]) -> UnitReference:
    split = make_splitter(work.config.splitter)
    shared: RoomSources = work.shared

    def read(member: Member) -> MemberRows:
        ((path, line),) = member.files
        passages = read_record(member.id, line, find_rights(path, shared.entries, shared.default))
        return MemberRows({"sentences": tabulate_sentences(member.id, split_passages(passages, split))})

    rules = ShardRules(
        read=read,
        column="member",
        settings=[work.config.splitter, asdict(shared)],
        stages={"sentences": SENTENCES},
        limit=RECORD,
        kept=("sentences",),
    )
    return build_shard(work, rules)


def _print_sentences(sentences: pa.Table, parts: pa.Table, config: RoomsConfig) -> pa.Table:
    """Return what is compared of the sentences, and what decides: words as a number, score, probability of a description.

    Those that the settings would keep have a signature too, and where a reader is named those that he is asked about.
    """
    texts, free = sentences.column("text").to_pylist(), sentences.column("redistributable").to_pylist()
    found = read_parts(parts)
    scores = [score_parts(each, config.weights) for each in found]
    probabilities = _rate_places(sentences, texts, found, config)
    candidates = list_candidates(texts, scores, free, probabilities, config.selection, bool(config.reader.model))
    digests = [digest_words(text) for text in texts]
    signatures = {place: sign_text(texts[place], config.copies) for place in candidates}
    return tabulate_prints(sentences, digests, signatures, scores, probabilities)


def _rate_places(
    sentences: pa.Table, texts: Sequence[str], parts: Sequence[tuple[Part, ...]], config: RoomsConfig
) -> list[float | None]:
    """Return the probability that each sentence describes a place; None where it is too long to be kept, or has no words.

    Those that are too short to be kept may stand in a description.
    """
    kept = [place for place, text in enumerate(texts) if 0 < count_words(text) <= config.selection.max_words]
    turns, speakers = (sentences.column(name).to_pylist() for name in ("turn", "speakers"))
    found = rate_sentences(
        [texts[place] for place in kept],
        [parts[place] for place in kept],
        [turns[place] is not None or bool(speakers[place]) for place in kept],
        _open_place_weights(),
        config.selection.curve,
    )
    rated = dict(zip(kept, found, strict=True))
    return [rated.get(place) for place in range(len(texts))]
