"""Fits the constants and tables that fabula is shipped with."""
