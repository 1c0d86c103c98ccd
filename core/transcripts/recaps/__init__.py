"""Reads recaps of every format and structures them into sections and sentences."""
