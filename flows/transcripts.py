"""The `transcripts` flow."""

from flows.frame.flow import make_flow
from tasks.transcripts import TRANSCRIPTS

build_transcripts = make_flow(TRANSCRIPTS)
