from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from core.dataset.units import UNIT_ID, SourceFile
from core.scripts.discovery import find_units


def files(*paths):
    return [SourceFile(path, 1, "v") for path in paths]


def test_movies_books_series_and_gold():
    found = find_units(
        files(
            "movies/fox/script.txt", "movies/fox/synopsis.txt", "movies/fox/cast.json", "movies/fox/meta.json",
            "lamp/Script.TXT", "lamp/synopsis.txt",
            "books/barn/text.md", "books/barn/synopsis.txt",
            "friends/s1.json", "series/s2.JSON", "gold/fox.jsonl",
            "imsdb/other.txt", "README.md", "movies/fox/notes.txt", "movies/.git/script.txt",
            "movies/a/b/script.txt", "friends/a/b.json",
        )
    )  # fmt: skip
    assert [(unit.id, unit.kind) for unit in found.units] == [("barn", "book"), ("fox", "movie"), ("lamp", "movie")]
    fox = found.units[1]
    assert [(role, file.path) for role, file in fox.files] == [
        ("text", "movies/fox/script.txt"), ("synopsis", "movies/fox/synopsis.txt"), ("cast", "movies/fox/cast.json"),
        ("meta", "movies/fox/meta.json"),
    ]  # fmt: skip
    assert [role for role, _ in found.units[2].files] == ["text", "synopsis"]
    assert [file.path for file in found.series] == ["friends/s1.json", "series/s2.JSON"]
    assert [file.path for file in found.gold] == ["gold/fox.jsonl"]
    assert found.waiting == found.refused == ()


def test_a_unit_with_a_missing_half_waits_and_one_without_an_id_is_refused():
    found = find_units(files("movies/fox/script.txt", "movies/lamp/synopsis.txt", "movies/lamp/cast.json"))
    assert [(unit.id, unit.missing, len(unit.files)) for unit in found.waiting] == [("fox", "synopsis", 1), ("lamp", "script", 2)]
    found = find_units(files("movies/Panic Room/script.txt", "movies/Panic Room/synopsis.txt"))
    assert [story.id for story in found.units] == ["Panic-Room"]
    found = find_units(files("movies/…/script.txt", "movies/x\n/synopsis.txt"))
    assert [file.path for file in found.refused] == ["movies/x\\x0a/synopsis.txt", "movies/…/script.txt"]
    assert "for example" in found.refused[1].reason
    assert "rename the folder" in found.refused[1].reason
    assert found.units == ()


def test_a_script_of_another_form_counts_where_there_is_no_script_txt() -> None:
    listed = files(
        "fox/Fox.fdx", "fox/Draft.fountain", "fox/synopsis.txt",
        "movies/Big Fish/Big Fish.fountain", "movies/Big Fish/synopsis.txt",
        "movies/cow/a.pdf", "movies/cow/script.txt", "movies/cow/synopsis.txt",
        "movies/hen/first.pdf", "movies/hen/README.md", "movies/hen/synopsis.txt",
        "movies/owl/script.xml", "movies/owl/owl.fdx", "movies/owl/synopsis.txt",
        "movies/yak/1.xml", "movies/yak/synopsis.txt",
        "docs/design.pdf",
    )  # fmt: skip
    found = find_units(listed)
    assert [(unit.id, unit.kind, unit.files[0][1].path) for unit in found.units] == [
        ("Big-Fish", "movie", "movies/Big Fish/Big Fish.fountain"),
        ("cow", "movie", "movies/cow/script.txt"),
        ("fox", "movie", "fox/Fox.fdx"),
        ("hen", "movie", "movies/hen/first.pdf"),
        ("owl", "movie", "movies/owl/owl.fdx"),
        ("yak", "movie", "movies/yak/1.xml"),
    ]
    assert found.waiting == found.refused == ()


def test_a_file_that_may_be_the_script_is_named_where_there_is_none() -> None:
    listed = files(
        "fox/first.fdx", "fox/second.fdx", "fox/synopsis.txt", "film/4102.xml", "film/synopsis.txt",
        "movies/cow/a.txt", "movies/cow/COPYING.txt", "movies/elk/script.rtf", "movies/elk/a.md",
    )  # fmt: skip
    forms = "script.txt, .fountain, .fdx, .pdf, .xml, or text.txt of a book"
    assert [(unit.id, unit.missing) for unit in find_units(listed).waiting] == [
        ("cow", f"script (a.txt is not read; expected {forms}: rename it)"),
        ("elk", f"script (script.rtf is not read; expected {forms}: export it as PDF, which keeps its columns)"),
        ("film", "script (4102.xml may be it: call the right file script.xml)"),
        ("fox", "script (first.fdx may be it: call the right file script.fdx)"),
    ]


FOLDERS = ["movies", "books", "friends", "gold", "fox", "FOX", "a b"]
PARTS = st.sampled_from([*FOLDERS, "script.txt", "synopsis.txt", "text.txt", "x.json", "x.jsonl", "x.txt"])


@example(["fox/script.txt", "fox/text.txt"], Random(0))
@given(st.lists(st.lists(PARTS, min_size=1, max_size=4).map("/".join), unique=True), st.randoms())
def test_discovery_does_not_depend_on_the_order_of_files(paths, random):
    listed = files(*paths)
    found = find_units(listed)
    random.shuffle(listed)
    assert find_units(listed) == found
    assert all(UNIT_ID.fullmatch(unit.id) for unit in (*found.units, *found.waiting))
    ids = [unit.id.casefold() for unit in (*found.units, *found.waiting)]
    assert len(ids) == len(set(ids))
    placed = [file.path for file in (*found.series, *found.gold, *found.refused)]
    placed += [file.path for unit in found.waiting for file in unit.files]
    placed += [file.path for unit in found.units for _, file in unit.files]
    assert len(placed) == len(set(placed))
