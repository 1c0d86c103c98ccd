"""Plays out what people would do, on gold."""
