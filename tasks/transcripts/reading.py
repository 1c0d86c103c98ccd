"""The first half of an episode's build: its files are landed, and parsed to a dialogue and a recap."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from core.dialogue import Turn
from core.errors import SourceError
from core.text.decoding import MARKUP, decode_text
from core.text.sentences import make_splitter
from core.transcripts.config import RecapConfig, TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import Alias, parse_alias_table, select_aliases
from core.transcripts.discovery import EpisodeFiles
from core.transcripts.file_types import RECAP_TYPES
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap
from core.units import choose_copy
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from tasks.frame.building import StageResult, UnitWork
from tasks.frame.landing import LandedFile, SizeLimit, join_checksums

TEXT_LIMIT = SizeLimit(64 * 2**20, "a transcript or recap", "Divide it into parts (EPISODE-1, EPISODE-2, …)")


@dataclass(frozen=True, slots=True)
class ReadEpisode:
    """An episode's landed files, in order of its parts, and the stages that were read of them."""

    transcripts: list[LandedFile]
    recap_file: LandedFile
    dialogue: StageResult[Sequence[Turn]]
    recap: StageResult[Recap]


def read_episode(work: UnitWork[TranscriptsConfig]) -> ReadEpisode:
    """Land the files of an episode, and read its dialogue and its recap.

    Raises:
        SourceError: a file is bad, two copies differ, or the recap is empty; the message names the file.
        StoreError: source or store failed.
    """
    config = work.config
    transcripts, recap_file = _land(work)
    aliases = select_aliases(work.unit.id, [_parse_aliases(text) for text in work.shared], config.cleaning.aliases)
    dialogue = work.run(
        "dialogue",
        DIALOGUE,
        join_checksums(transcripts),
        [config.cleaning, aliases],
        lambda: join_parts([read_dialogue(file.file.path, file.content, config.cleaning, aliases) for file in transcripts]),
    )
    recap = work.run("recap", RECAP, join_checksums([recap_file]), config.recap, lambda: _read_recap(recap_file, config.recap))
    return ReadEpisode(transcripts, recap_file, dialogue, recap)


def _land(work: UnitWork[TranscriptsConfig]) -> tuple[list[LandedFile], LandedFile]:
    """Land the files of an episode; of several candidates for one place all must be the same."""
    files: EpisodeFiles = work.unit.spec
    landed = {file: work.land(file, TEXT_LIMIT) for file in (*files.transcripts, *files.recaps)}
    for group in files.duplicates:
        checksums = [(landed.get(file) or work.land(file, TEXT_LIMIT)).sha256 for file in group]
        choose_copy(list(zip(group, checksums, strict=True)))
    return [landed[file] for file in files.transcripts], landed[files.recaps[0]]


def _read_recap(landed: LandedFile, config: RecapConfig) -> Recap:
    name = landed.file.path
    in_markup = RECAP_TYPES.get(PurePosixPath(name).suffix.lower()) in ("json", "wiki page")
    text = decode_text(name, landed.content, MARKUP if in_markup else None)
    recap = read_recap(name, text, make_splitter(config.splitter), config.lists == "chunked")
    if not recap.sentences:
        raise SourceError(
            f"{name}: the recap has no sentences; expected a synopsis of the episode. Complete the page and save it again"
        )
    return recap


@lru_cache(maxsize=8)  # a worker builds many episodes, and parses a table once
def _parse_aliases(text: str) -> tuple[Alias, ...]:
    return parse_alias_table("speakers.tsv", text)
