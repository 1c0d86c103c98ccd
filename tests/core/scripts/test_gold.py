import pytest

from core.errors import SourceError
from core.scripts.gold import GoldLink, read_gold


def test_reads_links():
    text = (
        '{"movie_id": "fox", "sent_idx": 3, "sent": "Anna\\u00a0runs.", "scene_idx": [5, 2, 2, -7, true, "3"], '
        '"primary": 5, "n_scenes": 9, "source": "me"}\n'
        "\n"
        '{"movie_id": "fox", "sent_idx": 4, "sent": "She stops.", "scene_idx": [], "n_scenes": 9}\n'
    )
    assert read_gold("gold.jsonl", text) == (
        GoldLink("fox", 3, "Anna runs.", (2, 5), 5, 9, "me"),
        GoldLink("fox", 4, "She stops.", (), None, 9),
    )


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"movie_id": "fox"}', '{"movie_id": "", "sent": "x"}'])
def test_the_error_names_the_bad_line(line):
    with pytest.raises(SourceError, match=r"gold.jsonl, line 2"):
        read_gold("gold.jsonl", '{"movie_id": "fox", "sent": "x"}\n' + line)
