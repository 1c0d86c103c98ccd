"""Measures what a reader brings to `transcripts`: batch files for episodes with gold, and the aligner with and without answers.

    FABULA_CORPORA=DIR python -m lab.quality.readers FOLDER EPISODE…            # writes FOLDER/EPISODE.questions.jsonl
    FABULA_CORPORA=DIR python -m lab.quality.readers FOLDER EPISODE… --grade    # reads FOLDER/EPISODE.answers.jsonl

A row is an episode, and the last all of them: pooled and macro F1 of the chunks of 2 to 4 sentences, the share that is kept, and
its precision, first without the reader and then with him; and the weight that he was given.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.reading.questions import Answer, estimate_tokens, read_batch, write_batch
from core.text.tokens import make_tokenizer
from core.transcripts.aligning import align_recap_text, locate_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.evaluation import GradedEpisode, describe_quality, grade_episode
from core.transcripts.reading import KIND, VERSION, Reading, blend, gather_votes, list_questions
from infra.prompts import read_prompt
from lab.quality.alignment import Episode, read_episodes

CONFIG = TranscriptsConfig()
SIZES = replace(CONFIG.alignment, chunk_sizes=(2, 3, 4))


def grade(episode: Episode, reading: Reading | None) -> GradedEpisode:
    """Return an episode's grades, with what a reader says of it or without."""
    hear = None if reading is None else lambda located: blend(located, reading.votes, reading.weight)
    found = align_recap_text(episode.turns, episode.recap, SIZES, make_tokenizer(SIZES.tokenizer), hear=hear)
    pairs = [(chunk, span) for chunk, span in found.pairs if chunk.size]
    return grade_episode(episode.name, episode.gold, pairs, CONFIG.filter)


def show(name: str, graded: Sequence[Sequence[GradedEpisode]], weight: str) -> None:
    cells = []
    for group in graded:
        told = describe_quality(group, resamples=2)
        pooled, macro = (told["all"][kind]["f1"]["value"] for kind in ("pooled", "macro"))
        cells += [
            f"{pooled:.3f}",
            f"{macro:.3f}",
            f"{told['kept_share']:.3f}",
            f"{told['kept']['pooled']['precision']['value']:.3f}",
        ]
    print(f"| {name} | {' | '.join(cells)} | {weight} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("episodes", nargs="+")
    parser.add_argument("--grade", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    without: list[GradedEpisode] = []
    heard: list[GradedEpisode] = []
    for episode in read_episodes(Path(os.environ["FABULA_CORPORA"]) / "crd3", given.folder):
        if episode.name not in given.episodes or not episode.gold:
            continue
        located = locate_recap(episode.turns, episode.recap, CONFIG.alignment)
        instructions = read_prompt(KIND, VERSION)
        asked = list_questions(episode.name, episode.turns, episode.recap.sentences, located, instructions)
        if not given.grade:
            questions = [question for _, question in asked]
            (given.folder / f"{episode.name}.questions.jsonl").write_text("".join(write_batch(questions, "reader")), "utf-8")
            cost, own = sum(each.tokens for each in questions), sum(estimate_tokens(turn.text) for turn in episode.turns)
            print(f"{episode.name}: {len(questions)} questions, {cost:,} tokens, of speech alone {own:,}", flush=True)
            continue
        answers = given.folder / f"{episode.name}.answers.jsonl"
        read = read_batch(answers.name, answers.read_text("utf-8").splitlines())
        texts = {answer.digest: answer.text for answer in read if isinstance(answer, Answer)}
        reading = gather_votes("reader", asked, texts, located)
        without.append(grade(episode, None))
        heard.append(grade(episode, reading))
        show(f"{episode.name}, {reading.answers} of {reading.questions}", ([without[-1]], [heard[-1]]), f"{reading.weight:.2f}")
    if without:
        show("all", (without, heard), "")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
