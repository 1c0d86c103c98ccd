import re

import pytest

from core.subtitles.cleaning import clean_caption, find_removal, mend_scan, strip_markup
from core.subtitles.config import SubtitleCleaning

REMOVE = SubtitleCleaning(lyrics="remove")
KEEP = SubtitleCleaning("keep", "keep", "keep", "keep", "keep", "keep")


ADVERTS = """Subtitles by the Owl Society | Subs and timing by OWL | Synced & corrected by owl | Translation: Owl
    Downloaded from www.owls.example | visit OWLS.COM | Support us and become VIP member | <i>Resync by:</i> owl
    Captioned by Owl Media | Subtitled by the owls | Captioning sponsored by OWL PICTURES
    Resync for WEB-DL | Captions paid for by Owl Media | English - SDH | Owl.720p.x264 | Ripped from DVD | 23.976 fps
    Closed-captioned by the owls | Please rate this subtitle | Follow us on Twitter"""


def test_adverts_and_hidden_captions_are_removed_lyrics_if_the_settings_say_so_and_ordinary_words_are_not():
    for text in re.split(r"[|\n]", ADVERTS):
        assert find_removal(text.strip(), 0.0, 1.0, SubtitleCleaning()) == "advert", text
        assert find_removal(text.strip(), 0.0, 1.0, KEEP) is None
    for text in ("♪ La la ♪", "- ♫ la\nla ♫", "# la la #"):
        assert find_removal(text, 0.0, 1.0, REMOVE) == "lyrics"
        assert find_removal(text, 0.0, 1.0, SubtitleCleaning()) is None
    assert find_removal("secret", 2.0, 2.0, SubtitleCleaning()) == "hidden"  # it has no duration
    assert find_removal("secret", 2.0, 2.0, KEEP) is find_removal("secret", None, None, SubtitleCleaning()) is None
    words = """We sub for Tom today. | He was ripped apart by owls. | Is it in the caption? | You sank my submarine, by God. | Hi.
    | English? | I speak English, Hi. | The lights rip from the ceiling. | He follows us on foot."""
    assert {find_removal(text, 0.0, 1.0, SubtitleCleaning()) for text in re.split(r"\s+\| ", words)} == {None}


def test_markup_is_removed():
    assert strip_markup('<i>Hi</i> <font color="#ff0000">there</font>{\\an8}') == "Hi there"
    assert strip_markup("a\\Nb\\hc<br/>d") == "a\nb c\nd"
    assert strip_markup("&lt;i&gt;Tom&lt;/i&gt; &amp; I <3 2<3,5>1 {normal}") == "Tom & I <3 2<3,5>1 {normal}"
    assert strip_markup("\u200eHi\ufeff") == "Hi"
    assert strip_markup("m 0 0 l 100 0 100.5 100 b -1 2 3 4 5 6") == ""
    assert strip_markup("Row.\nm 0 0 l 100 0\nm 12 Pier Road") == "Row.\n\nm 12 Pier Road"


@pytest.mark.parametrize(
    ("raw", "speakers"),
    [
        ("- Who's there?\n- Me.", ["Who's there?", "Me."]),
        ("– Who's there? – Me.", ["Who's there?", "Me."]),
        ('-"Who?" - Me!', ['"Who?"', "Me!"]),
        ("a long-\ndistance - call -", ["a long- distance - call -"]),
        ("-5 degrees\n--really", ["-5 degrees --really"]),
        ("MAN #2: Stop! (sighs)\nDR. NO (ON TV): Go!", ["Stop!", "Go!"]),
        ("- ANNA: No.\n- BEN: Yes.", ["No.", "Yes."]),
        ("Listen: it is 10:30, I: am", ["Listen: it is 10:30, I: am"]),
        ("♪ Dust will settle ♪\n# on us #", ["Dust will settle on us"]),
        ("[door]\n(sighs)", []),
        ("♪♪ ... -", []),
        ("one... ...two", ["one... two"]),
        ("one… …two ... ... three...", ["one… two ... three..."]),
    ],
)
def test_each_speaker_has_one_line(raw, speakers):
    assert list(clean_caption(raw, SubtitleCleaning())) == speakers


@pytest.mark.parametrize(
    ("scanned", "mended"),
    [
        ("l'm late, and l'll wait. A l'd.", "I'm late, and I'll wait. A I'd."),
        ("He can't ! Why ? No , no .", "He can't! Why? No, no."),
        ('Worse than " Love Letters" .', 'Worse than "Love Letters".'),
        ('He said "go" and "stay" twice.', 'He said "go" and "stay" twice.'),
        ("I'm ... A .45 and l, l or I.", "I'm ... A .45 and l, l or I."),
        ("Oalm down! l am Oharming. But l don't.", "Calm down! I am Charming. But I don't."),
        ("Ohhh, Ohio, Oscar. Only Olga, Ooops.", "Ohhh, Ohio, Oscar. Only Olga, Ooops."),
    ],
)
def test_what_a_scan_left_is_mended(scanned, mended):
    assert mend_scan(scanned) == mended
    assert mend_scan(mended) == mended
