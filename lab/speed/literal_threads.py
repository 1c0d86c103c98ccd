"""Algorithms 1 to 3 of the thesis written down literally: each candidate scored apart, whole lists copied, nothing remembered."""

from collections.abc import Sequence
from math import exp
from typing import Any

from core.text.terms import content_words
from core.threads.config import SearchConfig
from core.threads.dialogues import CleanPost, Segment, agrees, is_apt
from core.threads.scoring import ReplyScorer, ScoreRequest
from core.threads.search import USUAL_STEMS


def probability(score: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + exp(-score))


def list_words(sentences: Sequence[str]) -> set[str]:
    """Return the first six letters of content words that few comments have."""
    return {word[:6] for sentence in sentences for word in content_words(sentence)} - USUAL_STEMS


def segment_comments(post: CleanPost, longest: int) -> list[tuple[str, int, int, tuple[str, ...]]]:
    """Algorithm 2."""
    found = []
    for comment in post.replies:
        if longest == 0:
            found.append((comment.id, 0, len(comment.sentences), comment.sentences))
            continue
        counter = 0
        while counter < len(comment.sentences):
            size = 1
            while size <= longest and counter + size <= len(comment.sentences):
                found.append((comment.id, counter, counter + size, comment.sentences[counter : counter + size]))
                size += 1
            counter += 1
    return found


def search_literally(post: CleanPost, scorer: ReplyScorer, config: SearchConfig) -> list[list[str]] | None:
    """Algorithm 3 (with one beam: algorithm 1); returns what each turn says, None where there is no dialogue."""

    def score(context: list[tuple[str, ...]], reply: tuple[str, ...]) -> float:
        return float(scorer([ScoreRequest(tuple(context), reply)])[0])

    pool = segment_comments(post, config.max_segment)
    if config.choose_segments:
        whole = {comment.id: comment for comment in post.replies}
        pool = [entry for entry in pool if is_apt(Segment(whole[entry[0]], entry[1], entry[2]), post.sentences)]
    beams: list[dict[str, Any]] = [{"turns": [], "used": [], "threads": [], "total": 0.0, "steps": 0}]
    ended: list[dict[str, Any]] = []
    for place, sentence in enumerate(post.sentences):
        following = (post.sentences[place + 1],) if place + 1 < len(post.sentences) else None
        options: list[tuple[int, Any, float]] = []
        for number, beam in enumerate(beams):
            turns = [*beam["turns"]]
            threads = [*beam["threads"]]
            if turns and len(turns) % 2 == 1:
                turns[-1] = (*turns[-1], sentence)
            else:
                said: tuple[str, ...] = (sentence,)
                if turns and config.threading:
                    alone = score(turns, (sentence,))
                    best = alone + config.least_gain
                    replied = beam["used"][-1][0]
                    chosen = None
                    for comment in post.threads:
                        words = sum(len(part.split()) for part in comment.sentences)
                        if comment.parent != replied or words > config.max_thread_words or comment.sentences in threads:
                            continue
                        if "?" in " ".join(comment.sentences) or probability(alone) < config.bridge_threshold:
                            continue
                        rated = score(turns, (*comment.sentences, sentence))
                        if rated > best:
                            best, chosen = rated, comment
                    if chosen is not None:
                        said = (*chosen.sentences, sentence)
                        threads.append(chosen.sentences)
                turns.append(said)
            beam = {**beam, "turns": turns, "threads": threads}
            beams[number] = beam
            agreed = any(agrees(segment[3]) for segment in beam["used"])
            for segment in pool:
                if any(segment[0] == other[0] and segment[1] < other[2] and other[1] < segment[2] for other in beam["used"]):
                    continue
                rated = score(turns, segment[3])
                reached = probability(rated) >= config.reply_threshold
                if config.better_nsp and following:
                    rated = 0.5 * rated + 0.5 * score([segment[3]], following)
                if agreed and agrees(segment[3]):
                    rated -= config.agreement_penalty
                told = list_words(post.sentences[: place + 1])
                later = list_words([*post.sentences[place + 1 :], *post.unsaid]) - told
                rated -= config.later_penalty * min(3, len(list_words(segment[3]) & later))
                if reached and probability(rated) >= config.threshold:
                    options.append((number, segment, beam["total"] + rated))
            if config.post_runs and following:
                options.append((number, None, beam["total"] + score(turns, following)))
        ended += [beam for number, beam in enumerate(beams) if number not in {option[0] for option in options}]
        new = []
        for number, segment, total in sorted(options, key=lambda option: -option[2])[: config.beam]:
            beam = {**beams[number], "total": total, "steps": beams[number]["steps"] + 1}
            if segment is not None:
                beam = {**beam, "turns": [*beam["turns"], segment[3]], "used": [*beam["used"], segment]}
            new.append(beam)
        beams = new
        if not beams:
            break
    best_beam = max([*beams, *ended], key=lambda beam: (beam["steps"], beam["total"]))
    turns = best_beam["turns"][: len(best_beam["turns"]) // 2 * 2]
    return [list(turn) for turn in turns] if len(turns) >= config.min_turns else None
