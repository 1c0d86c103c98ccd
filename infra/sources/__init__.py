"""Sources: where raw files come from (folders, object stores, archives, wikis). Sources are read, never written."""
