"""The `rooms` flow."""

from flows.frame.flow import make_flow
from tasks.rooms import ROOMS

build_rooms = make_flow(ROOMS)
