"""One shard of films, from their files to whole dialogues with synopses."""

import pyarrow as pa

from core.errors import SourceError
from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from core.subtitles.film_dialogue import FilmOutcome, read_film
from core.subtitles.films import Film
from core.subtitles.summaries import TABLE_NAME
from core.text.sentences import SentenceSplitter, make_splitter
from infra.tables.subtitles import FILM_ARTIFACT, REJECT_ARTIFACT, tabulate_films, tabulate_rejected
from tasks.frame.build import UnitWork
from tasks.frame.model import SizeLimit
from tasks.frame.shards import Member, MemberRows, ShardRules, build_shard


def build(work: UnitWork[SubtitlesConfig]) -> UnitReference:
    """Read the films of a shard, one at a time; a film that fails is named in the reference and the others go on.

    Raises:
        StoreError: source or store failed.
    """
    config = work.config
    split = make_splitter(config.splitter)
    rules = ShardRules(
        read=lambda member: _read_film(member, config, split),
        column="film",
        settings=[config.limits, config.cleaning, config.language, config.variants, config.splitter],
        stages={"films": FILM_ARTIFACT, "rejected": REJECT_ARTIFACT},
        limit=SizeLimit(
            config.limits.max_bytes, "a subtitle file or summary", "Take the file out, or raise the setting limits.max_bytes"
        ),
        kept=("films",),
        tabulate_failure=lambda film, reason: _tabulate(FilmOutcome(film, None, (), reason)),
    )
    return build_shard(work, rules)


def _read_film(member: Member, config: SubtitlesConfig, split: SentenceSplitter) -> MemberRows:
    film: Film = member.spec
    text = film.summary.text
    *subtitles, summary = member.files if text is None else [*member.files, (TABLE_NAME, text.encode())]
    try:
        outcome = read_film(film, subtitles, summary, config, split)
    except SourceError as error:
        outcome = FilmOutcome(film.id, None, (), str(error))
    return MemberRows(_tabulate(outcome), outcome.failure)


def _tabulate(outcome: FilmOutcome) -> dict[str, pa.Table]:
    return {"films": tabulate_films([outcome]), "rejected": tabulate_rejected([outcome])}
