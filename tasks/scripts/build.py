"""One story, from its files to scenes linked with its synopsis: land, parse, embed, align."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, TypeVar

from core.errors import SourceError
from core.fingerprints import fingerprint
from core.references import Artifact, UnitReference
from core.scripts.cast import read_cast
from core.scripts.config import ScriptsConfig
from core.scripts.links import link_story
from core.scripts.long_texts import read_long_text
from core.scripts.scenes import CastMember, Scene
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.series import read_episode
from core.scripts.similarities import needs_vectors
from core.scripts.story import Story
from core.scripts.synopsis import MovieMeta, read_meta, read_synopsis
from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from core.units import SourceFile
from infra.models.sentence_embedder import SentenceEmbedder
from infra.models.vectors import StoredEmbedder
from infra.settings import load_config
from infra.store.objects import Store
from infra.tables.codecs import Codec
from infra.tables.script_artifacts import LINKS, STORY
from tasks.frame.landing import LandedFile, join_checksums, land_file
from tasks.frame.stages import StageResult, run_stage

PIPELINE = "scripts"
STAGE_VERSIONS = {"story": 3, "links": 3}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""

Role = Literal["text", "synopsis", "cast", "meta", "series"]
_OPTIONAL = frozenset({"cast", "meta"})
Value = TypeVar("Value")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoryRequest:
    """A story to build: its files by role (a series file holds several episodes), where it goes, and every setting."""

    unit: str
    kind: Literal["movie", "book", "episode"]
    files: tuple[tuple[Role, SourceFile], ...]
    store: str
    config: ScriptsConfig


def build_story(request: StoryRequest) -> UnitReference:
    """Build one movie, book or episode; stages whose fingerprint the store knows are not computed again.

    Raises:
        SourceError: a file is bad, or the script has no usable scenes; the message names the file.
        ConfigError: the embedding model is not there.
        StoreError: source or store failed.
    """
    store, config = _open_store(request.store), request.config
    artifacts: dict[str, Artifact] = {}
    computed: list[str] = []
    seconds: dict[str, float] = {}

    def run(
        stage: str, codec: Codec[Value], inputs: Sequence[str], settings: object, compute: Callable[[], Value]
    ) -> StageResult[Value]:
        started = time.perf_counter()
        key = fingerprint(stage, STAGE_VERSIONS[stage], inputs, settings)
        result = run_stage(store, PIPELINE, stage, request.unit, key, codec, compute)
        artifacts[stage] = result.artifact
        seconds[stage] = time.perf_counter() - started
        if result.computed:
            computed.append(stage)
        return result

    landed = {role: land_file(store, PIPELINE, request.unit, file) for role, file in request.files}
    inputs = [
        request.unit,
        request.kind,
        *(f"{role} {entry}" for role, entry in zip(landed, join_checksums([*landed.values()]), strict=True)),
    ]
    parsing = [config.screenplays, config.long_texts, config.synopsis]
    story = run("story", STORY, inputs, parsing, lambda: _read_story(request, landed))
    embedder = _open_embedder(config.alignment.embedding_model)
    embed = StoredEmbedder(store, PIPELINE, request.unit, embedder)
    aligning = [config.alignment, config.cast, embedder.checksum]
    links = run("links", LINKS, [story.artifact.fingerprint], aligning, lambda: link_story(story.load(), embed, config))
    told = story.load()
    counts = {
        "scenes": len(told.scenes),
        "sentences": len(told.sentences),
        "turns": sum(len(scene.turns) for scene in told.scenes),
        "characters": sum(len(entry.content) for entry in landed.values()),
        "embedded": embed.computed,
    }
    logger.info(
        "%s: %d scenes, %d sentences, %d groups", request.unit, counts["scenes"], counts["sentences"], len(links.load().groups)
    )
    return UnitReference(
        request.unit,
        artifacts,
        tuple(entry.key for entry in landed.values()),
        tuple(entry.file.path for entry in landed.values()),
        counts,
        tuple(computed),
        seconds,
    )


def check_settings(profile: str, config_file: str | None, _: str | None = None) -> None:
    """Look for what a run cannot do without, before anything is started.

    Raises:
        ConfigError: the profile, the settings, or the model that they need is not there or wrong.
    """
    config = load_config(ScriptsConfig, PIPELINE, profile, config_file)
    if needs_vectors(config.alignment.weights):
        _open_embedder(config.alignment.embedding_model).check()


def _read_story(request: StoryRequest, landed: dict[Role, LandedFile]) -> Story:
    config = request.config
    # An empty cast list or description is one that nobody has made: both are optional.
    filled = {role: entry for role, entry in landed.items() if role not in _OPTIONAL or entry.content.strip()}
    texts = {role: decode_text(entry.file.path, entry.content) for role, entry in filled.items()}
    names = {role: entry.file.path for role, entry in landed.items()}
    if request.kind == "episode":
        return _read_episode(request.unit, names["series"], texts["series"])
    meta = read_meta(names["meta"], texts["meta"]) if "meta" in texts else MovieMeta()
    cast = read_cast(names["cast"], texts["cast"]) if "cast" in texts else None
    scenes = _read_scenes(request, names["text"], texts["text"])
    split = make_splitter(config.synopsis.splitter)
    sentences = read_synopsis(names["synopsis"], texts["synopsis"], split, config.synopsis.lines)
    return Story(request.unit, request.kind, meta.title or request.unit, meta.year, scenes, sentences, cast)


def _read_episode(unit: str, name: str, text: str) -> Story:
    episode = read_episode(name, text, unit)
    if not episode.synopsis:
        raise SourceError(f"{name}, {unit}: no plots; expected sentences that tell what happens in its scenes")
    speakers = dict.fromkeys(speaker for scene in episode.scenes for turn in scene.turns for speaker in turn.speakers)
    cast = tuple(CastMember(speaker) for speaker in speakers)  # a series file names its speakers in full: they are the cast
    return Story(unit, "episode", episode.title, "", episode.scenes, episode.synopsis, cast, episode.gold)


def _read_scenes(request: StoryRequest, name: str, text: str) -> tuple[Scene, ...]:
    if request.kind == "book":
        return read_long_text(name, text, request.config.long_texts)
    return read_screenplay(name, text, request.config.screenplays)


@lru_cache(maxsize=4)
def _open_store(url: str) -> Store:
    return Store(url)


@cache
def _open_embedder(name: str) -> SentenceEmbedder:
    return SentenceEmbedder(name)
