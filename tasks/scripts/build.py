"""One story, from its files to scenes linked with its synopsis: land, parse, embed, align."""

import logging
from collections.abc import Mapping
from functools import cache, partial

from core.dialogue import check_summary_size
from core.references import UnitReference
from core.scripts.aligning import StoryLinks, link_located, locate_story
from core.scripts.config import ScriptsConfig
from core.scripts.discovery import Role, StoryFiles
from core.scripts.json_files import cut_episode, read_cast, read_episode, read_meta
from core.scripts.long_texts import read_long_text
from core.scripts.matching import check_match
from core.scripts.reading import hear_sentences
from core.scripts.screenplays.reader import parse_screenplay
from core.scripts.story import Story
from core.scripts.synopsis import read_synopsis
from core.text.decoding import MARKUP, decode_text
from core.text.sentences import make_splitter
from infra.models.sentence_embedder import StoredEmbedder
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.build import UnitWork, join_checksums
from tasks.frame.model import LandedFile
from tasks.scripts.asking import hear_reader, open_embedder
from tasks.scripts.ingestion import TEXT_LIMIT

_OPTIONAL = frozenset({"cast", "meta"})
_JSON = frozenset({"cast", "meta", "series"})
logger = logging.getLogger(__name__)


def build(work: UnitWork[ScriptsConfig]) -> UnitReference:
    """Build one movie, book or episode."""
    unit, config = work.unit.id, work.config
    spec: StoryFiles = work.unit.spec
    landed = {
        role: work.land(file, TEXT_LIMIT, partial(_cut_episode, file.path, unit) if role == "series" else None)
        for role, file in spec.files
    }
    checksums = zip(landed, join_checksums([*landed.values()]), strict=True)
    inputs = [unit, spec.kind, *(f"{role} {checksum}" for role, checksum in checksums)]
    parsing = [config.screenplays, config.long_texts, config.synopsis]
    story = work.run("story", STORY, inputs, parsing, lambda: _read_story(spec, config, landed))
    embedder = open_embedder(config.alignment.embedding_model)
    embed = StoredEmbedder(work.store, work.pipeline, unit, embedder)
    aligning = [config.alignment, config.cast, config.matching, embedder.checksum]
    locate = cache(lambda: locate_story(story.load(), embed, config))
    heard = hear_reader(work, story, locate, aligning)
    read = [story.artifact.fingerprint, *heard.inputs]

    def link() -> StoryLinks:
        if spec.kind == "movie":  # a series file has both, and books were not at hand to find a limit on
            check_match(landed["synopsis"].file.path, story.load(), config)
        return link_located(locate(), hear_sentences(heard.reading) if heard.reading else None)

    links = work.run("links", STORY_LINKS, read, aligning, link).load()
    told = story.load()
    counts = {
        "scenes": len(told.scenes),
        "sentences": len(told.sentences),
        "turns": sum(1 for _ in told.list_turns()),
        "characters": sum(len(entry.content) for entry in landed.values()),
        "embedded": embed.computed,
        **heard.counts,
    }
    logger.info("%s: %d scenes, %d sentences, %d groups", unit, counts["scenes"], counts["sentences"], len(links.groups))
    return work.refer(landed.values(), counts, notices=heard.notices)


def _read_story(spec: StoryFiles, config: ScriptsConfig, landed: Mapping[Role, LandedFile]) -> Story:
    # An empty cast list or description is one that nobody has made: both are optional.
    filled = {role: entry for role, entry in landed.items() if role not in _OPTIONAL or entry.content.strip()}
    texts = {
        role: decode_text(entry.file.path, entry.content, MARKUP if role in _JSON else None) for role, entry in filled.items()
    }
    names = {role: entry.file.path for role, entry in landed.items()}
    if spec.kind == "episode":
        return read_episode(names["series"], texts["series"], spec.id)
    title, year = read_meta(names["meta"], texts["meta"]) if "meta" in texts else ("", "")
    cast = read_cast(names["cast"], texts["cast"]) if "cast" in texts else None
    web_lines = 0
    if spec.kind == "book":
        scenes = read_long_text(names["text"], texts["text"], config.long_texts)
    else:
        screenplay = parse_screenplay(names["text"], texts["text"], config.screenplays)
        scenes, web_lines = screenplay.scenes, screenplay.web_lines
    if web_lines:
        logger.info("%s: %d lines of the web page around the script are left out", names["text"], web_lines)
    synopsis = config.synopsis
    split = make_splitter(synopsis.splitter)
    sentences = read_synopsis(names["synopsis"], texts["synopsis"], split, synopsis.lines, synopsis.join_lines)
    check_summary_size(names["synopsis"], len(sentences), sum(len(scene.turns) for scene in scenes))
    return Story(spec.id, spec.kind, title or spec.id, year, scenes, sentences, cast, web_lines=web_lines)


def _cut_episode(name: str, unit: str, content: bytes) -> bytes:
    return cut_episode(name, decode_text(name, content, MARKUP), unit).encode()
