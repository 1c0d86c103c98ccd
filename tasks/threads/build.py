"""One shard of posts, from their records to dialogues: read, filter, search, and hear what a reader says of them."""

from collections.abc import Sequence
from contextlib import suppress

from core.errors import SourceError
from core.references import UnitReference
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.formats import read_post
from core.threads.methods import find_dialogues, list_reachable
from core.threads.posts import Post
from core.threads.preparing import MOST_KEPT, Drop, Prepared, prepare_post
from core.threads.scoring import EmbeddingScorer, KnownScores
from core.threads.starters import StarterClassifier
from core.threads.trained_scoring import TrainedScorer
from infra.pseudonym_key import read_pseudonym_key
from infra.store.cipher import Cipher
from infra.tables.threads import DIALOGUE_ARTIFACT, DROP_ARTIFACT, tabulate_dialogues, tabulate_drops
from tasks.frame.build import UnitWork
from tasks.frame.records import RECORD
from tasks.frame.shards import Member, MemberRows, ShardRules, build_shard
from tasks.threads.asking import hear_reader
from tasks.threads.scorers import identify_scorer, identify_starter_rater, make_generator, make_scorer, make_starter_rater

NO_DIALOGUE = "no dialogue long enough"


def build(work: UnitWork[ThreadsConfig]) -> UnitReference:
    """Build the dialogues of a shard's posts; a post that cannot be read is named in the reference and the others go on."""
    config = work.config
    key = read_pseudonym_key(work.store, work.shared)
    reader = _PostReader(config, key)
    rules = ShardRules(
        read=reader.read,
        foresee=reader.foresee,
        column="post",
        settings=[*config.result_settings, identify_scorer(config.scorer), identify_starter_rater(config), work.shared],
        stages={"dialogues": DIALOGUE_ARTIFACT, "drops": DROP_ARTIFACT},
        limit=RECORD,
        kept=("dialogues", "drops"),
        joined=True,
        cipher=Cipher(key),
    )
    return hear_reader(work, build_shard(work, rules))


class _PostReader:
    """Reads posts into rows. Posts that were foreseen have been prepared, and the sentences of all of them embedded together."""

    def __init__(self, config: ThreadsConfig, key: bytes) -> None:
        self._config = config
        self._key = key
        self._split = make_splitter(config.splitter)
        self._scorer = make_scorer(config.scorer)
        self._rate_starter = make_starter_rater(config)
        self._ready: dict[str, Prepared] = {}

    def foresee(self, members: Sequence[Member]) -> None:
        """Prepare posts, and embed at once what their searches can reach."""
        self._ready = {}
        self._scorer = make_scorer(self._config.scorer)
        shared = self._scorer.vectors if isinstance(self._scorer, EmbeddingScorer | TrainedScorer) else None
        self._rate_starter = make_starter_rater(self._config, shared)
        found: dict[str, Post] = {}
        for member in members:
            with suppress(SourceError, TypeError, ValueError):  # `read` meets it again, and tells its failure
                found[member.id] = self._read_post(member)
        if isinstance(self._rate_starter, StarterClassifier):
            self._rate_starter.measures.learn(found.values())
        for name, post in found.items():
            with suppress(TypeError, ValueError):
                self._ready[name] = self._clean(post)
        if isinstance(self._scorer, EmbeddingScorer | TrainedScorer):
            posts = [ready.post for ready in self._ready.values() if ready.post is not None]
            self._scorer.vectors.learn(sentence for post in posts for sentence in list_reachable(post, self._config.search))

    def read(self, member: Member) -> MemberRows:
        """Return the rows of a post."""
        config = self._config
        prepared = self._ready.pop(member.id, None) or self._clean(self._read_post(member))
        drops = list(prepared.drops)
        if prepared.post is None:
            return MemberRows({"drops": tabulate_drops(member.id, drops)})
        generate = make_generator(config.scorer)
        found = find_dialogues(prepared.post, KnownScores(self._scorer), config.search, config.scorer.max_context, generate)
        if not found:
            said = " ".join(prepared.post.sentences)[:MOST_KEPT]
            drops.append(Drop(member.id, "post", NO_DIALOGUE, said, (prepared.post.author,)))
        dialogues = tabulate_dialogues(prepared.post, found, config.topics)
        return MemberRows({"dialogues": dialogues, "drops": tabulate_drops(member.id, drops)})

    def _read_post(self, member: Member) -> Post:
        config, lines = self._config, [line for _, line in member.files]
        if (size := sum(map(len, lines))) > config.formats.joined_limit:
            raise SourceError(f"{member.id}: {size:,} bytes of records; take some out, or raise the setting formats.joined_limit")
        return read_post(member.id, lines, self._key)

    def _clean(self, post: Post) -> Prepared:
        return prepare_post(post, self._config.prefilter, self._config.post, self._split, self._rate_starter)
