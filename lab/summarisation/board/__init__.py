"""Puts the runs of a release side by side: intervals, significance, published figures, tables and a page."""
