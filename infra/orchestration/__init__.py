"""Prefect, Dask, and the processes that they start."""
