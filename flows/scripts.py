"""The `scripts` flow."""

from flows.frame.flow import make_flow
from tasks.scripts.pipeline import SCRIPTS

build_scripts = make_flow(SCRIPTS)
