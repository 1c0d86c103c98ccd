"""One episode, from its files to aligned pairs."""
