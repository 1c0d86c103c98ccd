"""Measures what a reader brings to `transcripts` and `scripts`: batch files for units with gold, and figures with and without.

    FABULA_CORPORA=DIR python -m lab.quality.readers FOLDER UNIT…            # writes FOLDER/UNIT.questions.jsonl: what is open
    FABULA_CORPORA=DIR python -m lab.quality.readers FOLDER UNIT… --grade    # reads FOLDER/UNIT.answers.jsonl

Units are episodes of CRD3 with gold, or films whose whole synopsis has gold (`lab/readings`, `scripts/gold`). A row is a unit,
and the last all of them; each figure first without the reader and then with him, and at the end the weight that he was given.

- Episodes: pooled and macro F1 of the chunks of 2 to 4 sentences, the share that is kept, and its precision.
- Films: the share of sentences whose best scene is one of gold's; precision, recall and F1 of the links; the share of sentences
  in kept rows; the number of these rows, the share in which each sentence is told by a scene, and the share that has all scenes
  that tell its sentences. A second weight is that of his word that his scenes are all. The row `distilled` is without the reader,
  but by curves that were fitted on what he says of the other films (`fabula fit scripts`).
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from core.metrics.fitting import LEAST_UNITS, KnownRow, fit_curve
from core.reading.questions import Answer, Question, estimate_tokens, read_batch, write_batch
from core.scripts import proofs
from core.scripts import reading as scenes
from core.scripts.aligning import link_located, locate_story
from core.scripts.confidence import WHOLE
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import list_known
from core.scripts.json_files import read_gold
from core.scripts.story import Story
from core.text.tokens import make_tokenizer
from core.transcripts import reading as spans
from core.transcripts.aligning import align_recap_text, locate_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.evaluation import GradedEpisode, describe_quality, grade_episode
from infra.prompts import read_prompt
from lab.corpora import find_corpora
from lab.fitting.link_probability import IN_USE
from lab.quality.alignment import Episode, read_episodes
from lab.quality.read_films import JudgedFilm, judge_film
from lab.readings.episodes import hash_sentence
from lab.readings.films import HELD_OUT, READ_FILMS, find_movies, open_embedder, read_readings, read_stories

CONFIG = TranscriptsConfig()
SIZES = replace(CONFIG.alignment, chunk_sizes=(2, 3, 4))
FILMS = ScriptsConfig()


def grade(episode: Episode, reading: spans.EpisodeReading | None) -> GradedEpisode:
    """Return an episode's grades, with what a reader says of it or without."""
    hear = None if reading is None else lambda located: spans.blend(located, reading.votes, reading.weight)
    found = align_recap_text(episode.turns, episode.recap, SIZES, make_tokenizer(SIZES.tokenizer), hear=hear)
    pairs = [(chunk, span) for chunk, span in found.pairs if chunk.size]
    return grade_episode(episode.name, episode.gold, pairs, CONFIG.filter)


def show_episodes(name: str, graded: Sequence[Sequence[GradedEpisode]], weight: str) -> None:
    rows = []
    for group in graded:
        told = describe_quality(group, resamples=2)
        pooled, macro = (told["all"][kind]["f1"]["value"] for kind in ("pooled", "macro"))
        rows.append((pooled, macro, told["kept_share"], told["kept"]["pooled"]["precision"]["value"]))
    print(f"| {name} | {' | '.join(f'{figure:.3f}' for row in rows for figure in row)} | {weight} |", flush=True)


def show_films(name: str, judged: Sequence[Sequence[JudgedFilm]], weight: str) -> None:
    cells = []
    for films in judged:
        right, wrong, missing = np.sum([film.links for film in films], axis=0).tolist()
        hits, rows, whole = (np.concatenate([getattr(film, part) for film in films]) for part in ("hits", "rows", "whole"))
        kept, sentences = sum(len(film.kept) for film in films), sum(len(film.sentence_probabilities) for film in films)
        figures = (hits.mean(), right / (right + wrong), right / (right + missing), 2 * right / (2 * right + wrong + missing))
        cells += [f"{figure:.3f}" for figure in (*figures, kept / sentences)]
        cells += [f"{len(rows)}", *(f"{part.mean():.3f}" if part.size else "–" for part in (rows, whole))]
    print(f"| {name} | {' | '.join(cells)} | {weight} |", flush=True)


def read_films(names: Sequence[str]) -> Iterator[tuple[Story, Mapping[int, tuple[int, ...]]]]:
    """Yield the films of some names whose whole synopsis has gold, with the scenes of each sentence."""
    readings = {**read_readings(READ_FILMS), **read_readings(HELD_OUT)}
    movies = find_movies()
    for file in sorted((movies.parent / "gold").glob("*.jsonl")):
        links = read_gold(file.name, file.read_text("utf-8"))
        if {link.unit for link in links} == {file.stem}:  # not five sentences of many films
            told = {hash_sentence(link.sentence): tuple(scene for scene in link.scenes if scene >= 0) for link in links}
            readings[file.stem] = (links[0].scene_count, told)
    yield from read_stories(movies, FILMS, {film: readings[film] for film in names if film in readings})


def write_questions(folder: Path, unit: str, questions: Sequence[Question], own: int) -> None:
    (folder / f"{unit}.questions.jsonl").write_text("".join(write_batch(questions, "reader")), "utf-8")
    cost = sum(estimate_tokens(each.instructions + each.text) for each in questions)
    print(f"{unit}: {len(questions)} questions, {cost:,} tokens, of the text alone {own:,}", flush=True)


def read_answers(folder: Path, unit: str) -> dict[str, str]:
    path = folder / f"{unit}.answers.jsonl"
    read = read_batch(path.name, path.read_text("utf-8").splitlines() if path.exists() else [])
    return {answer.digest: answer.text for answer in read if isinstance(answer, Answer)}


def do_episodes(folder: Path, names: Sequence[str], graded: bool) -> set[str]:
    """Write or grade the episodes of some names, and return these."""
    done = set()
    pairs: list[tuple[GradedEpisode, GradedEpisode]] = []
    instructions = read_prompt(spans.KIND, spans.VERSION)
    for episode in read_episodes(find_corpora() / "crd3", folder):
        if episode.name not in names or not episode.gold:
            continue
        done.add(episode.name)
        located = locate_recap(episode.turns, episode.recap, CONFIG.alignment)
        asked = spans.list_questions(episode.name, episode.turns, episode.recap.sentences, located, instructions)
        if not graded:
            own = sum(estimate_tokens(turn.text) for turn in episode.turns)
            write_questions(folder, episode.name, [question for _, question in asked], own)
            continue
        reading = spans.gather_votes("reader", asked, read_answers(folder, episode.name), located)
        pairs.append((grade(episode, None), grade(episode, reading)))
        title = f"{episode.name}, {reading.answers} of {reading.questions}"
        show_episodes(title, [[each] for each in pairs[-1]], f"{reading.weight:.2f}")
    if pairs:
        show_episodes("all episodes", list(zip(*pairs, strict=True)), "")
    return done


def do_films(folder: Path, names: Sequence[str], graded: bool) -> None:
    pairs: list[tuple[JudgedFilm, JudgedFilm]] = []
    known: dict[str, tuple[list[KnownRow], list[KnownRow]]] = {}
    alone: list[tuple[str, Callable[..., JudgedFilm]]] = []
    instructions, embed = read_prompt(scenes.KIND, scenes.VERSION), open_embedder(folder)
    for story, gold in read_films(names):
        located = locate_story(story, embed, FILMS)
        assert located.posteriors is not None  # the default decoder gives them
        first, answers = scenes.list_questions(story, located.posteriors, instructions), read_answers(folder, story.unit)
        said = scenes.gather_votes("reader", first, answers, located)
        second = proofs.list_questions(story, located, FILMS, said, read_prompt(proofs.KIND, proofs.VERSION))
        asked: proofs.Asked = [*first, *second]
        if not graded:
            left = [question for _, question in asked if question.digest not in answers]
            write_questions(folder, story.unit, left, scenes.count_tokens(story))
            continue
        reading = proofs.gather_reading("reader", asked, answers, located)
        heard = link_located(located, scenes.hear_sentences(reading))
        judge = partial(judge_film, story, gold=gold, curves=IN_USE, whole=WHOLE)
        pairs.append((judge(links=link_located(located), config=FILMS), judge(links=heard, config=FILMS)))
        known[story.unit] = list_known(story, heard, FILMS, {})
        alone.append((story.unit, partial(judge, links=link_located(located))))
        title = f"{story.unit}, {reading.answers} of {reading.questions}"
        show_films(title, [[each] for each in pairs[-1]], f"{reading.weight:.2f}, {reading.whole:.2f}")
    if pairs:
        show_films("all films", list(zip(*pairs, strict=True)), "")
    if len(alone) >= LEAST_UNITS:
        show_films("distilled", [[judge(config=_fit_without(unit, known)) for unit, judge in alone]], "")


def _fit_without(unit: str, known: Mapping[str, tuple[Sequence[KnownRow], Sequence[KnownRow]]]) -> ScriptsConfig:
    others = [rows for name, rows in known.items() if name != unit]
    told, whole = (fit_curve([row for rows in others for row in rows[part]]) for part in (0, 1))
    return replace(FILMS, filter=replace(FILMS.filter, told_curve=told, whole_curve=whole))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("units", nargs="+")
    parser.add_argument("--grade", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    done = do_episodes(given.folder, given.units, given.grade)
    if films := [unit for unit in given.units if unit not in done]:
        do_films(given.folder, films, given.grade)


if __name__ == "__main__":
    main()
