"""One shard of films, from subtitle files to whole dialogues."""
