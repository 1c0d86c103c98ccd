"""Models and dictionaries."""
