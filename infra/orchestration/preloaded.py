"""What every Dask worker needs, imported once by the process from which they are forked.

Garbage collection skips the objects of these imports; otherwise every collection in every worker would walk through them.
"""

from core.text.sentences import without_torch
from infra.orchestration.large_imports import importing

with importing(), without_torch():
    import distributed  # noqa: F401
    import fsspec  # noqa: F401
    import lxml.html  # noqa: F401
    import numba  # noqa: F401
    import numpy  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import pydantic  # noqa: F401
    import scipy.sparse  # noqa: F401
    import spacy  # noqa: F401
