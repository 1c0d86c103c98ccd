"""Hostile and huge inputs for every parser."""
