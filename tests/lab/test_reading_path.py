"""The count of what one reads up to the first parser: nothing of core, and not too much."""

from lab.reading_path import FLOW, WAY, WHOLE_FLOW, find_closure


def test_ingestion_up_to_the_parsers_is_at_most_21_files_and_2300_lines() -> None:
    way = find_closure(WAY)
    assert {"tasks/frame/plan.py", "tasks/frame/build.py", "tasks/frame/model.py", "infra/store/objects.py"} <= {*way}
    assert not [path for path in way if path.startswith("core/")]
    assert len(way) <= 21, sorted(way)
    assert sum(way.values()) <= 2300
    assert {*way} < {*find_closure(WHOLE_FLOW)}


def test_a_flow_imports_neither_the_release_nor_sources_that_are_no_folders() -> None:
    flow, whole = find_closure(FLOW), find_closure(WHOLE_FLOW)
    by_name = {"flows/frame/release.py", "infra/sources/mediawiki.py", "infra/sources/records.py"}
    assert by_name <= {*whole} - {*flow}
    assert {*flow} < {*whole}
    assert len(flow) <= 40, sorted(flow)
    assert sum(flow.values()) <= 5900
