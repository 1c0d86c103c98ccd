"""Imported by the process that the workers of a local cluster are forks of: what all of them need, once.

Garbage collection leaves out the objects of these imports: else every collection of every worker would go through them.
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
