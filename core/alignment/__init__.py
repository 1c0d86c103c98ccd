"""Alignment of a summary's chunks with spans of dialogue turns."""
