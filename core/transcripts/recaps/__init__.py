"""Recap pages of every format, structured into sections and sentences."""
