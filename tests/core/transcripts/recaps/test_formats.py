import json

import pytest

from core.dataset.units import SourceFile
from core.errors import SourceError
from core.text.sentences import split_by_rules
from core.transcripts.discovery import RECAP_TYPES, find_units
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import judge_kinds, name_kind, structure_page
from core.wiki.page import Block, RecapPage

METADATA = {
    "METADATA": {
        "Wiki Blurb": [{"content": '"Salt" is\n a tale.'}],
        "Synopsis": [
            {
                "heading": "Part I",
                "content": [{"sub-heading": "The Ford", "content": " Ila ran. She fell.[ Expand]\n Rain fell."}],
            },
            {"heading": "Break", "content": [{"sub-heading": "", "content": ""}]},
        ],
    },
    "TURNS": [],
}


def test_crd3_metadata() -> None:
    recap = read_recap("C9E002.json", json.dumps(METADATA), split_by_rules)
    assert (recap.title, recap.blurb) == ("C9E002", '"Salt" is a tale.')
    found = [(s.kind, s.heading, s.subheading, s.paragraphs) for s in recap.sections]
    assert found == [("plot", "Part I", "The Ford", ("Ila ran. She fell.", "Rain fell.")), ("break", "Break", "", ())]
    assert recap.sentences == ("Ila ran.", "She fell.", "Rain fell.")


@pytest.mark.parametrize("text", ["<h2>Plot</h2><p>Ila ran.</p>", {"*": "<h2>Plot</h2><p>Ila ran.</p>"}])
def test_mediawiki_parse_answers(text: object) -> None:
    answer = {"parse": {"title": "The Salt Road", "text": text, "categories": [{"sortkey": "", "*": "Season_1"}]}}
    recap = read_recap("landed.json", json.dumps(answer), split_by_rules)
    assert (recap.title, recap.sentences, recap.categories) == ("The Salt Road", ("Ila ran.",), ("Season 1",))


@pytest.mark.parametrize(
    "text",
    ["", "[1]", "[" * 100_000, '{"METADATA": null}', '{"parse": {"title": "T", "text": 5}}', '{"METADATA": {"Synopsis": "x"}}'],
)
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match=r"C9E002\.json: not a recap \(.*expected CRD3's METADATA"):
        read_recap("C9E002.json", text, split_by_rules)


@pytest.mark.parametrize("ending", RECAP_TYPES)
def test_every_extension_that_discovery_accepts_is_read(ending: str) -> None:
    content = json.dumps(METADATA) if ending == ".json" else "<p>Ila ran.</p>" if "ht" in ending else "Ila ran."
    assert read_recap(f"C9E002{ending}", content, split_by_rules).sentences[0] == "Ila ran."
    assert not find_units([SourceFile(f"recaps/C9E002{ending}", 10, "v1")]).refused


KINDS = {
    "pre-show": "Pre-Show",
    "announcements": "Announcements",
    "recap": "Recap | Previously on Lanterns",
    "plot": "Part II: The Ford",
    "break": "Break",
    "post-show": "Q&A | Afterword",
    "other": "Break In | Part of the Crew | Départ",
}


@pytest.mark.parametrize("kind", KINDS)
def test_headings_name_kinds(kind: str) -> None:
    assert {name_kind(heading) for heading in KINDS[kind].split(" | ")} == {kind}


def test_headings_without_a_kind_are_plot_among_plot_parts_and_deeper_ones_sub_headings() -> None:
    found = judge_kinds(["Mail", "Part I", "Feast", "Break", "Part II", "Gifts"])
    assert found == ["other", "plot", "plot", "break", "plot", "other"]
    assert judge_kinds(["Recap", "The Rise", "The Fall", "Q&A", "Mail"]) == ["recap", "plot", "plot", "post-show", "other"]
    assert judge_kinds(["The Rise"]) == ["plot"]
    assert judge_kinds([]) == []
    blocks = (
        Block(2, "Plot"),
        Block(3, "Part I"),
        Block(4, "A"),
        Block(5, "B"),
        Block(0, "Text."),
        Block(3, "Part II"),
        Block(0, "End."),
    )
    recap = structure_page("x", RecapPage("T", blocks), split_by_rules)
    found = [(section.heading, section.subheading) for section in recap.sections]
    assert found == [("Part I", "A"), ("Part I", "B"), ("Part II", "")]
