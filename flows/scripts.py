"""The `scripts` flow."""

from flows.frame.flow import make_flow
from tasks.scripts import SCRIPTS

build_scripts = make_flow(SCRIPTS)
