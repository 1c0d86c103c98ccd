"""The `scripts` flow."""

from flows.frame.flow import make_flow
from tasks.pipelines import SCRIPTS

build_scripts = make_flow(SCRIPTS)
