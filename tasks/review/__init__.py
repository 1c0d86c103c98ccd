"""Reviews: what an annotator is shown, in which order, and what becomes of the answers."""
