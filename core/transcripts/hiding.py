"""Hides names and contact data in what was read of an episode: its turns and its recap."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace

from core.dialogue import Turn
from core.transcripts.aligning import place_sentences
from core.transcripts.recaps.recap import Recap, RecapSection

Replace = Callable[[str], str]


def hide_turns(turns: Iterable[Turn], hide: Replace, hide_speaker: Replace) -> tuple[Turn, ...]:
    """Return turns with hidden texts and speakers. The source's label and text become what is left of them: speakers, lines."""
    hidden = []
    for turn in turns:
        speakers = tuple(dict.fromkeys(map(hide_speaker, turn.speakers)))
        text = hide("\n".join(turn.utterances))
        lines = tuple(text.split("\n")) if text else turn.utterances
        hidden.append(replace(turn, speakers=speakers, utterances=lines, raw_label=", ".join(speakers), raw_text=text))
    return tuple(hidden)


def hide_recap(recap: Recap, hide: Replace) -> Recap:
    """Return a recap with hidden texts, also in its title, infobox, links and categories. It keeps its sentences."""
    return Recap(
        hide(recap.title),
        hide(recap.blurb),
        tuple(_hide_section(section, hide) for section in recap.sections),
        {hide(label): tuple(map(hide, values)) for label, values in recap.infobox.items()},
        tuple(map(hide, recap.links)),
        tuple(map(hide, recap.categories)),
    )


def _hide_section(section: RecapSection, hide: Replace) -> RecapSection:
    sentences = tuple(map(hide, section.sentences))
    told: defaultdict[int, list[str]] = defaultdict(list)
    for place, sentence in zip(place_sentences(section), sentences, strict=True):
        told[place].append(sentence)
    # Of its sentences, since `place_sentences` finds them in it by their letters.
    paragraphs = (
        " ".join(told[number]) if number in told else hide(paragraph) for number, paragraph in enumerate(section.paragraphs)
    )
    return replace(
        section,
        heading=hide(section.heading),
        subheading=hide(section.subheading),
        paragraphs=tuple(paragraphs),
        sentences=sentences,
    )
