"""Where a dataset's text comes from: what a user states about a source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProvenanceConfig:
    """What a release says about where its text comes from; each row carries both."""

    license: str = "unspecified"
    attribution: str = ""
