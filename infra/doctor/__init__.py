"""Is everything there that a run would need? A check a thing, each with its finding and what to do."""
