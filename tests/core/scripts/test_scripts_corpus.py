"""Runs the parser on every sixth of 97 movies, on those with facts of their own and on Friends."""

import re
from collections import Counter
from pathlib import Path

import pytest

from core.dataset.units import SourceFile
from core.errors import SourceError
from core.scripts.discovery import find_units
from core.scripts.evaluation import place_gold
from core.scripts.json_files import list_episodes, read_cast, read_episode, read_gold
from core.scripts.screenplays.cues import parse_cue
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.story import Story
from core.scripts.synopsis import read_synopsis
from core.text.decoding import decode_text
from core.text.sentences import split_by_rules

NO_HEADINGS = {"saw-film", "my-girl-film", "when-harry-met-sally"}
# These scripts are early drafts, whose character names differ from those in the film's cast list.
OTHER_DRAFTS = {
    "alien-film", "i-am-legend-film", "indiana-jones-and-the-kingdom-of-the-crystal-skull", "minority-report-film", "the-hangover"
}  # fmt: skip


@pytest.fixture(scope="module")
def scripts(corpora) -> Path:
    return corpora / "scripts"


@pytest.fixture(scope="module")
def texts(scripts, gold) -> dict[str, str]:
    paths = {path.parent.name: path for path in sorted(scripts.glob("movies/*/script.txt"))}
    chosen = {*list(paths)[::6], *NO_HEADINGS, "jaws-film", *(link.unit for link in gold)}
    return {unit: decode_text(unit, paths[unit].read_bytes()) for unit in sorted(chosen)}


@pytest.fixture(scope="module")
def parsed(texts):
    scenes, refused = {}, {}
    for unit, text in texts.items():
        try:
            scenes[unit] = read_screenplay(unit, text)
        except SourceError as error:
            refused[unit] = str(error)
    return scenes, refused


@pytest.fixture(scope="module")
def gold(scripts):
    return [
        link
        for path in sorted((scripts / "gold").glob("*.jsonl"))
        for link in read_gold(path.name, decode_text(path.name, path.read_bytes()))
    ]


def test_discovery_finds_all_units(scripts):
    files = [SourceFile(str(path.relative_to(scripts)), 0, "") for path in scripts.rglob("*") if path.is_file()]
    found = find_units(files)
    assert len(found.units) == 97
    assert all({"cast", "meta"} <= dict(unit.files).keys() for unit in found.units)
    assert (len(found.series), len(found.gold), found.waiting, found.refused) == (1, 3, (), ())


def test_only_scripts_without_headings_are_refused(parsed):
    scenes, refused = parsed
    assert set(refused) == NO_HEADINGS
    assert len(scenes) == 27
    assert all("no usable scene headings" in reason for reason in refused.values())
    assert len(scenes["jaws-film"]) == 53  # each heading has the scene's number on both sides, right at the words


def test_strict_scenes_equal_those_of_the_gold(parsed, gold):
    counts = {link.unit: link.scene_count for link in gold}
    assert len(counts) == 9  # eight from TRIPOD (with The Apartment), and Juno
    for unit, count in counts.items():
        strict = [scene.strict_index for scene in parsed[0][unit]]
        assert {index for index in strict if index >= 0} == set(range(count)), unit


def test_gold_sentences_are_found_where_halves_of_sentences_are_joined(scripts, gold):
    for unit in {link.unit for link in gold}:
        path = scripts / "movies" / unit / "synopsis.txt"
        sentences = read_synopsis(unit, decode_text(unit, path.read_bytes()), split_by_rules)
        story = Story(unit, "movie", unit, "", (), sentences, ())
        assert all(sentences[place] == link.sentence for link, place in place_gold(story, gold) if link.unit == unit)


def test_every_script_has_plausible_amounts_of_scenes_speech_and_action(parsed):
    for unit, scenes in parsed[0].items():
        turns = [turn for scene in scenes for turn in scene.turns]
        speech = sum(len(turn.text) for turn in turns)
        sizes = [sum(len(turn.text) for turn in scene.turns) + sum(map(len, scene.narration)) for scene in scenes]
        speakers = {name for turn in turns for name in turn.speakers}
        assert len(scenes) >= 30, unit
        assert max(sizes) <= 0.3 * sum(sizes), unit
        assert 400 <= len(turns) <= 1700, unit
        assert 0.14 <= speech / sum(sizes) <= 0.76, unit
        assert 7 <= len(speakers) <= 140, unit  # a scan of poor quality spells a name in several ways
        assert 25 <= speech / len(turns) <= 100, unit
        assert max(len(turn.text) for turn in turns) < 6000, unit


def test_main_speakers_are_in_the_cast(scripts, parsed):
    rates = {}
    for unit, scenes in parsed[0].items():
        path = scripts / "movies" / unit / "cast.json"
        cast = read_cast(unit, decode_text(unit, path.read_bytes()))
        words = {word for member in cast for name in (member.name, *member.alter_egos) for word in split_words(name)}
        speakers = Counter(name for scene in scenes for turn in scene.turns for name in turn.speakers)
        top = [name for name, _ in speakers.most_common(10)]
        rates[unit] = sum(bool(words & split_words(name)) for name in top) / len(top)
    mean = sum(rates.values()) / len(rates)
    assert mean >= 0.85
    assert {unit for unit, rate in rates.items() if rate < 0.5} <= OTHER_DRAFTS


def split_words(name):
    return set(re.findall(r"[a-z]{2,}", name.lower()))


def test_no_speaker_is_a_direction_and_few_spoken_lines_look_like_cues(parsed):
    direction = re.compile(r"\b(?:ANGLE|CLOSE ON|CUT TO|DISSOLVE|FADE|MONTAGE|FLASHBACK|POV|INT\.|EXT\.|CONTINUED|LATER)\b")
    turns = [turn for scenes in parsed[0].values() for scene in scenes for turn in scene.turns]
    assert not [turn.speakers for turn in turns if any(direction.search(name) for name in turn.speakers)]
    assert all(turn.speakers and turn.utterances and turn.raw_label and turn.raw_text for turn in turns)
    assert not [turn for turn in turns if "CONTINUED" in turn.text or "(MORE)" in turn.text]
    inside = sum(parse_cue(line.strip()) is not None for turn in turns for line in turn.raw_text.split("\n") if line.strip())
    assert inside < 0.01 * len(turns)


def test_friends(scripts):
    (path,) = (scripts / "friends").glob("*.json")
    text = decode_text(path.name, path.read_bytes())
    units = list_episodes(path.name, text)
    assert units[:2] == ("s10_e01", "s10_e03")
    assert len(units) == 9
    episodes = [read_episode(path.name, text, unit) for unit in units]
    assert sum(len(episode.scenes) for episode in episodes) == 119
    assert sum(len(scene.turns) for episode in episodes for scene in episode.scenes) == 2707
    assert sum(len(episode.sentences) for episode in episodes) == sum(len(episode.gold) for episode in episodes) == 156
    assert all(episode.title for episode in episodes)
