"""Text into tokens, lemmas and sentences."""
