"""The first half of an episode's build: its files are landed, and parsed to a dialogue and a recap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import PurePosixPath

from core.dataset.units import choose_copy
from core.dialogue import Turn
from core.errors import SourceError
from core.fingerprints import fingerprint
from core.people.contacts import mask_contacts
from core.text.decoding import MARKUP, decode_text
from core.text.sentences import make_splitter
from core.transcripts.config import RecapConfig, TranscriptsConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import select_aliases
from core.transcripts.discovery import RECAP_TYPES, EpisodeFiles
from core.transcripts.people import hide_settings, hide_turns, meet_people
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap, hide_recap
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from tasks.frame.build import StageResult, UnitWork, join_checksums
from tasks.frame.model import LandedFile, SizeLimit
from tasks.transcripts.plan import MAX_TRANSCRIPT_BYTES, SharedNames, find_people, read_aliases

PEOPLE_VERSION = 1
"""Raised when other names are found, or stand for others, with the same tables, settings and files."""
TEXT_LIMIT = SizeLimit(MAX_TRANSCRIPT_BYTES, "a transcript or recap", "Divide it into parts (EPISODE-1, EPISODE-2, …)")


@dataclass(frozen=True, slots=True)
class ReadEpisode:
    """An episode's landed files and the stages that were read of them; `config` without names, where these are hidden."""

    config: TranscriptsConfig
    transcripts: list[LandedFile]
    recap_file: LandedFile
    dialogue: StageResult[Sequence[Turn]]
    recap: StageResult[Recap]


def read_episode(work: UnitWork[TranscriptsConfig]) -> ReadEpisode:
    """Land the files of an episode, and read its dialogue and its recap."""
    config = work.config
    transcripts, recap_file = _land(work)
    shared: SharedNames = work.shared
    aliases = select_aliases(work.unit.id, map(read_aliases, shared.tables), config.cleaning.aliases)
    turns = cache(
        lambda: join_parts([read_dialogue(file.file.path, file.content, config.cleaning, aliases) for file in transcripts])
    )
    read_page = partial(_read_recap, recap_file, config.recap)
    inputs, page = join_checksums(transcripts), join_checksums([recap_file])
    people = find_people(work.store, config, shared.tables, shared.key)
    masked = config.cleaning.contacts == "mask"
    if people is None and not masked:
        dialogue = work.run("dialogue", DIALOGUE, inputs, [config.cleaning, aliases], turns)
        recap = work.run("recap", RECAP, page, config.recap, read_page)
        return ReadEpisode(config, transcripts, recap_file, dialogue, recap)

    @cache
    def find_doors() -> tuple[Callable[[str], str], Callable[[str], str]]:
        """Return what hides texts, and what hides speakers: names first, since a mention may be a known name."""
        met = meet_people(people, turns(), aliases) if people is not None else None
        hide = met.make_replacer().replace if met is not None else str
        hide_speaker = cache(met.hide_speaker) if met is not None else str
        return (lambda text: mask_contacts(hide(text))) if masked else hide, hide_speaker

    hidden, seen = config, ["contacts"] if masked else []
    cleaned: list[object] = [config.cleaning, aliases]
    if people is not None:
        hidden = hide_settings(config, people)
        told = [hidden.cleaning, hidden.statistics]
        seen.append(fingerprint("names", PEOPLE_VERSION, [*inputs, shared.key, *shared.tables], told))
        cleaned = [hidden.cleaning]
    dialogue = work.run("dialogue", DIALOGUE, inputs, [*cleaned, *seen], lambda: hide_turns(turns(), *find_doors()))
    recap = work.run("recap", RECAP, page, [config.recap, *seen], lambda: hide_recap(read_page(), find_doors()[0]))
    return ReadEpisode(hidden, transcripts, recap_file, dialogue, recap)


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
        raise SourceError(f"{name}: the recap has no sentences; expected a synopsis. Complete the page and save it again")
    return recap
