"""Synthetic episodes have a correct gold alignment, and the difficulties that the settings ask for."""

from itertools import pairwise

from lab.quality.synthetic_episodes import SyntheticConfig, make_episode

PLAIN = SyntheticConfig(paraphrase=0.0, distractors=0.0, magnets=0.0, swaps=0.0, unspoken=0.0, retold=0)


def test_gold_turns_contain_the_words_of_their_sentence() -> None:
    episode = make_episode(1, PLAIN)
    assert make_episode(1, PLAIN) == episode != make_episode(2, PLAIN)
    assert [entry.text for entry in episode.gold] == list(episode.recap.sentences)
    for entry in episode.gold:
        assert entry.start is not None
        assert entry.end is not None
        spoken = " ".join(turn.text for turn in episode.turns[entry.start : entry.end + 1]).lower()
        rare = [word for word in entry.text.lower().rstrip(".").split() if word in spoken]
        assert len(set(rare)) >= PLAIN.event_words


def test_without_swaps_gold_spans_are_in_order_and_do_not_overlap() -> None:
    episode = make_episode(2, PLAIN)
    spans = [(entry.start or 0, entry.end or 0) for entry in episode.gold]
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    assert spans[-1][1] < len(episode.turns)
    assert [turn.number for turn in episode.turns] == list(range(len(episode.turns)))


def test_each_difficulty_can_be_switched_on() -> None:
    hard = SyntheticConfig(swaps=0.5, unspoken=0.5, magnets=0.5, distractors=1.0)
    episode, plain = make_episode(3, hard), make_episode(3, PLAIN)
    starts = [entry.start for entry in episode.gold if entry.start is not None]
    assert any(entry.start is None for entry in episode.gold)
    assert sorted(starts) != starts
    assert max(len(turn.text.split()) for turn in episode.turns) >= hard.magnet_words
    assert len(episode.turns) > len(plain.turns)
    assert len(plain.gold) == PLAIN.events


def test_retold_events_come_first_with_three_events_per_turn() -> None:
    episode = make_episode(7, SyntheticConfig(retold=6))
    retold, plot = episode.recap.sections
    assert (retold.kind, plot.kind, len(retold.sentences)) == ("recap", "plot", 6)
    spans = [(entry.start, entry.end) for entry in episode.gold[:6]]
    first, second = spans[0], spans[3]
    assert spans == [first] * 3 + [second] * 3
    assert first[0] == first[1] == (second[0] or 0) - 1
    assert {episode.turns[turn].speakers for turn, _ in spans if turn is not None} == {("Narrator",)}
