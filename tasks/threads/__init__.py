"""One shard of forum posts, from records to dialogues."""
