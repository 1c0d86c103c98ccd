"""The measures of a summary, against rouge-score and by hand, and how far its dialogue supports it."""

import pytest
from rouge_score.rouge_scorer import RougeScorer

from core.metrics.coded_texts import RougeCoder
from lab.summarisation import measures
from lab.summarisation.dialogue import Candidate
from lab.summarisation.meteor import parse_synonyms, score_meteor
from tests.lab.summarisation.rows import RECAP, make_dialogue

CANDIDATES = [
    Candidate(("I light the lantern!", "A grey cat jumps from the wall and runs towards the sea.")),
    Candidate(("Bram lighted lanterns.",)),
    Candidate(("Nothing shared whatsoever",)),
    Candidate(RECAP),
]


@pytest.mark.parametrize("candidate", CANDIDATES)
def test_rouge_is_that_of_rouge_score_with_its_stemmer(candidate: Candidate) -> None:
    row, found = make_dialogue(), measures.Measurer().measure(make_dialogue(), candidate)
    scorer = RougeScorer(list(measures.ROUGE_ORDERS), use_stemmer=True)
    known = scorer.score("\n".join(row.sentences), "\n".join(candidate.sentences))
    for order in measures.ROUGE_ORDERS:
        parts = (known[order].precision, known[order].recall, known[order].fmeasure)
        assert [found[f"{order}.{part}"] for part in ("precision", "recall", "f1")] == pytest.approx(parts)
    assert set(found) <= set(measures.MEASURES)


def test_names_that_the_dialogue_lacks_are_found() -> None:
    row = make_dialogue()
    speakers = measures.list_name_parts({"ODILE", "BRAM", "NERISSA"})
    found = measures.Measurer(speakers).measure_support(row, ("The cat, says Nerissa, is Bram's.", "It was in Tarrin."))
    assert found["names.supported"] == pytest.approx(1 / 3)  # Bram speaks; nobody says Nerissa or Tarrin
    assert found["speakers.supported"] == 1 / 2
    assert set(found) == set(measures.OF_REFERENCE)


def test_what_is_not_defined_is_left_out() -> None:
    found = measures.Measurer().measure(make_dialogue(), Candidate(()))
    assert found["rouge1.f1"] == found["meteor"] == found["words"] == 0
    assert not {"novelty.1", "coverage", "names.supported", "bert_score.f1"} & set(found)


def test_the_variants_say_what_was_missing() -> None:
    assert "no WordNet" in measures.describe_measures((), None)["meteor"]
    assert "index.noun" in measures.describe_measures(("index.noun",), "m")["meteor"]
    assert "not measured" in measures.describe_measures((), None)["bert_score"]
    assert "Porter" in measures.describe_measures((), None)["rouge"]


def test_coverage_and_density_are_those_of_the_fragments() -> None:
    code = RougeCoder()
    found = measures.measure_coverage(code("the cat runs to the sea"), code("the cat sleeps to the end"))
    assert found == pytest.approx((4 / 6, (4 + 4) / 6))
    assert measures.measure_coverage(code("the cat"), code("")) == (0, 0)


def test_novelty_counts_repeats_and_overlap_does_not() -> None:
    document, summary = ["a", "b", "c"], ["a", "b", "a", "x", "x"]
    assert measures.measure_novelty(document, summary, 1) == 2 / 5
    assert measures.measure_unique_overlap(document, summary, 1) == 2 / 3
    assert measures.measure_novelty(document, summary, 2) == 3 / 4
    assert measures.measure_unique_overlap(document, summary, 2) == 1 / 4
    assert measures.measure_novelty(document, ["a"], 2) is None
    assert measures.measure_unique_overlap(document, [], 1) is None


def test_names_are_capitalised_words_inside_a_sentence() -> None:
    sentences = ["The dog sees Bram's boat and Old Mill.", "“Then I saw Nerissa.", "Tarrin sleeps."]
    assert measures.find_names(sentences) == {"bram", "old", "mill", "nerissa"}
    assert measures.list_name_parts(["Dr. Al Green", "BRAM"]) == {"green", "bram"}


INDEX = """  1 This line is of the licence.
boat n 1 1 @ 1 1 02858304
vessel n 2 1 @ 2 1 02858304 04530566
ship n 1 1 @ 1 0 04530566
sailing_ship n 1 1 @ 1 0 04530566
lantern n 1 1 @ 1 1 03640988
"""
WORDNET = parse_synonyms([INDEX])


def test_equal_texts_have_nearly_one_and_foreign_ones_zero() -> None:
    assert score_meteor("the lantern is lit", "the lantern is lit") == pytest.approx(1 - 0.5 / 4**3)
    assert score_meteor("the lantern", "a gull") == 0
    assert score_meteor("", "a gull") == score_meteor("a gull", "") == 0


def test_stems_count_and_synonyms_where_there_is_a_wordnet() -> None:
    assert score_meteor("lanterns burning", "lantern burned") > 0.9
    for one, other, alike in (("boat", "vessel", True), ("vessel", "ship", True), ("boat", "ship", False)):  # by their synsets
        assert score_meteor(f"the {one}", f"the {other}") < score_meteor("the boat", "the boat")
        found = score_meteor(f"the {one}", f"the {other}", WORDNET)
        assert (found == score_meteor("the boat", "the boat")) is alike
    assert score_meteor("licence", "is", WORDNET) == 0


def test_it_is_the_mean_of_precision_and_recall_less_the_penalty_for_chunks() -> None:
    matches, precision, recall, chunks = 3, 3 / 4, 3 / 5, 2  # "the cat" and "sea"
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    expected = mean * (1 - 0.5 * (chunks / matches) ** 3)
    assert score_meteor("the cat of a sea", "the cat saw sea") == pytest.approx(expected)
