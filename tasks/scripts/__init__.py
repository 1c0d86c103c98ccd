"""One story, from its files to scenes linked with its synopsis."""
