"""Records as files: what a pipeline would find if each record lay in its folder as files of its own, or as lines of one file.

`FORMS` has a form for each pipeline. `docs/own-data.md` shows the records that each takes.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from xml.sax.saxutils import escape

from core.errors import SourceError
from core.records import (
    FieldNames,
    find_field,
    is_record,
    list_entries,
    pick_field,
    read_record,
    read_turns,
    write_gold,
    write_halves,
    write_text,
)

Files = dict[str, bytes]
"""Contents by path; `{}` in a path stands for the unit's id."""
ROWS = "#rows.jsonl"
"""What the path of a file of records has behind it, where these are lines of one file."""
_SYNOPSES = ("synopsis", "plot", "plot_summary", "summary", "summaries", "abstract", "recap")
_SCRIPTS = ("script", "screenplay", "scenes", "full_script")
_CAPTIONS = ("subtitles", "subtitle", "captions", "cues", "srt")
_FILMS = ("imdb_id", "imdb", "movie_id", "film_id", "id", "title", "movie_name", "movie", "film", "name")
_HEADINGS = ("heading", "slugline", "header", "scene", "title")
_SPEECHES = ("turns", "dialogue", "utterances", "lines")
_TEXTS = ("text", "sentence", "description")
_POSTS = frozenset(["link_id", "comments", "answers", "selftext", "reply_to", "reply-to"])
_TAGS = {
    "stage_direction": "Scene Heading",
    "scene_description": "Action",
    "character": "Character",
    "dialogue": "Dialogue",
    "parenthetical": "Parenthetical",
}
"""Tags of MovieSum's scripts, and the paragraphs of Final Draft that they mean."""
_NO_TABLE = r"(?!.*\.(?:jsonl|ndjson|csv|tsv|parquet|arrow)(?:\.gz)?$)"  # what holds records wherever it lies
_TAG = re.compile(rf"<(/?)({'|'.join(_TAGS)})>")


@dataclass(frozen=True, slots=True)
class RecordForm:
    """How a pipeline takes records.

    A source with a file whose path matches `own` is of the pipeline's own layout, and none of its files is looked at for records.
    Elsewhere files with one of the `endings` are ("": all), and any file that the user names with options. `is_record` tells
    whether an object is a record. `write` returns its name ("": it has none) and its files; a form without it has records as
    lines of one file, and `line` makes these. `fault` is where a record is said to lie that cannot be read. Files whose paths
    match `either` may be records or of the own layout: where no other one of that layout is there, a record with a summary tells.
    """

    own: re.Pattern[str]
    is_record: Callable[[Any, FieldNames], bool]
    write: Callable[[Any, FieldNames], tuple[str, Files]] | None = None
    line: Callable[[Any, FieldNames], Any] = lambda found, _: found
    endings: tuple[str, ...] = ("",)
    fault: str = ""
    either: re.Pattern[str] = re.compile(r"(?!)")


def encode(value: Any) -> bytes:
    """Return a value as JSON; dates of Parquet become text."""
    return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass")


def _write_episode(found: Any, fields: FieldNames) -> tuple[str, Files]:
    record = read_record(found, fields)
    transcript, recap = write_halves(record)
    files = {"transcripts/{}.json": transcript, "recaps/{}.json": recap, "gold/{}.json": write_gold(record)}
    return record.name, {path: encode(value) for path, value in files.items() if value}


def _has(names: tuple[str, ...]) -> Callable[[Any, FieldNames], bool]:
    def has(found: Any, fields: FieldNames) -> bool:
        return isinstance(found, Mapping) and bool(_find(found, fields.dialogue, names))

    return has


def _find(found: Mapping[str, Any], named: str, names: tuple[str, ...]) -> Any:
    return find_field(found, named) if named else pick_field(found, names)


def _start_film(found: Any, fields: FieldNames, names: tuple[str, ...]) -> tuple[str, Any, Files]:
    """Return a film's name, the value of its dialogue, and its files but for that: all that it needs is there."""
    if isinstance(found, SourceError):
        raise found
    value = _find(found, fields.dialogue, names) if isinstance(found, Mapping) else None
    value = value if isinstance(value, str) else list_entries(value)
    if not value:
        shown = ", ".join(map(str, list(found)[:12])) if isinstance(found, Mapping) else type(found).__name__
        raise SourceError(f"found {shown}; expected {names[0]} and synopsis: name them, ?dialogue=FIELD&summary=FIELD")
    name = find_field(found, fields.id) if fields.id else pick_field(found, _FILMS)
    synopsis = write_text(_find(found, fields.summary, _SYNOPSES), "\n").strip()
    return write_text(name, " "), value, {"synopsis.txt": synopsis.encode()} if synopsis else {}


def _write_script(found: Any, fields: FieldNames) -> tuple[str, Files]:
    """Return a screenplay's files: a text as it is, scenes in parts as Final Draft has them, so that nothing is guessed."""
    name, script, files = _start_film(found, fields, _SCRIPTS)
    if isinstance(script, str) and _TAG.search(script):
        script = _write_paragraphs(_list_tagged(script))
    elif isinstance(script, list):
        texts = [scene for scene in script if isinstance(scene, str)]
        parts = (part for scene in script for part in _list_parts(scene, fields))
        script = "\n\n".join(texts) if len(texts) == len(script) else _write_paragraphs(parts)
    files["script.txt"] = script.encode("utf-8", "surrogatepass")
    cast = pick_field(found, ("cast", "characters"))
    meta = {key: write_text(pick_field(found, names), " ") for key, names in (("title", _FILMS[5:]), ("year", ("year",)))}
    files |= {"cast.json": encode(cast)} if isinstance(cast, list) else {}
    return name, {f"movies/{{}}/{path}": content for path, content in {**files, "meta.json": encode(meta)}.items()}


def _list_tagged(script: str) -> Iterator[tuple[str, str]]:
    kind = ""
    _, *pieces = _TAG.split(script)
    for closes, tag, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        kind = "" if closes else _TAGS[tag]
        if kind:
            yield kind, text


def _list_parts(scene: Any, fields: FieldNames) -> Iterator[tuple[str, str]]:
    """Yield a scene's heading, its text, and its speeches, each with its speaker."""
    scene = scene if isinstance(scene, Mapping) else {"text": scene}
    speeches, heading = pick_field(scene, _SPEECHES), write_text(pick_field(scene, _HEADINGS), " ")
    yield "Scene Heading", heading or "SCENE"
    yield "Action", write_text(pick_field(scene, ("text", "action", "description", "narration")), " ")
    for speaker, text in read_turns(speeches, fields) if isinstance(speeches, str | list) else ():
        yield ("Character", speaker) if speaker else ("Action", text)
        yield "Dialogue", text if speaker else ""


def _write_paragraphs(parts: Any) -> str:
    told = (f'<Paragraph Type="{kind}"><Text>{escape(text)}</Text></Paragraph>' for kind, text in parts if text.strip())
    return f"<FinalDraft><Content>\n{chr(10).join(told)}\n</Content></FinalDraft>"


def _write_film(found: Any, fields: FieldNames) -> tuple[str, Files]:
    """Return a film's files: subtitles as they are; lines with times as SubRip, those without as OPUS has them."""
    name, value, files = _start_film(found, fields, _CAPTIONS)
    said = value.splitlines() if isinstance(value, str) else value
    times = [_find_times(line) for line in said]
    if isinstance(value, str) and "-->" in value:
        form, content = "srt", value
    else:
        lines = said if all(isinstance(line, str) for line in said) else [text for _, text in read_turns(said, fields)]
        if times and all(times):
            cues = zip(times, lines, strict=True)
            form, content = "srt", "\n".join(f"{number}\n{each}\n{text}\n" for number, (each, text) in enumerate(cues, 1))
        else:
            told = "".join(f'<s id="{number}">{escape(text)}</s>\n' for number, text in enumerate(lines, 1))
            form, content = "xml", f"<document>\n{told}</document>"
    files[f"film.{form}"] = content.encode("utf-8", "surrogatepass")
    return name, {f"{{}}/{path}": content for path, content in files.items()}


def _find_times(line: Any) -> str:
    """Return a caption's times as SubRip has them; "" where it has none."""
    fields = line if isinstance(line, Mapping) else {}
    ends = [pick_field(fields, names) for names in (("start", "start_time"), ("end", "end_time"))]
    if not all(isinstance(end, int | float) and 0 <= end < 360_000 for end in ends):
        return ""
    stamps = (f"{int(end) // 3600:02}:{int(end) // 60 % 60:02}:{int(end) % 60:02},{int(end % 1 * 1000):03}" for end in ends)
    return " --> ".join(stamps)


def _is_post(found: Any, _: FieldNames) -> bool:
    return isinstance(found, Mapping) and bool(_POSTS & found.keys())


def _is_text(found: Any, fields: FieldNames) -> bool:
    if not isinstance(found, Mapping) or isinstance(found.get("TURNS"), list):  # CRD3's files are read as they are
        return False
    named = fields.text and find_field(found, fields.text)
    return isinstance(named or pick_field(found, _TEXTS), str) or is_record(found, fields)


def _name_text(found: Any, fields: FieldNames) -> Any:
    """Return a record of `rooms` whose fields have the names that it expects."""
    return {**found, **{key: find_field(found, name) for key, name in asdict(fields).items() if name}}


FORMS = {
    "transcripts": RecordForm(
        re.compile(rf"(?:transcripts|recaps|raw summary data)/{_NO_TABLE}", re.IGNORECASE),
        is_record,
        _write_episode,
        fault="transcripts/{}.json",
        either=re.compile(r"transcripts/.+\.json$", re.IGNORECASE),
    ),
    "scripts": RecordForm(
        re.compile(
            rf"(?:movies|books|friends|series|gold)/{_NO_TABLE}|(?:.+/)?(?:script|text|synopsis)\.(?:txt|md)$|.+\.(?:fountain|fdx)$",
            re.IGNORECASE,
        ),
        _has(_SCRIPTS),
        _write_script,
        fault="movies/{}/script.txt",
    ),
    "subtitles": RecordForm(
        re.compile(r"summaries/|summaries\.tsv$|(?:.+/)?synopsis\.txt$|.+\.(?:srt|vtt|ass|ssa|sub|ttml)$", re.IGNORECASE),
        _has(_CAPTIONS),
        _write_film,
        fault="{}/film.srt",
    ),
    "threads": RecordForm(re.compile(r"(?!)"), _is_post, endings=(".csv", ".tsv", ".parquet", ".arrow")),
    "rooms": RecordForm(
        re.compile(r"(?:.+/)?data/dialogues/.+\.parquet$"),
        _is_text,
        line=_name_text,
        endings=(".json", ".parquet", ".arrow"),
    ),
}
"""The forms by their pipeline."""
