"""Benchmarks: reading a release, running systems over it, and keeping their results."""
