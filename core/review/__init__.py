"""Reviews for every pipeline: what annotators decide, in which order they look, and what comes of it. It knows no pipeline."""
