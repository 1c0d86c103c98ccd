"""The frame of every pipeline: planning, landing, stages, releases, the ledger."""
