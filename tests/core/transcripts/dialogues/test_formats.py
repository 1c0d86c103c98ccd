import pytest

from core.dialogue import Turn
from core.errors import SourceError
from core.transcripts.config import CleaningConfig
from core.transcripts.dialogues.formats import join_parts, read_dialogue
from core.transcripts.dialogues.speakers import select_aliases

TEXT = b'(rain)\nANNA: "We go\n"now."\nCAPTAIN and ANNA: Yes.\n'


def test_reads_a_file_into_clean_turns_and_numbers_and_times_continue_across_parts():
    aliases = select_aliases("S01E01", aliases={"captain": ("BEN",)})
    assert read_dialogue("tale.TXT", TEXT, aliases=aliases) == (
        Turn(0, (), ("(rain)",), "", "(rain)\n"),
        Turn(1, ("ANNA",), ('"We go', 'now."'), "ANNA", ' "We go\n"now."\n'),
        Turn(2, ("BEN", "ANNA"), ("Yes.",), "CAPTAIN and ANNA", " Yes.\n"),
    )
    joined = join_parts([timed((0.0, 2.0), (2.0, 10.0)), timed((1.0, 3.0)), timed((0.5, 1.0))])
    found = [(turn.number, turn.start, turn.end) for turn in joined]
    assert found == [(0, 0.0, 2.0), (1, 2.0, 10.0), (2, 11.0, 13.0), (3, 13.5, 14.0)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"ANNA: Hi.\n"),
        ("a.md", b"# Title\n\n**ANNA:** Hi.\n"),
        ("a.markdown", b"**ANNA:** Hi.\n"),
        ("a.srt", b"1\n00:00:01,000 --> 00:00:02,000\nANNA: Hi.\n"),
        ("a.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v ANNA>Hi.\n"),
        ("a.json", b'{"TURNS": [{"NAMES": ["ANNA"], "UTTERANCES": ["Hi."]}]}'),
    ],
)
def test_every_format_gives_the_same_turn(name, content):
    ((turn,)) = read_dialogue(name, content)
    assert (turn.speakers, turn.text) == (("ANNA",), "Hi.")


def test_json_on_one_line_may_be_as_long_as_a_file() -> None:
    segment = '{"start": 0, "end": 1, "text": "Hi.", "speaker": "ANNA"},'
    content = f'{{"segments": [{segment * 20_000}{segment[:-1]}]}}'.encode()
    assert len(content) > 1_000_000
    (turn,) = read_dialogue("a.json", content)
    assert turn.speakers == ("ANNA",)
    with pytest.raises(SourceError, match="line 1 has 1,000,006 characters"):
        read_dialogue("a.txt", b"ANNA: " + b"x" * 1_000_000)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b'{"TURNS": [{"NAMES": [], "UTTERANCES": ["hi"]}]}', "nobody is named in 1 turns"),
        ("a.json", b'{"lines": [{"name": "", "text": "x"}]}', "nobody is named"),
        ("a.json", b'{"lines": [{"name": "ANNA", "text": "..."}]}', "nobody says a word in 1 turns"),
        ("a.txt", b"ANNA:\nBEN:\n", "nobody says a word in 2 turns"),
        ("a.txt", b"(Rain falls.)\nANNA:\nBEN: --\n", "nobody says a word"),
    ],
)
@pytest.mark.parametrize("config", [CleaningConfig(), CleaningConfig(unlabelled_speaker="SOUND")])
def test_refuses_a_dialogue_without_names_or_words(name, content, message, config):
    with pytest.raises(SourceError, match=rf"a\.\w+: {message}"):
        read_dialogue(name, content, config)


def timed(*times):
    return [Turn(number, ("ANNA",), ("Hi.",), "ANNA", "Hi.", start, end) for number, (start, end) in enumerate(times)]
