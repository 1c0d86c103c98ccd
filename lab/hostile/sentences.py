"""Hostile paragraphs for the sentence splitters."""

from core.text.sentences import make_splitter
from lab.hostile.case import PROSE, Hostile

SENTENCES = (
    *(
        # above the size from which all splitters use the regular expression: another splitter takes another time
        Hostile("sentences", f"{what}, {name}", make_splitter(name), make, 400_000 * 100 // len(make(100)))
        for name in ("prose", "regex")
        for what, make in (
            ("a paragraph in lower case", lambda n: "and then. she rowed. " * n),
            ("a paragraph of capitals", lambda n: "She rowed. " * n),
            ("initials", lambda n: "A. " * n),
            ("abbreviations", lambda n: "Dr. " * n),
            ("full stops", lambda n: "." * n),
            ("full stops and spaces", lambda n: ". " * n),
            ("closing quotes", lambda n: "a." + '"' * n),
            ("closing brackets between", lambda n: ("a" + ")" * 50) * n),
            ("no end", lambda n: "word " * n),
            ("spaces", lambda n: "a. " + " " * n + "b"),
            ("dots and quotes in turn", lambda n: '."' * n),
            ("question marks with spaces and brackets", lambda n: "?) " * n),
        )
    ),
    Hostile("sentences", "words of spaCy's size, prose", PROSE, lambda n: "She rowed. " * min(n, 9000), 9000),
)
