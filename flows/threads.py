"""The `threads` flow."""

from flows.frame.flow import make_flow
from tasks.threads import THREADS

build_threads = make_flow(THREADS)
