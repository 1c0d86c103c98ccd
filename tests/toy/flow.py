"""The flow of the toy pipeline: `flows/toy.py`."""

from tasks.toy import TOY

from flows.frame.flow import make_flow

build_toy = make_flow(TOY)
