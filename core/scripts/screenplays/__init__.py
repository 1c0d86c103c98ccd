"""Reads raw screenplays of any layout into scenes."""
