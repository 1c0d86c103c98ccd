"""One made-up script in the forms that programs for scripts write, and a play in TEI."""

from html import escape

PARTS = (
    ("Scene Heading", "INT. BOATHOUSE - NIGHT"),
    ("Action", "Mara lights the lamp. Rain drums on the roof & the window rattles."),
    ("Character", "MARA"),
    ("Parenthetical", "(whispering)"),
    ("Dialogue", "Where is Tom? He said that he would be here at nine, and it is ten by the clock on the shelf."),
    ("Action", "The door opens. Tom comes in, wet to the knees."),
    ("Character", "TOM (CONT'D)"),
    ("Dialogue", "Here. The ferryman kept me."),
    ("Character", "MARA"),
    ("Dialogue", "He keeps everybody."),
    ("Scene Heading", "EXT. PIER - DAWN"),
    ("Action", "The boat is gone."),
    ("Character", "TOM"),
    ("Dialogue", "Then we walk."),
    ("Character", "MARA"),
    ("Dialogue", "Over the ice? You first."),
    ("Scene Heading", "INT. KITCHEN - DAY"),
    ("Action", "A kettle. Two cups."),
    ("Character", "MARA"),
    ("Dialogue", "Sugar?"),
    ("Character", "TOM"),
    ("Dialogue", "Three, and the small spoon. The ferryman has the large one, and he will not give it back to us."),
    ("Character", "MARA"),
    ("Parenthetical", "(to the kettle)"),
    ("Dialogue", "He keeps spoons as well. Drink it while it is hot, and tell me what he wanted for the boat."),
    ("Character", "TOM"),
    ("Dialogue", "The lamp. I said that he would have to ask you, since you are the one who lights it every night."),
)
SCENES = [
    (
        "INT. BOATHOUSE - NIGHT",
        (PARTS[1][1], PARTS[5][1]),
        [(("MARA",), PARTS[4][1]), (("TOM",), PARTS[7][1]), (("MARA",), PARTS[9][1])],
    ),
    ("EXT. PIER - DAWN", (PARTS[11][1],), [(("TOM",), PARTS[13][1]), (("MARA",), PARTS[15][1])]),
    (
        "INT. KITCHEN - DAY",
        (PARTS[17][1],),
        [(("MARA",), PARTS[19][1]), *((((name,), PARTS[place][1])) for name, place in (("TOM", 21), ("MARA", 24), ("TOM", 26)))],
    ),
]
"""Of each scene: the heading, the action, and who says what."""
_COLUMNS = {"Scene Heading": 108, "Action": 108, "Character": 266, "Parenthetical": 223, "Dialogue": 180}
_WIDTHS = {"Dialogue": 35}


def make_fdx() -> str:
    """Return the script as a document of Final Draft."""
    written = "".join(f'<Paragraph Type="{kind}"><Text>{escape(text)}</Text></Paragraph>\n' for kind, text in PARTS)
    page = '<TitlePage><Content><Paragraph Type="Action"><Text>The Ferryman</Text></Paragraph></Content></TitlePage>'
    head = '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n<FinalDraft DocumentType="Script" Version="5">'
    return f"{head}<Content>{written}</Content>{page}</FinalDraft>"


def make_fountain() -> str:
    """Return the script in Fountain, without a title page."""
    lines = []
    for kind, text in PARTS:
        lines += ([] if kind in ("Parenthetical", "Dialogue") else [""]) + [text]
    return "\n".join(lines) + "\n"


def _wrap(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def make_pdf(drawn: bytes = b"") -> bytes:
    """Return the script as a PDF file of one page a scene, with the columns of a screenplay; or pages that are `drawn` so."""
    pages: list[list[tuple[float, float, str]]] = []
    height = 0
    for kind, text in PARTS:
        if kind == "Scene Heading":
            pages.append([(480, 756, f"{len(pages) + 1}.")])
            height = 720
        height -= 0 if kind in ("Parenthetical", "Dialogue") else 12
        for line in _wrap(text, _WIDTHS.get(kind, 58)):
            pages[-1].append((_COLUMNS[kind], height, line))
            height -= 12
    return draw_pdf(pages, drawn)


def draw_pdf(pages: list[list[tuple[float, float, str]]], drawn: bytes = b"") -> bytes:
    """Return a PDF file of pages, each with its lines: how far from the left and from below in points, and the text."""
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    ]
    for place, page in enumerate(pages):
        escaped = ((x, y, text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")) for x, y, text in page)
        lines = [f"1 0 0 1 {x} {y} Tm ({text}) Tj" for x, y, text in escaped]
        font, box = "/Resources << /Font << /F1 3 0 R >> >>", "/MediaBox [0 0 612 792]"
        objects.append(f"<< /Type /Page /Parent 2 0 R {box} /Contents {5 + 2 * place} 0 R {font} >>".encode())
        stream = ("BT /F1 12 Tf\n" + "\n".join(lines) + "\nET").encode("cp1252")
        objects.append(drawn or b"<< /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream")
    written, starts = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        starts.append(len(written))
        written += b"%d 0 obj\n" % number + each + b"\nendobj\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % start for start in starts)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(written))
    return written + table + end


FORMS: dict[str, bytes] = {
    "script.fdx": make_fdx().encode(),
    "script.fountain": make_fountain().encode(),
    "script.pdf": make_pdf(),
}
"""The script by the name of its file."""

PLAY = """<?xml version="1.0" encoding="utf-8"?>
<?xml-model href="https://example.org/play.rng"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
  <teiHeader><profileDesc><particDesc><listPerson>
    <person xml:id="mara"><persName>Mara</persName></person>
    <person xml:id="tom"><persName>Tom Tell</persName></person>
    <personGrp xml:id="crew"><name>Rowers, Gulls</name></personGrp>
  </listPerson></particDesc></profileDesc></teiHeader>
  <text>
    <front><castList><castItem><role xml:id="ferryman">FERRYMAN</role>, a voice</castItem></castList></front>
    <body>
      <div type="act">
        <head>ACT I</head>
        <div type="scene">
          <head>Scene 1. A pier<note>First printed so.</note></head>
          <stage>Night. A lamp swings.</stage>
          <sp who="#mara"><speaker>Mar.</speaker>
            <lg><l n="1">Who holds the rope</l><l n="2">when nobody is <pb n="3"/>here?</l></lg></sp>
          <sp who="#tom"><speaker>TOM.</speaker><stage>(low)</stage>
            <p>The ferry is late. <stage>aside</stage> It always is.</p></sp>
          <stage>A bell.</stage>
        </div>
        <div type="scene" n="2">
          <head>Scene 2</head>
          <sp who="#mara #tom"><speaker>BOTH</speaker><p>Pull!</p></sp>
          <sp who="#crew"><speaker>ALL</speaker><p>We pull.</p></sp>
        </div>
      </div>
      <div type="act"><head>ACT II</head><sp who="#ferryman"><p>I am here.</p></sp></div>
    </body>
  </text>
</TEI>
"""
