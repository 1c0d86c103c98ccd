"""Times fabula's sentence embedding against `SentenceTransformer.encode`: same model, same sentences, same run, one thread.

    FABULA_CORPORA=DIR python -m lab.speed.embedding [--sentences 2000]

The two programs take turns and embed the sentences of screenplays in order, repeats included. Their vectors must agree to 1e-5.
Without FABULA_CORPORA they embed the example screenplays, which are short. The model is the packaged one. Its loading time is not
counted.
"""

import argparse
import sys
from statistics import median
from time import perf_counter

import numpy as np
import torch

from core.scripts.scene_texts import story_lines
from core.scripts.screenplays.reader import read_screenplay
from core.text.decoding import decode_text
from core.text.sentences import split_by_rules
from infra.models.sentence_embedder import SentenceEmbedder
from lab.corpora import find_source

ROUNDS = 3


def read_sentences(count: int) -> list[str]:
    """Return the first `count` sentences of the corpus's or the example screenplays, in order."""
    sentences: list[str] = []
    for script in sorted(find_source("scripts", "scripts").glob("movies/*/script.txt")):
        if len(sentences) >= count:
            break
        scenes = read_screenplay(script.parent.name, decode_text(script.name, script.read_bytes()))
        sentences += story_lines(scenes, split_by_rules).texts
    return sentences[:count]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=2000)
    sentences = read_sentences(parser.parse_args().sentences)
    torch.set_num_threads(1)
    embedder = SentenceEmbedder()
    model = embedder.model
    times: dict[str, list[float]] = {"encode": [], "fabula": []}
    for _ in range(ROUNDS):
        start = perf_counter()
        reference = model.encode(sentences, normalize_embeddings=True, show_progress_bar=False)
        middle = perf_counter()
        vectors = embedder(sentences)
        times["encode"].append(middle - start)
        times["fabula"].append(perf_counter() - middle)
    difference = float(np.abs(np.asarray(reference) - vectors).max())
    print(f"{len(sentences)} sentences, {len(set(sentences))} distinct; largest difference {difference:.1e}")
    for name, seconds in times.items():
        print(f"{name:<8} {len(sentences) / median(seconds):8.0f} sentences/s")
    ratios = [slow / fast for slow, fast in zip(times["encode"], times["fabula"], strict=True)]
    print(f"ratio    {median(ratios):8.2f} (rounds {min(ratios):.2f} to {max(ratios):.2f})")
    return int(difference > 1e-5)


if __name__ == "__main__":
    sys.exit(main())
