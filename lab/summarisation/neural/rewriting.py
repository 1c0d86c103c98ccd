"""CRD3's summariser: an extractor chooses turns, an abstractor rewrites them, and policy gradient joins the two.

Reference: CRD3, section 5.1; Chen and Bansal, 2018.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import ConfigError
from core.metrics.coded_texts import RougeCoder
from core.metrics.rouge import score_rouge
from core.scripts.views import Line, show_line
from core.text.numbering import Codes
from infra.models.model_folder import choose_device
from lab.summarisation.neural.examples import Example, hash_examples
from lab.summarisation.neural.loading import require_torch
from lab.summarisation.neural.settings import DRAWN, RewriteConfig
from lab.summarisation.neural.vocabulary import (
    END,
    PAD,
    UNKNOWN,
    Vocabulary,
    join_words,
    make_vocabulary,
    rerank_candidates,
    split_words,
)
from lab.training.checkpoints import CheckpointPlace, StoredFiles
from lab.training.network import TellStep, TrainingCurve, pad_rows, seed_step, train_network

if TYPE_CHECKING:
    import torch

    from lab.summarisation.neural.copy_abstractor import CopyAbstractor, Source
    from lab.summarisation.neural.pointer_extractor import ActorCritic, Memory

_LEAST_WORDS = 5  # the widest convolution
Turns = tuple[tuple[str, ...], ...]
"""The words of each turn of a dialogue."""


class RewriteSummariser:
    """Trains the extractor, the abstractor and the policy, and summarises; without the abstractor it only extracts turns."""

    unit = "turns"

    def __init__(self, config: RewriteConfig, files: StoredFiles, abstract: bool = True) -> None:
        """Choose the settings, where checkpoints are kept, and whether an abstractor rewrites the turns."""
        self._config = config
        self._abstract = abstract
        self._files = files
        self._device = choose_device()
        self._coder = RougeCoder()
        self._vocabulary = Vocabulary((), {})
        self._networks: tuple[ActorCritic, CopyAbstractor] | None = None
        self._rewritten: dict[tuple[str, ...], list[str]] = {}

    def train(
        self, examples: Sequence[Example], validation: Sequence[Example], tell: TellStep = lambda _, __: None
    ) -> dict[str, TrainingCurve]:
        """Train the extractor, the abstractor and then the policy; each is resumed where it was stopped.

        The figures on the validation examples are, of the extractor and the abstractor, the mean negative log-probability of a
        choice or a word, and of the policy ROUGE-1 F1 of the likeliest walk, negative. The steps of the three are told in a row,
        and the policy's ROUGE-1 as it is.
        """
        require_torch()
        data = hash_examples(examples, validation)
        labelled = [(example, walk) for example in examples if (walk := label_walk(example, self._config)) is not None]
        held_out = [(example, walk) for example in validation if (walk := label_walk(example, self._config)) is not None]
        if not labelled:
            raise ConfigError(
                f"found {len(examples)} training examples, none with both words in a turn and a summary; name others"
            )
        self._vocabulary = collect_vocabulary([example for example, _ in labelled], self._config)
        agent, abstractor = self._make_networks()
        curves: dict[str, TrainingCurve] = {}

        def tell_in_a_row(step: int, figures: Mapping[str, float]) -> None:
            part = ("extractor", "abstractor", "policy")[len(curves) + (len(curves) == 1 and not self._abstract)]
            before = sum(len(curve.losses) for curve in curves.values())
            told = {f"{part} {name}": figure for name, figure in figures.items()}
            if part == "policy" and "validation" in figures:
                told["policy ROUGE-1"] = -told.pop("policy validation")
            tell(before + step, told)

        def train_part(
            name: str, network: "torch.nn.Module", loss: Any, rows: Sequence[Any], validate: Any, *before: str
        ) -> None:
            curves[name] = train_network(
                network,
                lambda places: loss([rows[place] for place in places]),
                len(rows),
                validate,
                CheckpointPlace(self._files, name),
                self._identify(data, *before),
                getattr(self._config, name),
                tell_in_a_row,
            )

        def average(loss: Any, rows: Sequence[Any]) -> Any:
            return (lambda: self._average(loss, rows)) if rows else None

        walks, held_out_walks = [walk for _, walk in labelled], [walk for _, walk in held_out]
        loss = self._compute_extractor_loss
        train_part("extractor", agent.extractor, loss, walks, average(loss, held_out_walks))
        if self._abstract:
            pairs = [pair for example, _ in labelled for pair in pair_sentences(example, self._config)]
            held_out_pairs = [pair for example, _ in held_out for pair in pair_sentences(example, self._config)]
            rewrite = self._compute_abstractor_loss
            train_part("abstractor", abstractor, rewrite, pairs, average(rewrite, held_out_pairs))
        agent.critic.begin_as(agent.extractor)
        told, asked = [example for example, _ in labelled], [example for example, _ in held_out]
        reward = (lambda: -self._measure_walks(asked)) if asked else None
        train_part("policy", agent, self._compute_policy_loss, told, reward, "extractor", "abstractor")
        return curves

    def summarise(self, dialogues: Sequence[Sequence[Line]]) -> list[list[tuple[str, int]]]:
        """Return the sentences of each summary, each with the 0-based number of the turn that it is or rewrites.

        Candidates of all sentences of a summary are reranked together. A dialogue without words has no summary.
        """
        agent, abstractor = self._make_networks()
        agent.eval()
        abstractor.eval()
        found: list[list[tuple[str, int]]] = []
        for lines in dialogues:
            turns = split_turns(lines, self._config)
            if not turns:
                found.append([])
                continue
            chosen = self._choose([turns])[0]
            spoken = [place for place, line in enumerate(lines) if split_words(line.text)]
            if not self._abstract:
                found.append([(lines[spoken[place]].text, spoken[place]) for place in chosen])
                continue
            beams = [
                abstractor.search(
                    self._number_turns([turns[place]]),
                    self._vocabulary,
                    self._config.max_sentence,
                    self._config.beams,
                    self._config.diversity,
                )
                for place in chosen
            ]
            best = rerank_candidates(beams)
            found.append([(join_words(one.words), spoken[place]) for one, place in zip(best, chosen, strict=True)])
        return found

    def measure_sizes(self, dialogues: Sequence[Sequence[Line]]) -> list[int]:
        """Return the turns of each dialogue that have words, before any are cut."""
        return [sum(bool(split_words(line.text)) for line in lines) for lines in dialogues]

    def limit(self) -> int:
        """Return how many turns of a dialogue are read."""
        return self._config.max_turns

    def _identify(self, data: str, *before: str) -> dict[str, Any]:
        """Return what a training depends on besides its own settings; `before` are the trainings that it goes on from."""
        others = {"extractor", "abstractor", "policy", *DRAWN, *self._config.DECODING} - set(before)
        settings = {name: value for name, value in asdict(self._config).items() if name not in others}
        return {"data": data, "settings": settings, "abstract": self._abstract, "first_seed": self._config.extractor.seed}

    def _make_networks(self) -> tuple["ActorCritic", "CopyAbstractor"]:
        if self._networks is None:
            from lab.summarisation.neural.copy_abstractor import CopyAbstractor
            from lab.summarisation.neural.pointer_extractor import ActorCritic

            seed_step(self._config.extractor.seed, 0)
            agent = ActorCritic(len(self._vocabulary), self._config).to(self._device)
            self._networks = agent, CopyAbstractor(len(self._vocabulary), self._config).to(self._device)
        return self._networks

    def _remember(self, dialogues: Sequence[Turns]) -> "Memory":
        """Return the memory of an extractor for some dialogues."""
        import torch

        most = max(map(len, dialogues))
        width = max(_LEAST_WORDS, *(len(turn) for turns in dialogues for turn in turns))
        words = np.full((len(dialogues), most, width), PAD)
        for row, turns in enumerate(dialogues):
            for place, turn in enumerate(turns):
                words[row, place, : len(turn)] = self._vocabulary.number(turn)
        agent = self._make_networks()[0]
        memory: Memory = agent.extractor.encoder(
            torch.from_numpy(words).to(self._device), torch.tensor([len(turns) for turns in dialogues])
        )
        return memory

    def _compute_extractor_loss(self, rows: Sequence[tuple[Turns, list[int]]]) -> "torch.Tensor":
        from lab.summarisation.neural.pointer_extractor import NO_ACTION

        actions = pad_rows([walk for _, walk in rows], NO_ACTION)
        known = self._make_networks()[0].extractor.score(self._remember([turns for turns, _ in rows]), actions.to(self._device))
        return -known.sum() / (actions != NO_ACTION).sum()

    def _compute_abstractor_loss(self, rows: Sequence[tuple[tuple[str, ...], list[str]]]) -> "torch.Tensor":
        source = self._number_turns([turn for turn, _ in rows])
        others = {word: len(self._vocabulary) + place for place, word in enumerate(source.others)}
        known = self._vocabulary.numbers
        words = [[known.get(word, others.get(word, UNKNOWN)) for word in sentence] for _, sentence in rows]
        targets = pad_rows([[*numbers, END] for numbers in words], PAD)
        loss: torch.Tensor = self._make_networks()[1](source, targets.to(self._device))
        return loss

    def _number_turns(self, turns: Sequence[tuple[str, ...]]) -> "Source":
        from lab.summarisation.neural.copy_abstractor import Source

        others: dict[str, int] = {}
        words = pad_rows([self._vocabulary.number(turn) for turn in turns], PAD)
        extended = pad_rows([self._vocabulary.number_with(turn, others) for turn in turns], PAD)
        return Source(words.to(self._device), extended.to(self._device), tuple(others))

    def _compute_policy_loss(self, examples: Sequence[Example]) -> "torch.Tensor":
        from lab.summarisation.neural import pointer_extractor as pointer

        agent = self._make_networks()[0]
        dialogues = [split_turns(example.lines, self._config) for example in examples]
        memory = self._remember(dialogues)
        walk = agent.extractor.walk(memory, sample=True)
        values = agent.critic(memory, walk.actions.shape[1])
        chosen = pointer.list_chosen(walk)
        self._rewrite({turns[place] for turns, places in zip(dialogues, chosen, strict=True) for place in places})
        returns = np.zeros(tuple(walk.actions.shape), np.float32)
        for row, (example, turns, places) in enumerate(zip(examples, dialogues, chosen, strict=True)):
            written = [self._coder(" ".join(self._rewritten[turns[place]])) for place in places]
            sentences = [self._coder(sentence) for sentence in example.sentences]
            rewards = pointer.discount_rewards(
                pointer.reward_walk(written, sentences, self._config.stop_weight), self._config.discount
            )
            returns[row, : len(rewards)] = rewards
        return pointer.compute_policy_loss(walk.actions, walk.log_probabilities, values, returns)

    def _rewrite(self, turns: set[tuple[str, ...]]) -> None:
        """Note what the abstractor makes of turns; it does not change while the policy is trained."""
        new = sorted(turns - self._rewritten.keys())
        abstractor = self._make_networks()[1]
        abstractor.eval()
        for start in range(0, len(new), self._config.batch):
            part = new[start : start + self._config.batch]
            written = (
                abstractor.write(self._number_turns(part), self._vocabulary, self._config.max_sentence)
                if self._abstract
                else [list(turn) for turn in part]
            )
            self._rewritten.update(zip(part, written, strict=True))

    def _choose(self, dialogues: Sequence[Turns]) -> list[list[int]]:
        """Return the turns of the likeliest walk through each dialogue, in the order of the choice."""
        import torch

        from lab.summarisation.neural.pointer_extractor import list_chosen

        with torch.no_grad():
            return list_chosen(self._make_networks()[0].extractor.walk(self._remember(dialogues), sample=False))

    def _measure_walks(self, examples: Sequence[Example]) -> float:
        """Return the mean ROUGE-1 F1 of what is written of the likeliest walks."""
        scores = []
        for start in range(0, len(examples), self._config.batch):
            part = examples[start : start + self._config.batch]
            dialogues = [split_turns(example.lines, self._config) for example in part]
            chosen = self._choose(dialogues)
            self._rewrite({turns[place] for turns, places in zip(dialogues, chosen, strict=True) for place in places})
            for example, turns, places in zip(part, dialogues, chosen, strict=True):
                written = " ".join(word for place in places for word in self._rewritten[turns[place]])
                scores.append(score_rouge(self._coder(example.summary), self._coder(written)).rouge1.f1)
        return float(np.mean(scores))

    def _average(self, compute_loss: Any, rows: Sequence[Any]) -> float:
        """Return the mean loss of a row."""
        total = 0.0
        for start in range(0, len(rows), self._config.batch):
            part = rows[start : start + self._config.batch]
            total += float(compute_loss(part).detach()) * len(part)
        return total / len(rows)


def split_turns(lines: Sequence[Line], config: RewriteConfig) -> Turns:
    """Return the words of the turns that have some, cut at the limits."""
    spoken = (show_line(line, config.view) for line in lines if split_words(line.text))
    return tuple(tuple(split_words(text)[: config.max_turn]) for text in spoken)[: config.max_turns]


def label_walk(example: Example, config: RewriteConfig) -> tuple[Turns, list[int]] | None:
    """Return the turns of a dialogue, and the actions of the walk that an extractor learns; None where there is none."""
    turns = split_turns(example.lines, config)
    places = _find_salient(turns, example)[: config.max_extracted]
    return (turns, [*(place + 1 for place in places), 0]) if places else None


def pair_sentences(example: Example, config: RewriteConfig) -> list[tuple[tuple[str, ...], list[str]]]:
    """Return the turns with the sentences that retell them, in words."""
    turns = split_turns(example.lines, config)
    sentences = [words for words in map(split_words, example.sentences) if words]
    places = _find_salient(turns, example)
    return [(turns[place], words[: config.max_sentence]) for place, words in zip(places, sentences, strict=False)]


def collect_vocabulary(examples: Sequence[Example], config: RewriteConfig) -> Vocabulary:
    """Return the most frequent words of dialogues and summaries."""
    texts = [turn for example in examples for turn in split_turns(example.lines, config)]
    texts += [tuple(split_words(sentence)) for example in examples for sentence in example.sentences]
    return make_vocabulary(texts, config.vocabulary)


def _find_salient(turns: Turns, example: Example) -> tuple[int, ...]:
    coder = RougeCoder()
    sentences = [sentence for sentence in example.sentences if split_words(sentence)]
    return find_salient_turns(coder.code_all([" ".join(turn) for turn in turns]), coder.code_all(sentences))


def find_salient_turns(turns: Sequence[Codes], sentences: Sequence[Codes]) -> tuple[int, ...]:
    """Return for each summary sentence the turn (0-based) with the highest ROUGE-L recall that no earlier sentence has.

    Ties go to the first turn. Turns without words are never taken. Where the sentences outnumber the turns, the last sentences
    have none.

    Reference: Chen and Bansal, 2018, equation 6; `get_extract_label` of their program.
    """
    left = [place for place, turn in enumerate(turns) if turn.size]
    found = []
    for sentence in sentences:
        if not left:
            break
        best = max(left, key=lambda place: (score_rouge(sentence, turns[place]).rouge_l.recall, -place))
        left.remove(best)
        found.append(best)
    return tuple(found)
