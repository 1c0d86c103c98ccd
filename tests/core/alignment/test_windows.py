"""The windows aligner: what its parts promise, and that they find what was told in order."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.alignment.aligners import align_episode, make_aligner
from core.alignment.chunks import chunk_all
from core.alignment.config import AlignmentConfig
from core.alignment.outline import SummaryOutline
from core.alignment.span_choice import choose_span
from core.alignment.window_chain import locate_spans
from core.alignment.window_evidence import TurnTerms
from core.alignment.windows import WindowAligner, expect_spans
from core.alignment.windows_config import WindowsConfig
from core.metrics.span_agreement import match_span
from core.text.terms import content_terms

CONFIG = WindowsConfig()
TURNS = [
    *("anything to drink before we begin", "no thanks") * 20,
    "I open the rusted gate slowly",
    "it squeaks, the gate is heavy",
    "what do we see behind it",
    "a dog barks and runs at you",
    "I throw the dog a sausage",
    *("my turn already", "yes please go on") * 20,
    "the duke greets you in his hall",
    "we bow before the duke",
    "then the duke falls down dead",
    *("well that was it", "see you next week") * 10,
]
SENTENCES = ["They open a rusted gate.", "A barking dog gets a sausage.", "The duke greets them in the hall and drops dead."]
SPANS = [(40, 41), (43, 44), (85, 87)]


def brute_force(ratios: np.ndarray, roles: list[str], words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sum over all layouts of two sentences: the model of `locate_spans` written out, without unaligned sentences."""
    priors = expect_spans(roles, words, CONFIG)
    n_turns = ratios.shape[1]

    def length(i: int, start: int, end: int) -> float:
        parts = zip(priors.length_shares[i], priors.length_means[i], strict=True)
        return sum(share * ends_at(mean, range(start, end), end) for share, mean in parts)

    def ends_at(mean: float, passed: range, at: int) -> float:
        stops = priors.clock / (priors.clock + mean - 1)
        return float(stops[at] * np.prod([1 - stops[turn] for turn in passed]))

    def gap(end: int, start: int) -> float:
        step, shares, means = start - end, priors.gap_shares[1], priors.gap_means[1]
        value = 1e-7 / n_turns
        value += shares[0] * priors.shareable[start] if step == 0 else shares[1] if step == 1 else 0
        for kind in (0, 1):
            value += shares[2 + kind] * ends_at(means[kind], range(end + 1, start), start) if step > 0 else 0
        return value + (shares[4] * ends_at(means[2], range(start + 1, end), start) if step < 0 else 0)

    begun, lasting = np.zeros_like(ratios), np.zeros_like(ratios)
    spans = [(a, b) for a in range(n_turns) for b in range(a, n_turns)]
    for first, second in itertools.product(spans, spans):
        weight = (np.exp(-first[0] / priors.opening) + 1e-3) * priors.clock[first[0]]
        weight *= length(0, *first) * ratios[0, first[0] : first[1] + 1].prod() * gap(first[1], second[0])
        weight *= length(1, *second) * ratios[1, second[0] : second[1] + 1].prod()
        weight *= np.exp(-(n_turns - 1 - second[1]) / priors.closing) + 1e-3
        for i, (start, end) in enumerate((first, second)):
            begun[i, start:] += weight
            lasting[i, : end + 1] += weight
    return begun / begun[:, -1:], lasting / lasting[:, :1]


def test_posteriors_are_the_sum_over_all_layouts() -> None:
    @settings(deadline=None, max_examples=40)  # kernels are compiled at the first call
    @given(
        arrays(np.float64, (2, 6), elements=st.floats(0.2, 50)),
        st.sampled_from([["story", "story"], ["retold", "story"]]),
    )
    def check(ratios: np.ndarray, roles: list[str]) -> None:
        words = np.arange(1.0, 7.0)
        priors = replace(expect_spans(roles, words, CONFIG), unaligned=0.0)
        found = locate_spans(ratios, priors)
        begun, lasting = brute_force(ratios, roles, words)
        np.testing.assert_allclose(found.begun, begun, rtol=1e-9)
        np.testing.assert_allclose(found.lasting, lasting, rtol=1e-7, atol=1e-12)
        assert not found.unaligned.any()

    check()


def test_the_chosen_span_is_the_best_of_all() -> None:
    @settings(deadline=None)
    @given(arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 1)))
    def check(membership: np.ndarray) -> None:
        start, end, value = choose_span(membership)
        n = membership.size
        every = [2 * membership[a : b + 1].sum() / (b - a + 1 + membership.sum()) for a in range(n) for b in range(a, n)]
        assert value == pytest.approx(max(every))
        assert value == pytest.approx(2 * membership[start : end + 1].sum() / (end - start + 1 + membership.sum()))

    check()


def test_a_rare_term_says_more_than_a_common_one_and_silence_speaks_against() -> None:
    terms = TurnTerms([["gate", "go"], ["go"], ["go", "dog"], ["go"], ["rest"]])
    rare, common = terms.weigh([["gate"], ["go"]], CONFIG)
    assert rare[0] > common[0] > 1 > rare[1]
    assert terms.weigh([["nobody", "says", "this"]], CONFIG).max() < 1


def test_sentences_find_their_turns_in_a_whole_episode() -> None:
    located = WindowAligner(TURNS, CONFIG).locate(SENTENCES)
    for span, (start, end) in zip(located.cover_each(), SPANS, strict=True):
        assert match_span(span.start, span.end, start, end).recall >= 0.5


def test_a_chunk_covers_its_sentences_and_is_surer_than_what_stands_nowhere() -> None:
    located = WindowAligner(TURNS, CONFIG).locate(SENTENCES)
    (pair,) = chunk_all(SENTENCES[:2], [2])[0]
    span = located.cover(pair)
    assert match_span(span.start, span.end, 40, 44).recall == 1
    foreign = WindowAligner(TURNS, CONFIG).locate(["Wizards argue about law.", "They mention cheese.", "A ship sails."])
    assert span.confidence is not None
    assert span.confidence > max(entry.confidence or 0.0 for entry in foreign.cover_each())


def test_what_is_retold_takes_few_turns() -> None:
    roles = ["retold", "retold", "story"]
    words = np.full(1000, 5.0)
    told, again = expect_spans(["story"] * 3, words, CONFIG), expect_spans(roles, words, CONFIG)
    assert again.length_means[0].max() < told.length_means[0].max()
    assert again.length_means[2].max() > told.length_means[2].max()  # it has the episode for itself


def test_empty_texts_do_not_disturb() -> None:
    aligned = align_episode(["", "a gate", ""], ["A gate.", "…"], AlignmentConfig(chunk_sizes=(2,)), content_terms)
    assert len(aligned.pairs) == 2
    assert align_episode([""], ["…"], AlignmentConfig(chunk_sizes=(2,)), content_terms).pairs[0][1].start in (0, None)


def test_paragraphs_and_sections_are_chunks_of_size_0_with_ids_of_their_own() -> None:
    outline = SummaryOutline(("story",) * 3, ((0, 0, 1), (0, 0, 0)))
    pairs = align_episode(TURNS, SENTENCES, AlignmentConfig(chunk_sizes=(0, 2)), content_terms, outline=outline).pairs
    places = [(chunk.size, chunk.offset, chunk.index) for chunk, _ in pairs]
    assert places == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (2, 0, 0), (2, 0, 1), (2, 1, 0)]
    assert [chunk.text for chunk, _ in pairs[:3]] == [" ".join(SENTENCES[:2]), SENTENCES[2], " ".join(SENTENCES)]


def test_contributions_share_out_each_chunk() -> None:
    config = AlignmentConfig(chunk_sizes=(2,))
    contributions = align_episode(TURNS, SENTENCES, config, content_terms).contributions
    assert contributions.shape == (len(TURNS),)
    assert 0 < contributions.sum() <= 2
    assert contributions[[40, 85]].mean() > contributions.mean()


def test_one_chunking_at_a_time_by_the_common_interface() -> None:
    spans = make_aligner(AlignmentConfig(), content_terms)(TURNS, SENTENCES)
    assert [span.start is not None for span in spans] == [True] * 3
