"""One shard of posts, from their records to dialogues: read, filter, search."""

from functools import partial

from core.errors import SourceError
from core.references import UnitReference
from core.text.sentences import SentenceSplitter, make_splitter
from core.threads.config import ThreadsConfig
from core.threads.formats import read_post
from core.threads.preparing import Drop, prepare_post
from core.threads.scoring import KnownScores
from core.threads.search import find_dialogues
from infra.tables.threads import DIALOGUE_ARTIFACT, DROP_ARTIFACT, tabulate_dialogues, tabulate_drops
from tasks.frame.building import UnitWork
from tasks.frame.records import RECORD
from tasks.frame.shards import Member, MemberRows, ShardRules, build_shard
from tasks.threads.plan import pseudonym_key
from tasks.threads.scorers import identify_scorer, make_generator, make_scorer

NO_DIALOGUE = "no dialogue long enough"


def build_posts(work: UnitWork[ThreadsConfig]) -> UnitReference:
    """Build the dialogues of a shard's posts; a post that cannot be read is named in the reference and the others go on.

    Raises:
        ConfigError: a model is missing, or the key of the pseudonyms is another than the run was planned with.
        StoreError: source or store failed.
    """
    config = work.config
    read = partial(_read_member, config, make_splitter(config.splitter), pseudonym_key(work.shared))
    rules = ShardRules(
        read=read,
        column="post",
        settings=[*config.result_settings, identify_scorer(config.scorer), work.shared],
        stages={"dialogues": DIALOGUE_ARTIFACT, "drops": DROP_ARTIFACT},
        limit=RECORD,
        kept=("dialogues", "drops"),
        joined=True,
    )
    return build_shard(work, rules)


def _read_member(config: ThreadsConfig, split: SentenceSplitter, key: bytes, member: Member) -> MemberRows:
    size = sum(len(line) for _, line in member.files)
    if size > config.formats.joined_limit:
        raise SourceError(f"{member.id}: {size:,} bytes of records; take some out, or raise the setting formats.joined_limit")
    prepared = prepare_post(read_post(member.id, [line for _, line in member.files]), config.prefilter, config.post, split, key)
    drops = list(prepared.drops)
    if prepared.post is None:
        return MemberRows({"drops": tabulate_drops(member.id, drops)})
    scores = KnownScores(make_scorer(config.scorer))
    found = find_dialogues(prepared.post, scores, config.search, config.scorer.max_context, make_generator(config.scorer))
    if not found:
        drops.append(Drop(member.id, "post", NO_DIALOGUE))
    dialogues = tabulate_dialogues(prepared.post, found, config.topics)
    return MemberRows({"dialogues": dialogues, "drops": tabulate_drops(member.id, drops)})
