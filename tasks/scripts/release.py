"""What the pipeline `scripts` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.dataset.rejects import RejectedRows
from core.references import UnitReference
from core.scripts.config import ScriptsConfig
from infra.store.objects import Store
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.release_spec import ReleaseSpec
from tasks.scripts.description import DESCRIPTION
from tasks.scripts.tables import find_gold, list_tables


def show(store: Store, reference: UnitReference, _: str, __: bool) -> Iterator[str]:
    """Yield a story's scenes as lines, each with the synopsis sentences that link to it."""
    story = STORY.decode(store.read(reference.artifacts["story"].key))
    links = STORY_LINKS.decode(store.read(reference.artifacts["links"].key))
    for place, scene in enumerate(story.scenes):
        yield f"{scene.index:>5} {scene.heading or '(no heading)'}"
        for sentence, linked in zip(story.sentences, links.scenes, strict=True):
            if linked == place:
                yield f"      = {sentence}"
        for turn in scene.turns:
            yield f"      {', '.join(turn.speakers)}: {turn.text}"


def _explain(config: ScriptsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    from core.scripts.rows import explain_rejects

    return explain_rejects(config.filter, rows)


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("story", "links"),
    facts=find_gold,
    reject_columns=("probability", "completeness", "turn_count", "length_ratio"),
    explain_rejects=_explain,
)
