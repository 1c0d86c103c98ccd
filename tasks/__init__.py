"""One unit of work each: load, call core, store, return a reference. They run on Dask workers."""
