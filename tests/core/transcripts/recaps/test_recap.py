from core.text.sentences import make_splitter
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import ends_with_stops, find_untold

PAGE = """# Low Tide

## Break

The cast thanks:

- Ada Pell, lights
- Everyone who wrote. They read the letters.

## Part I

They sail [8]35 miles to the bell "Hush!", which rings. Nobody hears it.

He found:

- a rope
"""


def read(chunk_lists: bool = False):
    return read_recap("S01E01.md", PAGE, make_splitter("prose"), chunk_lists)


def test_entries_and_lines_that_head_them_tell_nothing_and_sentences_do() -> None:
    paragraphs = ["The cast thanks:", "Ada Pell, lights", "She left.", 'He cries "Stop!"', "It is over [1]", "終わり。"]
    assert find_untold(paragraphs) == (0, 1, 4)
    long = "They walk along the shore until the sun has set behind the two hills"
    assert find_untold([long, f"{long}:"]) == (1,)


def test_untold_paragraphs_stay_in_the_recap_and_a_writer_without_full_stops_tells_all_the_same() -> None:
    news, part = read().sections
    assert [news.paragraphs[number] for number in news.untold] == ["The cast thanks:", "Ada Pell, lights"]
    assert news.sentences == ("Everyone who wrote.", "They read the letters.")
    assert part.untold == ()  # the plot's lists are told
    assert part.sentences == (
        'They sail [8]35 miles to the bell "Hush!", which rings.',
        "Nobody hears it.",
        "He found:",
        "a rope",
    )
    text = "# Low Tide\n\n## Part I\n\n- They sail\n- They land\n- They rest. Nobody comes\n"
    (part,) = read_recap("S01E01.md", text, make_splitter("prose")).sections
    assert part.sentences == ("They sail", "They land", "They rest.", "Nobody comes")
    assert not ends_with_stops(["They sail", "They land", "They rest."])
