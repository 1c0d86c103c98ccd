"""The search for a dialogue: replies put between the sentences of a post, by beam search (algorithms 1 and 3)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, log

from core.text.terms import content_words
from core.threads.config import SearchConfig
from core.threads.dialogues import (
    CleanComment,
    CleanPost,
    Dialogue,
    Piece,
    Segment,
    Sentences,
    agrees,
    cut_segments,
    is_apt,
    join_pieces,
    take_segment,
)
from core.threads.scoring import KnownScores, ScoreRequest, rate_turns

MOST_WORDS = 3
"""Words of the rest of the post that count at most, so that long replies are not ruled out."""
_STEM = 6
_USUAL_WORDS = """
1 2 3 4 5 able absolu academ accept actual advice adviso almost alread always am anothe answer anyone anythi applic apply
aren't around ask assign away back bad best better big bit both can't care career case change class classe colleg come commen
commun comple congra consid course curren day days defini degree depart depend didn't differ doesn' doing done due during each
either else end enough especi etc even ever every everyo everyt expect experi family far feel feelin few field find fine
finish first found friend full genera gettin give go going good got grad gradua great happen happy hard having health help
high honest hope hours howeve i'd i'll i'm i've idea import intere intern isn't job keep kind know lab last learn learni least
less let life like litera little lol long look lookin lot love luck made major make makes making manage many master matter may
maybe mean mental might money most much myself need never new next normal nothin often once one online only option other
others paper papers parent part pay people person phd place point positi possib post pretty probab proble proces profes progra
projec public put questi read readin really reason recomm rememb requir resear respon review right said same say school scienc
second see semest shit should simila since situat social someon someth someti sorry sounds specif start starte still stress
studen study stuff suppor sure take taking talk teachi tell thesis they'r thing things think though time times took top try
trying two underg unders univer until use used usuall want wanted way week well went whatev withou won't work worked workin
world worth wouldn write writin year years yes you'll you're you've yourse
"""
USUAL_STEMS = frozenset(_USUAL_WORDS.split())
"""Stems that more than 2 % of 13,404 comments have (of posts that scorers may be trained on): they tell nothing of a post."""


def list_word_stems(sentences: Iterable[str]) -> frozenset[str]:
    """Return the first six letters of the content words of sentences, without those that many comments have.

    Numbers count as words.
    """
    return frozenset(word[:_STEM] for sentence in sentences for word in content_words(sentence)) - USUAL_STEMS


_find_stems = lru_cache(maxsize=2**12)(list_word_stems)
"""The stems of a segment: each step of a search asks for them again."""


def list_untold(said: Sentences, unsaid: Sentences) -> list[frozenset[str]]:
    """Return for each sentence of a post the stems that only what comes after it has, `unsaid` (what is cut off) included."""
    stems = [list_word_stems([sentence]) for sentence in said]
    untold = [frozenset[str]()] * len(said)
    later = set(list_word_stems(unsaid))
    for place in reversed(range(len(said))):
        untold[place] = frozenset(later - set().union(*stems[: place + 1]))
        later |= stems[place]
    return untold


def count_foreknown(reply: frozenset[str], untold: frozenset[str]) -> int:
    """Return how many stems of a reply the post tells only later, at most `MOST_WORDS`."""
    return min(len(reply & untold), MOST_WORDS)


Generate = Callable[[Sequence[tuple[Sentences, ...]]], list[Sentences]]
"""Generates a reply to each conversation; an empty one is none."""


@dataclass(frozen=True, slots=True)
class _Beam:
    """A dialogue on its way: its turns, what they say, the segments used, and the score of the `steps` options it took."""

    turns: tuple[tuple[Piece, ...], ...] = ()
    said: tuple[Sentences, ...] = ()
    used: tuple[Segment, ...] = ()
    bridges: frozenset[Sentences] = frozenset()
    total: float = 0.0
    steps: int = 0
    agreed: bool = False

    @property
    def answered(self) -> bool:
        """Whether the last turn is speaker 2's."""
        return len(self.turns) % 2 == 0

    def say(self, *pieces: Piece) -> "_Beam":
        """Return the beam with pieces of the speaker whose turn it is."""
        return replace(self, turns=(*self.turns, pieces), said=(*self.said, *join_pieces([pieces])))

    def go_on(self, piece: Piece) -> "_Beam":
        """Return the beam with a piece added to the last turn."""
        said = (*self.said[:-1], (*self.said[-1], *piece.sentences))
        return replace(self, turns=(*self.turns[:-1], (*self.turns[-1], piece)), said=said)


@dataclass(frozen=True, slots=True)
class _Option:
    """What may follow: a reply, or the post's next sentence (None)."""

    beam: _Beam
    segment: Segment | None
    score: float

    @property
    def total(self) -> float:
        return self.beam.total + self.score


class DialogueSearch:
    """The search over one post. All that a step has to score, over all beams and candidates, is scored together."""

    def __init__(
        self, post: CleanPost, scores: KnownScores, config: SearchConfig, longest_context: int, generate: Generate | None = None
    ) -> None:
        self._post = post
        self._scores = scores
        self._config = config
        self._longest = longest_context
        self._generate = generate
        self._threads = list_threads(post, config)
        segments = cut_segments(limit_comments(post, config), config.max_segment)
        self._segments = [each for each in segments if not config.choose_segments or is_apt(each, post.sentences)]
        self._least, self._least_reply = find_odds(config.threshold), find_odds(config.reply_threshold)
        self._least_bridged = find_odds(config.bridge_threshold)
        self._untold = list_untold(post.sentences, post.unsaid) if config.later_penalty else []

    def find(self) -> Dialogue | None:
        """Return the best dialogue, None where it would have fewer than the least turns.

        Time in proportion to sentences of the post · beams · segments.

        Reference: thesis, algorithm 3; with one beam, whole comments, no threshold and no runs, algorithm 1.
        """
        beams, ended = [_Beam()], list[_Beam]()
        for place in range(len(self._post.sentences)):
            beams = self._place_sentence(beams, place)
            options = self._list_options(beams, place)
            going_on = {id(option.beam) for option in options}
            ended += [beam for beam in beams if id(beam) not in going_on]
            best = sorted(options, key=lambda option: -option.total)[: self._config.beam]  # equal ones keep their order
            beams = [_take(option) for option in best]
            if not beams:
                break
        best_beam = max([*beams, *ended], key=lambda beam: (beam.steps, beam.total))
        return self._finish(best_beam.turns)

    def _place_sentence(self, beams: Sequence[_Beam], place: int) -> list[_Beam]:
        """Let speaker 1 say the post's next sentence: in the same turn, or after a reply, perhaps with a bridge before it."""
        number = place + self._post.first
        piece = Piece("post", self._post.id, self._post.author, number, number + 1, (self._post.sentences[place],))
        bridges = [self._list_bridges(beam) if beam.turns and beam.answered else [] for beam in beams]
        plain = [self._ask(beam, piece.sentences) for beam in beams if beam.turns and beam.answered]
        bridged = [
            self._ask(beam, (*bridge.sentences, *piece.sentences))
            for beam, found in zip(beams, bridges, strict=True)
            for bridge in found
        ]
        answers = iter(self._scores([*plain, *bridged]))
        base = {id(beam): next(answers) for beam in beams if beam.turns and beam.answered}
        placed = []
        for beam, found in zip(beams, bridges, strict=True):
            if beam.turns and not beam.answered:
                placed.append(beam.go_on(piece))
                continue
            rated = [(next(answers), bridge) for bridge in found]
            score, bridge = max(rated, key=lambda entry: entry[0], default=(0.0, None))
            plain_score = base.get(id(beam), 0.0)
            better = score > plain_score + self._config.least_gain and plain_score >= self._least_bridged
            if bridge is not None and better:
                placed.append(replace(beam.say(bridge, piece), bridges=beam.bridges | {bridge.sentences}))
            elif beam.turns and plain_score < self._config.rough:
                placed.append(self._bridge(beam, piece, plain_score))
            else:
                placed.append(beam.say(piece))
        return placed

    def _list_bridges(self, beam: _Beam) -> list[Piece]:
        """Return short replies to the comment that speaker 2 has just used (threading), then the reactions."""
        answered = beam.turns[-1][0].source
        found = [
            Piece("thread", comment.id, comment.author, 0, len(comment.sentences), comment.sentences)
            for comment in self._threads.get(answered, ())
        ]
        found += [Piece("reaction", "", "", 0, 1, (reaction,)) for reaction in self._config.reactions]
        return [bridge for bridge in found if bridge.sentences not in beam.bridges]

    def _bridge(self, beam: _Beam, piece: Piece, plain: float) -> _Beam:
        """Bridge a rough transition with a generated reply: appended to speaker 2's turn, or before the post's sentence."""
        said = self._generate([beam.said])[0] if self._generate is not None else ()
        if not said:
            return beam.say(piece)
        made = Piece("generated", "", "", 0, len(said), said)
        appended, prepended = beam.go_on(made), beam.say(made, piece)
        after, before = self._scores([self._ask(appended, piece.sentences), self._ask(beam, (*said, *piece.sentences))])
        if max(after, before) <= plain:
            return beam.say(piece)
        return appended.say(piece) if after > before else prepended

    def _list_options(self, beams: Sequence[_Beam], place: int) -> list[_Option]:
        """Score everything that may follow sentence `place` in any beam."""
        config = self._config
        following = (self._post.sentences[place + 1],) if place + 1 < len(self._post.sentences) else None
        candidates: list[tuple[_Beam, Segment | None]] = []
        for beam, made in zip(beams, self._generate_replies(beams), strict=True):
            free = [segment for segment in self._segments if not any(segment.overlaps(other) for other in beam.used)]
            candidates += [(beam, segment) for segment in (*free, *made)]
            if config.post_runs and following:
                candidates.append((beam, None))
        before = [self._ask(beam, segment.sentences if segment else following or ()) for beam, segment in candidates]
        both = config.better_nsp and following is not None
        after = [ScoreRequest((segment.sentences,), following or ()) for _, segment in candidates if segment] if both else []
        answers = self._scores([*before, *after])
        follows = iter(answers[len(before) :])
        options = []
        for (beam, segment), score in zip(candidates, answers, strict=False):
            if segment is None:
                options.append(_Option(beam, None, score))
                continue
            rated = 0.5 * score + 0.5 * next(follows) if both else score
            if beam.agreed and agrees(segment.sentences):
                rated -= config.agreement_penalty
            if config.later_penalty:
                rated -= config.later_penalty * count_foreknown(_find_stems(segment.sentences), self._untold[place])
            if rated >= self._least and score >= self._least_reply:
                options.append(_Option(beam, segment, rated))
        return options

    def _generate_replies(self, beams: Sequence[_Beam]) -> list[list[Segment]]:
        if self._generate is None:
            return [[] for _ in beams]
        said = self._generate([beam.said for beam in beams])
        return [[Segment(CleanComment("", "", "", sentences), 0, len(sentences))] if sentences else [] for sentences in said]

    def _ask(self, beam: _Beam, reply: Sentences) -> ScoreRequest:
        return ScoreRequest(beam.said[-self._longest :], reply)

    def _finish(self, turns: Sequence[tuple[Piece, ...]]) -> Dialogue | None:
        """Return the dialogue without a last turn of speaker 1 that nobody replies to."""
        answered = tuple(turns[: len(turns) // 2 * 2])
        if len(answered) < self._config.min_turns:
            return None
        return Dialogue(answered, rate_turns(join_pieces(answered), self._scores, self._longest))


def limit_comments(post: CleanPost, config: SearchConfig) -> list[CleanComment]:
    """Return the comments that may reply, each cut to its first sentences."""
    limited = post.replies[: config.max_comments]
    return [replace(comment, sentences=comment.sentences[: config.max_comment_sentences]) for comment in limited]


def list_threads(post: CleanPost, config: SearchConfig) -> dict[str, list[CleanComment]]:
    """Return the replies that are short enough for threading, by the comment that they reply to.

    Questions are left out: speaker 1 would ask one and go on without the answer.
    """
    threads: dict[str, list[CleanComment]] = {}
    for comment in post.threads if config.threading else ():
        words = sum(len(sentence.split()) for sentence in comment.sentences)
        if words <= config.max_thread_words and not any("?" in sentence for sentence in comment.sentences):
            threads.setdefault(comment.parent, []).append(comment)
    return threads


def find_odds(probability: float) -> float:
    """Return the log-odds of a probability."""
    if probability in (0.0, 1.0):
        return inf if probability else -inf
    return log(probability / (1 - probability))


def _take(option: _Option) -> _Beam:
    beam = option.beam
    if option.segment is not None:
        beam = beam.say(take_segment(option.segment))
        agreed = beam.agreed or agrees(option.segment.sentences)
        beam = replace(beam, used=(*beam.used, option.segment), agreed=agreed)
    return replace(beam, total=option.total, steps=beam.steps + 1)
