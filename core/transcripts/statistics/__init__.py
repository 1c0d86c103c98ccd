"""Computes the figures of a dataset: counts each episode, then adds up the counts."""
