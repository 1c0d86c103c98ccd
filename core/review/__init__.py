"""Reviews for every pipeline: what readers decide, in which order they look, and what comes of it. It knows no pipeline."""
