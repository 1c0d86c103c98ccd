"""Parquet tables: schema, codec and rows, a module a pipeline."""
