"""Sources: where raw files come from (folders, object stores, archives, wikis). They are read, never written."""
