"""The `threads` flow."""

from flows.frame.flow import make_flow
from tasks.threads.pipeline import THREADS

build_threads = make_flow(THREADS)
