"""Deployments, the watcher, and the code that registers both on a Prefect server."""
