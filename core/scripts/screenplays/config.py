"""Settings of the screenplay parser: when scene headings are usable, and how much evidence a layout needs."""

from dataclasses import dataclass

from core.bounds import PositiveCount, Share


@dataclass(frozen=True, slots=True)
class ScreenplayConfig:
    """How raw screenplays become scenes.

    A script without usable headings would become one giant scene, so it is refused. Headings are usable if a scene has at most
    `max_mean_scene_words` words on average. In a script of `max_scene_words` words or more, no scene may also have more than
    `max_scene_share` of the words. (In 107 scripts with headings, a scene has 70 to 610 words on average, and the largest has at
    most a quarter of the script.)

    A speaker with `min_cue_count` cues is established, and is recognised in unusual places too. Speech and action are told apart
    by a column if at most `max_column_error` of the lines whose kind is certain are on its wrong side, otherwise by blank lines.

    `as_published` reads headings and signs as the published rows of the profile `sumtitles` have them: a heading keeps the
    scene's numbers, a number that runs into INT or EXT hides the heading, so does a misread INT or EXT, a place with a time of
    day opens no scene beside others, and signs and captions are speakers.
    """

    max_mean_scene_words: PositiveCount = 2_000
    max_scene_words: PositiveCount = 5_000
    max_scene_share: Share = 0.6
    min_cue_count: PositiveCount = 3
    max_column_error: Share = 0.12
    as_published: bool = False
