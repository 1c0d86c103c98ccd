"""Adapters to the outside: object store, Prefect, Dask, models, settings, schemas. Only these import vendors."""
