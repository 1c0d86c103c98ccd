"""Reads transcripts of every format and cleans them into turns."""
