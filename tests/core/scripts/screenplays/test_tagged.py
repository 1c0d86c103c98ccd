"""A made-up script in every form that is read gives the same scenes."""

import io
import time
import zlib

import pytest

from core.errors import SourceError
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.story import Scene
from core.text.decoding import decode_text
from tests.script_forms import FORMS, PLAY, SCENES, make_pdf

FDX = '<?xml version="1.0" encoding="UTF-8"?>\n<FinalDraft DocumentType="Script"><Content>{}</Content></FinalDraft>'


def read(form: str, content: bytes) -> tuple[Scene, ...]:
    return read_screenplay(form, decode_text(form, content))


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_same_scenes(form: str) -> None:
    scenes = read(form, FORMS[form])
    assert [(scene.heading, scene.narration, [(turn.speakers, turn.text) for turn in scene.turns]) for scene in scenes] == SCENES
    assert [scene.strict_index for scene in scenes] == [0, 1, 2]


def test_a_play_has_its_scenes_people_and_stage_directions() -> None:
    first, second, third = read("play.xml", PLAY.encode())
    assert [scene.heading for scene in (first, second, third)] == ["ACT I. Scene 1. A pier", "ACT I. Scene 2", "ACT II"]
    assert first.narration == ("Night. A lamp swings.", "A bell.")
    assert first.narration_places == (0, 2)
    found = [(turn.speakers, turn.text) for turn in first.turns]
    assert found == [(("MARA",), "Who holds the rope when nobody is here?"), (("TOM TELL",), "The ferry is late. It always is.")]
    assert first.spoken == ("", "(low) The ferry is late. (aside) It always is.")
    assert [(turn.speakers, turn.text) for turn in second.turns] == [(("MARA", "TOM TELL"), "Pull!"), (("ALL",), "We pull.")]
    assert [(turn.speakers, turn.text) for turn in third.turns] == [(("FERRYMAN",), "I am here.")]


def test_notes_and_summaries_of_final_draft_are_no_script_and_two_may_speak_at_once() -> None:
    scenes = read("x.fdx", FDX.format(
        '<Paragraph Type="Scene Heading" Number="1">'
        "<SceneProperties><Summary><Paragraph><Text>A card.</Text></Paragraph></Summary></SceneProperties>"
        "<Text>INT. BARN</Text><Text> - DAY</Text></Paragraph>"
        '<Paragraph Type="Action"><ScriptNote><Paragraph><Text>A note.</Text></Paragraph></ScriptNote>'
        "<Text>Hens.</Text></Paragraph>"
        "<Paragraph><DualDialogue>"
        '<Paragraph Type="Character"><Text>Ada</Text></Paragraph><Paragraph Type="Dialogue"><Text>Go!</Text></Paragraph>'
        '<Paragraph Type="Character"><Text>BO (V.O.)</Text></Paragraph><Paragraph Type="Dialogue"><Text>Stay!</Text></Paragraph>'
        "</DualDialogue></Paragraph>"
    ).encode())  # fmt: skip
    assert [(scene.heading, scene.narration) for scene in scenes] == [("INT. BARN - DAY", ("Hens.",))]
    assert [(turn.speakers, turn.text) for turn in scenes[0].turns] == [(("ADA",), "Go!"), (("BO",), "Stay!")]


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f"<FinalDraft><!-- -->{ENTITIES}</FinalDraft>", "not well-formed"),
        ('<!DOCTYPE FinalDraft SYSTEM "file:///etc/passwd">' + FDX.format("")[39:], "has a document type"),
        ("<FinalDraft></FinalDraft>", "without a body"),
        ("<TEI xmlns='http://www.tei-c.org/ns/1.0'><text/></TEI>", "without a body"),
        (FDX.format("<a>" * 5_000 + "</a>" * 5_000), "not well-formed"),
        (FDX.format('<Paragraph Type="Action"><Text>Hens.</Text></Paragraph>'), "no usable scene headings"),
        (FDX.format('<Paragraph Type="Scene Heading"><Text>INT. BARN</Text></Paragraph>'), "no dialogue"),
    ],
)
def test_what_is_damaged_or_hostile_is_refused(content: str, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        read("x.fdx", content.encode())


def test_a_document_type_before_the_root_is_no_form_that_is_known() -> None:
    with pytest.raises(SourceError):
        read("x.fdx", f"{ENTITIES}<FinalDraft><Content><Paragraph>&b;</Paragraph></Content></FinalDraft>".encode())


@pytest.mark.parametrize("content", [b"%PDF-1.7", b"", b"%PDF-1.4\n" + b"1 0 obj\n<<" * 20_000, b"x" * 100])
def test_damaged_pdf_files_are_refused(content: bytes) -> None:
    started = time.process_time()
    with pytest.raises(SourceError, match="PDF"):
        decode_text("script.pdf", content)
    assert time.process_time() - started < 5


def test_a_pdf_file_of_pictures_and_one_that_unpacks_to_far_more_are_refused() -> None:
    packed = zlib.compress(b"BT (a) Tj ET\n" * 2_000_000)
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\nendstream"
    started = time.process_time()
    with pytest.raises(SourceError, match="bytes that draw its pages"):
        decode_text("script.pdf", make_pdf(stream))
    assert time.process_time() - started < 5
    from pypdf import PdfWriter

    writer, stream = PdfWriter(), io.BytesIO()
    writer.add_blank_page(612, 792)
    writer.write(stream)
    with pytest.raises(SourceError, match="1 pages without text"):
        decode_text("script.pdf", stream.getvalue())
