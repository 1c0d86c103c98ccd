"""Deployments, the watcher, and what brings both to a Prefect server."""
