from core.dataset.units import SourceFile
from core.subtitles.discovery import find_films, find_table
from core.subtitles.films import slug_title
from core.subtitles.selection import select_subtitle
from core.subtitles.summaries import parse_summary_table


def test_the_example_gives_two_films_and_reports_the_files_left_out(repository):
    source = repository / "examples/subtitles"
    files = [
        SourceFile(path.relative_to(source).as_posix(), path.stat().st_size, "") for path in source.rglob("*") if path.is_file()
    ]
    table_file = find_table(files)
    assert table_file is not None
    found = find_films(files, parse_summary_table(table_file.path, (source / table_file.path).read_bytes()))
    assert [(film.id, film.title, film.year) for film in found.units] == [
        ("the-tidy-ghost", "The Tidy Ghost", 2021),
        ("tt99000017", "The Goat Tribunal", 2019),
    ]
    assert [entry.path for entry in found.left_out] == ["sv/2019/99000017/4103.xml.gz"]
    assert not any((found.waiting, found.refused))

    chosen, reasons = {}, {}
    for film in found.units:
        selection = select_subtitle([(file.path, (source / file.path).read_bytes()) for file in film.subtitles])
        chosen[slug_title(film.title)] = selection.subtitle
        reasons.update(selection.rejected)
    ghost, goat = chosen["the-tidy-ghost"], chosen["the-goat-tribunal"]
    assert "I want the café crockery, the naïve little teapot…" in [turn.text for turn in ghost.turns]
    assert [removal.reason for removal in ghost.removed] == ["advert", "no words", "no words", "no words", "advert"]
    assert goat.turns[9].text.startswith("Clementine, goat of this parish, you are charged")
    assert reasons["the-tidy-ghost/version-longue.srt"].startswith("not English")
    assert reasons["en/2019/99000017/4102.xml.gz"].startswith("unknown words")
