"""`fabula datasets` and `fabula export` as a user calls them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infra.store.objects import Store
from tasks.transcripts import TRANSCRIPTS
from tests.flows.calling import Ended
from tests.flows.stories import write_episode
from tests.tasks.in_process import run


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("look")
    write_episode(folder / "source", "S01E01")
    run(TRANSCRIPTS, folder / "source", Store(str(folder / "store")))
    return folder / "store"


@pytest.mark.parametrize("option", ["--source=folder", "--resource=wordnet=folder"])
def test_options_of_an_index_are_refused_for_other_forms(
    fabula: Callable[..., Ended], store: Path, tmp_path: Path, option: str
) -> None:
    ended = fabula("export", "jsonl", "transcripts", tmp_path / "rows", option, "--store", store)
    assert ended.status == 2
    assert f"{option.split('=')[0]} is for the form index alone" in ended.err
    assert not (tmp_path / "rows").exists()


def test_the_tables_of_a_dataset_and_where_its_release_is(fabula: Callable[..., Ended], store: Path) -> None:
    found = fabula("datasets", "--store", store, "--json").json[0]
    listed = fabula("datasets", "transcripts", "--store", store)
    assert (listed.status, listed.err) == (0, "")
    rows = [line.split() for line in listed.out.splitlines()]
    assert rows[0] == ["dataset", "version", "table", "rows"]
    assert [row[2:] for row in rows[1:] if len(row) == 4] == [[name, f"{count:,}"] for name, count in found["rows"].items()]
    assert rows[-1] == ["transcripts", found["url"]]


def test_a_store_without_datasets_says_so(fabula: Callable[..., Ended], tmp_path: Path) -> None:
    listed = fabula("datasets", "--store", tmp_path)
    assert (listed.status, listed.out) == (0, "")
    assert "has no dataset yet" in listed.err
