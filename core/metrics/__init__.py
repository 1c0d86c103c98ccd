"""Measures of a dataset and of the quality of its alignment."""
