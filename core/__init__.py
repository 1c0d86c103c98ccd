"""The papers' algorithms as pure functions on plain values: no orchestration, network, files, clock or environment."""
