"""The provenance that the user states for a source's text."""

from dataclasses import dataclass

from core.bounds import Text


@dataclass(frozen=True, slots=True)
class ProvenanceConfig:
    """Licence and attribution of a source's text; every row of a release carries both."""

    license: Text = "unspecified"
    attribution: str = ""
