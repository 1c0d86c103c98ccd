"""What machines of one run are compared by."""

import pytest
from tasks.frame.versions import describe_versions

from tasks.scripts import build as scripts
from tasks.subtitles import build as subtitles
from tasks.transcripts import build as transcripts


@pytest.mark.parametrize("pipeline", [transcripts, scripts, subtitles])
def test_the_stages_of_every_pipeline_count(pipeline: object, monkeypatch: pytest.MonkeyPatch) -> None:
    before = describe_versions()
    monkeypatch.setattr(pipeline, "STAGE_VERSIONS", {"another": 9})
    after = describe_versions()
    assert {name for name in before if before[name] != after[name]} == {"stages"}
