import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.alignment.aligners import align_episode
from core.alignment.config import AlignmentConfig, WindowsConfig
from core.alignment.spans import Chunk, SummaryOutline, chunk_all
from core.alignment.window_chain import ChainPriors, SpanPosteriors, locate_spans, rate_layouts
from core.alignment.window_evidence import SpanEvidence, TurnTerms
from core.alignment.windows import WindowAligner, WindowAlignment, choose_ends, choose_span, expect_spans, free_spans
from core.metrics.alignment_quality import match_span
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


def brute_force(evidence: SpanEvidence, priors: ChainPriors) -> tuple[np.ndarray, np.ndarray, float]:
    """Return `begun`, `lasting` and the log likelihood: sums over all layouts of two sentences, as in `locate_spans`."""
    n_turns = evidence.edge.shape[1]

    def span(i: int, start: int, end: int) -> float:
        inside = evidence.inside[:, i, start + 1 : end].prod(axis=1)
        edges = evidence.edge[i, start] * (evidence.edge[i, end] if end > start else 1)
        parts = zip(priors.length_shares[i], priors.length_means[i], inside, strict=True)
        return sum(share * ends_at(mean, range(start, end), end) * said * edges for share, mean, said in parts)

    def ends_at(mean: float, passed: range, at: int) -> float:
        stops = priors.clock / (priors.clock + mean - 1)
        return float(stops[at] * np.prod([1 - stops[turn] for turn in passed]))

    def gap(end: int, start: int) -> float:
        if priors.jumps[1] == 1:
            return 1 / n_turns
        step, shares, means = start - end, priors.gap_shares[1], priors.gap_means[1]
        value = shares[0] if step == 0 else shares[1] if step == 1 else 0
        for kind in (0, 1):
            value += shares[2 + kind] * ends_at(means[kind], range(end + 1, start), start) if step > 0 else 0
        return value + (shares[4] * ends_at(means[2], range(start + 1, end), start) if step < 0 else 0)

    begun, lasting = np.zeros_like(evidence.edge), np.zeros_like(evidence.edge)
    spans = [(a, b) for a in range(n_turns) for b in range(a, n_turns)]
    for first, second in itertools.product(spans, spans):
        weight = priors.first[first[0]] * span(0, *first) * gap(first[1], second[0]) * span(1, *second) * priors.last[second[1]]
        for i, start in ((0, first[0]), (1, second[0])):
            weight *= priors.entries[i][start] if i in priors.entries else 1
        for i, (start, end) in enumerate((first, second)):
            begun[i, start:] += weight
            lasting[i, : end + 1] += weight
    relative = [priors.first * n_turns, priors.last, *priors.entries.values()]  # each of them counts by what is in it, on average
    likelihood = math.log(begun[0, -1]) - sum(math.log(each.mean()) for each in relative)
    return begun / begun[:, -1:], lasting / lasting[:, :1], likelihood


def test_posteriors_are_the_sum_over_all_layouts() -> None:
    outlines = [
        SummaryOutline(("story", "story")),
        SummaryOutline(("retold", "story")),
        SummaryOutline(("story", "story"), parts=(0, 1), n_parts=2),
        SummaryOutline(("story", "story"), parts=(1, 1), n_parts=3),
    ]

    @settings(deadline=None, max_examples=15)
    @given(arrays(np.float64, (4, 2, 6), elements=st.floats(0.2, 50)), st.sampled_from(outlines), st.booleans())
    def check(ratios: np.ndarray, outline: SummaryOutline, free: bool) -> None:
        priors = expect_spans(outline, np.array([3.0, 7.0]), np.arange(1.0, 7.0), CONFIG)
        priors = replace(free_spans(priors, outline, "sentences" if free else "held"), unaligned=np.zeros(2))
        evidence = SpanEvidence(ratios[0], ratios[1:])
        found = locate_spans(evidence, priors)
        begun, lasting, likelihood = brute_force(evidence, priors)
        np.testing.assert_allclose(found.begun, begun, rtol=1e-9)
        np.testing.assert_allclose(found.lasting, lasting, rtol=1e-7, atol=1e-12)
        assert not found.unaligned.any()
        assert found.log_likelihood == pytest.approx(likelihood, rel=1e-7, abs=1e-9)
        assert rate_layouts(evidence, priors) == found.log_likelihood

    check()


def test_a_summary_in_no_order_is_noticed_and_videos_of_a_break_prove_none() -> None:
    words = [[f"thing{place}{kind}" for kind in "abcdef"] for place in range(16)]
    turns = [f"{said} well {said}" for named in words for said in (" ".join(named[:3]), "so", " ".join(named[3:]), "hm", "yes")]
    sentences, sections = [" ".join(named) for named in words], [place // 4 for place in range(16)]
    rows = {"held": range(16), "sections": [*range(8, 16), *range(8)], "sentences": [place * 7 % 16 for place in range(16)]}
    for order, places in rows.items():
        outline = SummaryOutline(("story",) * 16, sections=tuple(sections))
        located = WindowAligner(turns, CONFIG).locate([sentences[place] for place in places], outline)
        assert located.order == order
        assert [span.start for span in located.cover_each()] == [5 * place for place in places]
    # They are told nowhere, so that anywhere suits them as well.
    outline = SummaryOutline(("story", "story", "unspoken", "story"), sections=(0, 0, 1, 2))
    shown = "A video of a rusted gate and a dog with a sausage is shown."
    assert WindowAligner(TURNS, CONFIG).locate([*SENTENCES[:2], shown, SENTENCES[2]], outline).order == "held"


def test_posteriors_stay_finite_where_no_order_fits_and_where_many_turns_fit() -> None:
    """Each sentence has strong evidence for its turn, but no order fits: rows must not overflow or underflow. Then, many fit."""
    turns = [f"word{number} {'other' * number}" for number in range(100)]
    sentences = [turn for turn in reversed(turns) for _ in range(2)]
    found = WindowAligner(turns, CONFIG).locate(sentences).posteriors
    assert np.isfinite(found.begun).all()
    assert np.isfinite(found.lasting).all()
    words = " ".join(f"word{number}" for number in range(100))
    turns = [*(f"other{number}" for number in range(300)), *[words] * 80, *(f"more{number}" for number in range(300))]
    located = WindowAligner(turns, CONFIG).locate(["Before it.", words, "Word1, after it."])
    assert np.isfinite(located.posteriors.lasting).all()
    assert (located.cover_each()[1].start, located.cover_each()[1].end) == (300, 379)


def test_ratios_equal_the_formula() -> None:
    terms = TurnTerms(["gate go", "go on go", "", "dog gate"], str.split)
    evidence = terms.weigh(terms.code(["gate go away"]), CONFIG)
    kinds = [(CONFIG.edge_mention, CONFIG.edge_engaged), *((CONFIG.mention, engaged) for engaged in CONFIG.engaged)]
    turns = [({"gate", "go"}, 2), ({"go", "on"}, 3), (set(), 0), ({"dog", "gate"}, 2)]
    for ratios, (mention, engaged) in zip((evidence.edge[0], *evidence.inside[:, 0]), kinds, strict=True):
        for found, (said, n) in zip(ratios, turns, strict=True):
            more, ratio = mention * (n + 0.5) / (n + CONFIG.mention_words), 1.0
            for term in ("gate", "go"):  # no turn has "away", so it does not distinguish turns
                chance = (1 + CONFIG.rarity) / 7 * (n + CONFIG.chance_words)
                ratio *= (1 - math.exp(-chance - more)) / (1 - math.exp(-chance)) if term in said else math.exp(-more)
            assert found == pytest.approx((1 - engaged + engaged * ratio) ** CONFIG.trust)


def test_a_chunk_covers_its_sentences_with_more_confidence_than_foreign_ones_and_the_break_with_less() -> None:
    located = WindowAligner(TURNS, CONFIG).locate(SENTENCES)
    (pair,) = chunk_all(SENTENCES[:2], [2])[0]
    span = located.cover(pair)
    assert match_span(span.start, span.end, 40, 44).recall == 1
    foreign = WindowAligner(TURNS, CONFIG).locate(["Wizards argue about law.", "They mention cheese.", "A ship sails."])
    assert span.confidence > max(entry.confidence or 0.0 for entry in foreign.cover_each())
    sentences = [*SENTENCES[:2], "A trailer of a game with mushrooms.", SENTENCES[2]]
    located = WindowAligner(TURNS, CONFIG).locate(sentences, SummaryOutline(("story", "story", "unspoken", "story")))
    said = WindowAligner(TURNS, CONFIG).locate(sentences)
    assert located.posteriors.unaligned[2] > said.posteriors.unaligned[2]
    assert located.posteriors.unaligned[2] > 10 * located.posteriors.unaligned[[0, 1, 3]].max()


def test_retold_sentences_take_few_turns_detailed_ones_more_and_an_untold_part_its_share() -> None:
    words, terms, roles = np.full(1000, 5.0), np.full(3, 4.0), ("story",) * 3
    told = expect_spans(SummaryOutline(roles), terms, words, CONFIG)
    again = expect_spans(SummaryOutline(("retold", "retold", "story")), terms, words, CONFIG)
    assert again.length_means[0].max() < told.length_means[0].max()
    assert again.length_means[2].max() > told.length_means[2].max()  # it has the whole episode
    details = np.array([2.0, 4.0, 9.0])
    whole = expect_spans(SummaryOutline(roles), details, words, CONFIG)
    assert (np.diff(whole.length_means, axis=0) > 0).all()
    assert whole.last.argmax() == 999
    first_of_two = expect_spans(SummaryOutline(roles, parts=(0, 0, 0), n_parts=2), details, words, CONFIG)
    assert (first_of_two.length_means < whole.length_means).all()
    assert first_of_two.last.argmax() in (499, 500)
    shown = SummaryOutline((*roles[:2], "unspoken"), parts=(0, 0, 1), n_parts=2)  # videos, then a heading without text
    assert expect_spans(shown, details, words, CONFIG).last[500] > 1
    second_of_two = expect_spans(SummaryOutline(roles, parts=(1, 1, 1), n_parts=2), details, words, CONFIG)
    assert second_of_two.entries[0].argmax() in (499, 500)


def test_a_chunk_without_an_aligned_sentence_is_unaligned_and_empty_texts_are_accepted() -> None:
    begun, lasting = np.ones((2, 3)), np.ones((2, 3))
    located = WindowAlignment(SpanPosteriors(begun, lasting, np.array([0.2, 0.9]), 0.0))
    assert located.cover(Chunk(1, 0, 1, 1, 1, "")).start is None
    assert located.cover(Chunk(2, 0, 0, 0, 1, "")).start == 0
    aligned = align_episode(["", "a gate", ""], ["A gate.", "…"], AlignmentConfig(chunk_sizes=(2,)), content_terms)
    assert len(aligned.pairs) == 2
    assert align_episode([""], ["…"], AlignmentConfig(chunk_sizes=(2,)), content_terms).pairs[0][1].start in (0, None)


def test_the_chosen_ends_have_the_highest_sum_of_expected_f1_and_worth() -> None:
    @settings(deadline=None)
    @given(st.integers(1, 10).flatmap(lambda n: arrays(np.float64, (3, n), elements=st.floats(0.03, 1))))
    def check(rows: np.ndarray) -> None:
        membership, starts, ends = rows
        n = membership.size
        values = {
            (a, b): 2 * membership[a : b + 1].sum() / (b - a + 1 + membership.sum()) + 0.15 * starts[a] * ends[b]
            for a in range(n)
            for b in range(a, n)
        }
        found = choose_ends(membership, starts, ends, *choose_span(membership)[:2])
        assert values[found] == pytest.approx(max(values.values()))

    check()


def cover_one(lasting: list[float], least: float = 1.0) -> tuple[int | None, int | None]:
    """Return the ends of the span of a sentence that begins with turn 0 and lasts to each turn with these probabilities."""
    found = SpanPosteriors(np.ones((1, len(lasting))), np.array([lasting]), np.zeros(1), 0.0)
    span = WindowAlignment(found, least).cover(Chunk(1, 0, 0, 0, 0, ""))
    return span.start, span.end


def test_a_span_ends_where_an_end_is_likely_and_goes_on_to_one_near_where_a_sentence_lasts() -> None:
    lasting = [*[1.0] * 10, *[0.45] * 10, *[0.3] * 5, *[0.25] * 5, *[0.0] * 10]
    assert choose_span(np.array(lasting))[:2] == (0, 19)  # the highest expected F1, though it hardly ends there
    assert cover_one(lasting) == (0, 9)
    lasting = [*[1.0] * 10, *[0.32] * 34, *[0.31] * 6, *[0.0] * 30]
    assert cover_one(lasting, 0.5) == (0, 9)
    assert cover_one(lasting, 0.3) == (0, 49)
    near = [*[1.0] * 10, *[0.4] * 6, *[0.0] * 30]
    assert cover_one(near, 0.3) == (0, 9)  # turn 15, to which it lasts with .4, is the less likely end of the two


def test_paragraphs_and_sections_are_chunks_of_size_0_with_ids_of_their_own() -> None:
    outline = SummaryOutline(("story",) * 3, ((0, 0, 1), (0, 0, 0)))
    pairs = align_episode(TURNS, SENTENCES, AlignmentConfig(chunk_sizes=(0, 2)), content_terms, outline=outline).pairs
    places = [(chunk.size, chunk.offset, chunk.index) for chunk, _ in pairs]
    assert places == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (2, 0, 0), (2, 1, 0)]  # the third sentence is left over and attached
    assert [chunk.text for chunk, _ in pairs[:3]] == [" ".join(SENTENCES[:2]), SENTENCES[2], " ".join(SENTENCES)]
