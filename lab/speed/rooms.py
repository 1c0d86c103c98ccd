"""Scores a whole corpus with the offline default: time, memory, and the share of sentences that is removed.

    FABULA_CORPORA=../shared/data python -m lab.speed.rooms

All of CRD3's campaign 1 (its cleaned JSON), in one process, from files to a release. Two references stand in the same run:

- the floor: the same files are read and divided into sentences, and every word is looked up once in the table of similar words;
- a spaCy pipeline with a tagger and an entity recogniser of spaCy's default size, on a sample of the same sentences. Its weights
  are random: they change what it says, not how long it takes. The report's pipeline was larger (a transformer) and took over
  8 hours (section 7).

The report removed at least 93 % of the corpus at threshold 1 (section 3.3). Without FABULA_CORPORA the example is scored.
"""

import argparse
import json
import random
import resource
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from core.rooms.score import cut_tokens, parse_lexicon
from core.rooms.sentences import Rights, read_document, split_passages
from core.text.sentences import make_splitter
from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.models.room_words import read_word_tables
from lab.corpora import find_source
from tasks.frame.ledger import RunCall
from tasks.pipelines import find_pipeline

SAMPLE = 3_000
"""Sentences that the spaCy pipeline analyses."""


def link_source(folder: Path) -> Path:
    """Return a folder that holds campaign 1 and nothing else, or the example."""
    found, source = find_source("crd3/cleaned data", "rooms"), folder / "source"
    shutil.copytree(found, source, ignore=shutil.ignore_patterns("C2*"))
    return source


def look_up_words(source: Path) -> tuple[list[str], float]:
    """Return the sentences of the episodes in a folder, and the seconds to find them and to look each word up."""
    known = parse_lexicon(*read_word_tables()).similarities
    split, rights = make_splitter("regex"), Rights("", "")
    began, sentences = process_time(), []
    for path in sorted(source.glob("*.json")):
        for sentence in split_passages(read_document(path.name, path.read_bytes(), path.stem, rights), split):
            for token in cut_tokens(sentence.text):
                known.get(token.lower())
            sentences.append(sentence.text)
    return sentences, process_time() - began


def time_tagger(sentences: Sequence[str]) -> float:
    """Return the processor seconds that a spaCy tagger and entity recogniser take for some sentences."""
    import spacy  # here, so that the peak of memory is that of the run alone
    from spacy.training import Example

    nlp = spacy.blank("en")
    for name, label in (("tagger", "NN"), ("ner", "PERSON")):
        pipe: Any = nlp.add_pipe(name)
        pipe.add_label(label)
    nlp.initialize(lambda: [Example.from_dict(nlp.make_doc("Odile"), {"tags": ["NN"], "entities": [(0, 5, "PERSON")]})])
    began = process_time()
    for _ in nlp.pipe(sentences, batch_size=256):
        pass
    return process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", default="probability", choices=["probability", "score"], help="selection.by")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fabula-bench-rooms-") as folder:
        source = link_source(Path(folder))
        settings = {"selection": {"max_short": 7, "by": options.by}}
        call = RunCall(source=(str(source),), store=f"{folder}/store", dataset="rooms", settings=settings)
        wall, processor = perf_counter(), process_time()
        summary = run_pipeline(find_pipeline("rooms"), call, InProcessMapper(), Nobody())
        wall, processor = perf_counter() - wall, process_time() - processor
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        statistics = json.loads((Path(summary.release or "") / "stats.json").read_text("utf-8"))
        sentences, floor = look_up_words(source)
        sample = random.Random(1).sample(sentences, min(SAMPLE, len(sentences)))
        tagger = time_tagger(sample) / len(sample)
        each = processor / statistics["sentences"]
        figures = {
            "files": len(list(source.glob("*.json"))),
            **{name: statistics[name] for name in ("sentences", "kept", "removed_share", "below_min_score", "reasons", "scores")},
            "seconds": wall,
            "processor_seconds": processor,
            "sentences_per_processor_second": 1 / each,
            "peak_mib": peak,
            "floor_seconds": floor,
            "times_the_floor": processor / floor,
            "spacy_sentences_per_second": 1 / tagger,
            "times_spacy": each / tagger,
        }
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
