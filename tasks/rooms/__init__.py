"""One document, or one shard of records, from its text to scored sentences."""
