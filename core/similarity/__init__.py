"""Similarity of texts: the score matrices of turns and chunks, and of sentences and scenes."""
