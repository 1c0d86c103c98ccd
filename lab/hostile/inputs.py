"""Hostile inputs for every parser: each grows with a number, and each once took more than linear time or might."""

from lab.hostile.films import FILMS
from lab.hostile.recaps import RECAPS
from lab.hostile.rooms import ROOMS
from lab.hostile.sentences import SENTENCES
from lab.hostile.subtitles import SUBTITLES
from lab.hostile.threads import THREADS
from lab.hostile.transcripts import TRANSCRIPTS

HOSTILE = (*RECAPS, *SENTENCES, *FILMS, *SUBTITLES, *TRANSCRIPTS, *THREADS, *ROOMS)
