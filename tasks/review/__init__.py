"""Reviews: what a reader is shown, in which order, and what becomes of the answers."""
