"""The `subtitles` flow."""

from flows.frame.flow import make_flow
from tasks.subtitles import SUBTITLES

build_subtitles = make_flow(SUBTITLES)
