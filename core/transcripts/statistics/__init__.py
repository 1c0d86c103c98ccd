"""The figures of a dataset: counted an episode at a time, added up over all."""
