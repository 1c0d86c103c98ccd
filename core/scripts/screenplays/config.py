"""Settings of the screenplay parser: what counts as usable headings, and how much evidence a layout needs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScreenplayConfig:
    """How raw screenplays become scenes.

    A script has usable headings where a scene has at most `max_mean_scene_words` words on average and, from `max_scene_words`
    words on, no scene more than `max_scene_share` of the script: otherwise it would come back as one giant scene and is refused.
    (In 107 scripts that have headings a scene has 70 to 610 words on average, and the largest a quarter of the script at most.)

    A cue that comes `min_cue_count` times is an established speaker and is recognised in unusual places too.
    `max_column_error` is the share of certain lines that a column may put on the wrong side before speech and action are told
    apart by blank lines instead.
    """

    max_mean_scene_words: int = 2_000
    max_scene_words: int = 5_000
    max_scene_share: float = 0.6
    min_cue_count: int = 3
    max_column_error: float = 0.12
