"""Values of the `scripts` stages as bytes in the store, and back."""

from pydantic import TypeAdapter

from core.scripts.links import StoryLinks
from core.scripts.story import Story
from infra.tables.codecs import Codec

_STORY = TypeAdapter(Story)
_LINKS = TypeAdapter(StoryLinks)

STORY: Codec[Story] = Codec(".json", _STORY.dump_json, _STORY.validate_json)
LINKS: Codec[StoryLinks] = Codec(".json", _LINKS.dump_json, _LINKS.validate_json)
