"""The provenance that the user states for a source's text."""

from dataclasses import dataclass

from core.bounds import Text

UNSPECIFIED = "unspecified"
"""What a licence says that nobody has stated."""


@dataclass(frozen=True, slots=True)
class ProvenanceConfig:
    """Licence and attribution of a source's text; every row of a release carries both."""

    license: Text = UNSPECIFIED
    attribution: str = ""


NO_PROVENANCE = ProvenanceConfig()
