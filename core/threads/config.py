"""Settings of the `threads` pipeline, each with its section of the thesis and its bounds."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le, MaxLen

from core.bounds import Share
from core.dataset.splits import SplitConfig
from core.dataset.units import ProvenanceConfig
from core.fingerprints import LATER
from core.reading.questions import NO_READER, ReaderConfig

Count = Annotated[int, Ge(1), Le(100_000)]
Score = Annotated[float, Ge(-1_000_000), Le(1_000_000)]


@dataclass(frozen=True, slots=True)
class FormatConfig:
    """Which posts are read. `joined_limit` is the largest post in bytes: the records of the post and its comments together."""

    joined_limit: Annotated[int, Ge(1_000), Le(2**31)] = 256 * 2**20


@dataclass(frozen=True, slots=True)
class PrefilterConfig:
    """The filters of posts and comments (section 3.1, in its order; 4.6 for the last three).

    A text is English if at least `min_english` of its words are frequent English words; fewer than `min_judged_words` words are
    not judged. `vulgar_words` are added to fabula's list, `allowed_words` taken from it. `urls`: a text with an address
    is dropped, or only the sentences with one are cut out. A post needs `min_post_words` words and
    `min_post_sentences` sentences in its text, a comment `min_comment_words` words. `forums` are the only ones taken (none: all),
    `denied_forums` are not. Posts whose score as discussion starters reaches `starter_threshold` are dropped (above 1: none); so
    are texts whose language quality is below `min_quality`.
    """

    min_english: Share = 0.12
    min_judged_words: Count = 6
    over_18: Literal["keep", "drop"] = "drop"
    vulgar: Literal["keep", "drop"] = "drop"
    vulgar_words: tuple[str, ...] = ()
    allowed_words: tuple[str, ...] = (
        *("ass", "asses", "crap", "crappy", "goddamn", "piss", "pissed", "pissing", "wtf"),
        *("bullshit", "horseshit", "shit", "shits", "shitshow", "shittiest", "shitting", "shitty"),
        *("fuck", "fucked", "fuckin", "fucking", "fucks"),
    )
    urls: Literal["drop", "cut"] = "cut"
    min_post_words: Count = 12
    min_post_sentences: Annotated[int, Ge(1), Le(100)] = 2
    min_comment_words: Count = 3
    forums: tuple[str, ...] = ()
    denied_forums: tuple[str, ...] = ()
    starter_threshold: Annotated[float, Ge(0), Le(2)] = 0.5
    min_quality: Share = 0.5


@dataclass(frozen=True, slots=True)
class StarterConfig:
    """What tells posts that only invite discussion (section 4.6): rules, or a trained classifier from the file `classifier`.

    Its sentence vectors are those of `scorer.embedding_model`. Either's score is compared with `prefilter.starter_threshold`.
    """

    classifier: str = ""


@dataclass(frozen=True, slots=True)
class PostConfig:
    """How a post becomes speaker 1's sentences: with its title first or without, and how long they may be (appendix A).

    `edits`: a post is cut where its author has added to it later ("Edit: …", "Update: …"). `lines`: a sentence that is broken
    over two lines, in a post or a comment, is joined, or ends with its line.
    """

    title: Literal["sentence", "summary"] = "sentence"
    max_characters: Annotated[int, Ge(1), Le(1_000_000)] = 2_000
    max_sentences: Annotated[int, Ge(1), Le(1_000)] = 20
    edits: Literal["keep", "cut"] = "cut"
    lines: Literal["join", "break"] = "join"


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How a post and its comments become a dialogue (sections 3.2.1 to 3.2.7).

    `method` is `conversation` (the post, then what its author and one commenter replied to each other), `insert` (algorithm 1 and
    what grew out of it: replies between the sentences of the post), `post-comment` (the post, then one comment) or `random-pairs`
    (`pairs` pairs of comments, the best of `drawn_pairs` drawn ones), or `told` (the post and each comment on the one before,
    as dialogues of other datasets are). `conversation` uses only `max_comments`,
    `max_comment_sentences` (a longer comment ends it) and `min_turns`; the other settings are for `insert`. With
    `max_segment` 0 whole comments are used, else runs of 1 to `max_segment` sentences (algorithm 2). `better_nsp` scores a reply
    half by what stands before it, half by how the next sentence of the post follows (section 3.2.2). `post_runs`: several
    sentences of the post may stand in a row. `beam` is the n of algorithm 3. At most `max_comments` comments are candidates, in
    the source's order, and of each at most `max_comment_sentences` sentences. `choose_segments`: no segment starts with a
    sentence that continues a thought ("However, …"), unless it is the comment's first; none announces a list ("… these:"),
    quotes the post, or speaks of the forum ("OP", "this sub").

    Probabilities are the scorer's: that an utterance is the true reply, not one to another post of the forum, if both are as
    likely at first. A reply is not taken if the probability of its score is below `threshold`, or if that of the transition to it
    alone is below `reply_threshold`, whatever follows it. Where nothing is left, the dialogue ends. Nothing is prepended to a
    sentence of the post that follows by itself with a probability below `bridge_threshold`: it would change the subject.

    `threading` prepends a short reply to the chosen comment, of at most `max_thread_words` words and no question, to the next
    sentence of the post, and `reactions` are fixed ones (section 3.2.7); either only where the transition gets better by
    `least_gain`. A transition below `rough` is bridged by a generated reply where there is a generator (section 3.2.4). A second
    agreement of speaker 2 loses `agreement_penalty` (section 4.6). A reply loses `later_penalty` for each of its content words
    that the post tells only later, for three of them at most. These four are on the scale of the scores, log-odds. A dialogue
    needs `min_turns` turns.
    """

    method: Literal["conversation", "insert", "post-comment", "random-pairs", "told"] = "conversation"
    beam: Annotated[int, Ge(1), Le(64)] = 2
    max_segment: Annotated[int, Ge(0), Le(10)] = 3
    better_nsp: bool = True
    post_runs: bool = True
    choose_segments: bool = True
    threshold: Share = 0.5
    reply_threshold: Share = 0.5
    bridge_threshold: Share = 0.5
    max_comments: Annotated[int, Ge(1), Le(10_000)] = 100
    max_comment_sentences: Annotated[int, Ge(1), Le(1_000)] = 20
    threading: bool = True
    max_thread_words: Count = 8
    reactions: Annotated[tuple[str, ...], MaxLen(100)] = ()
    least_gain: Score = 0.0
    rough: Score = 0.0
    agreement_penalty: Annotated[float, Ge(0), Le(1_000_000)] = 3.0
    later_penalty: Annotated[float, Ge(0), Le(1_000_000)] = 0.5
    min_turns: Annotated[int, Ge(2), Le(1_000)] = 4
    drawn_pairs: Count = 100
    pairs: Count = 1


@dataclass(frozen=True, slots=True)
class ScorerConfig:
    """What scores a reply in its context (sections 2.2, 3.2.1).

    `words` compares words, and needs no model: the default method asks no scorer what to choose. `cosine` compares sentence
    vectors. `reply` is a trained reply scorer on such vectors, from the file `model`. `nsp` is BERT's next-sentence prediction,
    and `model` a checkpoint's name or folder.
    `embedding_model` makes the sentence vectors of `reply` and `cosine`. `max_context` is how many utterances before the reply
    count. `generator` is the folder or name of a causal or seq2seq model whose replies compete with the comments (empty: none).
    """

    kind: Literal["reply", "cosine", "words", "nsp"] = "words"
    model: str = ""
    embedding_model: str = "all-MiniLM-L6-v2"
    max_context: Annotated[int, Ge(1), Le(1_000)] = 50
    generator: str = ""
    max_generated: Annotated[int, Ge(1), Le(1_000)] = 40


@dataclass(frozen=True, slots=True)
class PostfilterConfig:
    """The post-filter (section 3.2.5, GRADE's role): the share of all dialogues that a release drops, the least coherent ones."""

    drop_share: Annotated[float, Ge(0), Le(0.99)] = 0.0


@dataclass(frozen=True, slots=True)
class ThreadsConfig:
    """All settings of the pipeline. `topics` gives forums a topic (forum → topic); a forum without one is its own topic.

    `shards` is the number of shards that posts travel in, the same in all releases of a dataset. `split` assigns whole shards to
    splits.
    """

    formats: FormatConfig = field(default_factory=FormatConfig)
    prefilter: PrefilterConfig = field(default_factory=PrefilterConfig)
    starter: StarterConfig = field(default_factory=StarterConfig)
    post: PostConfig = field(default_factory=PostConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    scorer: ScorerConfig = field(default_factory=ScorerConfig)
    postfilter: PostfilterConfig = field(default_factory=PostfilterConfig)
    topics: dict[str, str] = field(default_factory=dict)
    splitter: Literal["spacy", "regex"] = "regex"
    shards: Annotated[int, Ge(1), Le(9_999)] = 64
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)
    reader: ReaderConfig = field(default=NO_READER, metadata=LATER)

    @property
    def result_settings(self) -> list[object]:
        """The settings that the dialogues of a shard depend on; the others decide what a release holds."""
        return [self.formats, self.prefilter, self.post, self.search, self.scorer, self.topics, self.splitter]
