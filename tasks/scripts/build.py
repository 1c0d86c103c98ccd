"""One story, from its files to scenes linked with its synopsis: land, parse, embed, align."""

import logging
from collections.abc import Mapping
from functools import cache, partial

from core.errors import SourceError
from core.references import UnitReference
from core.scripts.cast import read_cast
from core.scripts.config import ScriptsConfig
from core.scripts.links import StoryLinks, link_story
from core.scripts.long_texts import read_long_text
from core.scripts.matching import check_match
from core.scripts.scenes import CastMember, Scene
from core.scripts.screenplays.reader import parse_screenplay
from core.scripts.series import cut_episode, read_episode
from core.scripts.story import Story
from core.scripts.synopsis import MovieMeta, read_meta, read_synopsis
from core.summary_size import check_summary_size
from core.text.decoding import MARKUP, decode_text
from core.text.sentences import make_splitter
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.building import UnitWork
from tasks.frame.landing import LandedFile, join_checksums
from tasks.scripts.plan import TEXT_LIMIT, Role, StorySpec

_OPTIONAL = frozenset({"cast", "meta"})
_JSON = frozenset({"cast", "meta", "series"})
logger = logging.getLogger(__name__)


def build_story(work: UnitWork[ScriptsConfig]) -> UnitReference:
    """Build one movie, book or episode.

    Raises:
        SourceError: a file is bad, or the script has no usable scenes; the message names the file.
        ConfigError: the embedding model is not there.
        StoreError: source or store failed.
    """
    unit, config = work.unit.id, work.config
    spec: StorySpec = work.unit.spec
    landed = {
        role: work.land(file, TEXT_LIMIT, partial(_cut_episode, file.path, unit) if role == "series" else None)
        for role, file in spec.files
    }
    checksums = zip(landed, join_checksums([*landed.values()]), strict=True)
    inputs = [unit, spec.kind, *(f"{role} {checksum}" for role, checksum in checksums)]
    parsing = [config.screenplays, config.long_texts, config.synopsis]
    story = work.run("story", STORY, inputs, parsing, lambda: _read_story(unit, spec, config, landed))
    embedder = _open_embedder(config.alignment.embedding_model)
    embed = StoredEmbedder(work.store, work.pipeline, unit, embedder)
    aligning = [config.alignment, config.cast, config.matching, embedder.checksum]
    read = [story.artifact.fingerprint]

    def link() -> StoryLinks:
        told = story.load()
        if spec.kind == "movie":  # a series file has both, and books were not at hand to find a limit on
            name = landed["synopsis"].file.path
            check_match(unit, name, told.scenes, told.sentences, told.cast or (), config)
        return link_story(told, embed, config)

    links = work.run("links", STORY_LINKS, read, aligning, link).load()
    told = story.load()
    counts = {
        "scenes": len(told.scenes),
        "sentences": len(told.sentences),
        "turns": sum(len(scene.turns) for scene in told.scenes),
        "characters": sum(len(entry.content) for entry in landed.values()),
        "embedded": embed.computed,
    }
    logger.info("%s: %d scenes, %d sentences, %d groups", unit, counts["scenes"], counts["sentences"], len(links.groups))
    return work.refer(landed.values(), counts)


def _read_story(unit: str, spec: StorySpec, config: ScriptsConfig, landed: Mapping[Role, LandedFile]) -> Story:
    # An empty cast list or description is one that nobody has made: both are optional.
    filled = {role: entry for role, entry in landed.items() if role not in _OPTIONAL or entry.content.strip()}
    texts = {
        role: decode_text(entry.file.path, entry.content, MARKUP if role in _JSON else None) for role, entry in filled.items()
    }
    names = {role: entry.file.path for role, entry in landed.items()}
    if spec.kind == "episode":
        return _read_episode(unit, names["series"], texts["series"])
    meta = read_meta(names["meta"], texts["meta"]) if "meta" in texts else MovieMeta()
    cast = read_cast(names["cast"], texts["cast"]) if "cast" in texts else None
    scenes, web_lines = _read_scenes(spec, config, names["text"], texts["text"])
    if web_lines:
        logger.info("%s: %d lines of the web page around the script are left out", names["text"], web_lines)
    split = make_splitter(config.synopsis.splitter)
    synopsis = config.synopsis
    sentences = read_synopsis(names["synopsis"], texts["synopsis"], split, synopsis.lines, synopsis.join_lines)
    check_summary_size(names["synopsis"], len(sentences), sum(len(scene.turns) for scene in scenes))
    return Story(unit, spec.kind, meta.title or unit, meta.year, scenes, sentences, cast, web_lines=web_lines)


def _cut_episode(name: str, unit: str, content: bytes) -> bytes:
    return cut_episode(name, decode_text(name, content, MARKUP), unit).encode()


def _read_episode(unit: str, name: str, text: str) -> Story:
    episode = read_episode(name, text, unit)
    if not episode.synopsis:
        raise SourceError(f"{name}, {unit}: no plots; expected sentences that tell what happens in its scenes")
    speakers = dict.fromkeys(speaker for scene in episode.scenes for turn in scene.turns for speaker in turn.speakers)
    cast = tuple(CastMember(speaker) for speaker in speakers)  # a series file names its speakers in full: they are the cast
    return Story(unit, "episode", episode.title, "", episode.scenes, episode.synopsis, cast, episode.gold)


def _read_scenes(spec: StorySpec, config: ScriptsConfig, name: str, text: str) -> tuple[tuple[Scene, ...], int]:
    """Return the scenes, and the number of lines that were left out as a web page's."""
    if spec.kind == "book":
        return read_long_text(name, text, config.long_texts), 0
    screenplay = parse_screenplay(name, text, config.screenplays)
    return screenplay.scenes, screenplay.web_lines


@cache
def _open_embedder(name: str) -> SentenceEmbedder:
    """Return the sentence model of a name, loaded once a process."""
    return SentenceEmbedder(name)
