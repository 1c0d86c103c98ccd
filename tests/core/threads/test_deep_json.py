import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import SourceError
from core.threads import deep_json
from core.threads.deep_json import read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=40)
@given(VALUES, st.sampled_from([None, 2]))
def test_what_python_reads_is_read_alike(value: object, indent: int | None) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(deep_json, "_LEVELS", 2)
        assert deep_json._read_deep(json.dumps(value, indent=indent)) == value


@pytest.mark.parametrize("end", [b"", b"}", b"]]", b",", b'"', b"7 8", b"nul", b"\xff"])
def test_a_broken_end_is_told(end: bytes) -> None:
    with pytest.raises(SourceError, match=r"no JSON|no UTF-8"):
        read_json(b'{"a":[' * 5_000 + end)  # far more levels than Python's own reader takes
    with pytest.raises(SourceError, match="no JSON"):
        read_json(b'{"a":[' + end)
