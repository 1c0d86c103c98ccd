"""Rates what fabula makes against gold, readings and exchanged sources."""
