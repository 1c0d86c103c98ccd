"""Systems that select sentences or turns: baselines, oracles, and one that is trained."""
