"""Measures the quality of alignments: against gold spans, at the break of an episode, and on synthetic episodes."""
