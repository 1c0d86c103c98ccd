"""The frame of every run: units mapped by Prefect over Dask, releases, artifacts in the UI."""
