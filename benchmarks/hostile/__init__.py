"""Hostile inputs for every parser: each grows with a number, and each once took more than linear time or might."""

from benchmarks.hostile.films import FILMS
from benchmarks.hostile.recaps import RECAPS
from benchmarks.hostile.rooms import ROOMS
from benchmarks.hostile.sentences import SENTENCES
from benchmarks.hostile.subtitles import SUBTITLES
from benchmarks.hostile.threads import THREADS
from benchmarks.hostile.transcripts import TRANSCRIPTS

HOSTILE = (*RECAPS, *SENTENCES, *FILMS, *SUBTITLES, *TRANSCRIPTS, *THREADS, *ROOMS)
