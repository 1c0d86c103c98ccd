"""What trained summarisers share: how a dialogue is shown to a model, and how its sentences are chosen."""
