"""Figures that describe a dataset."""
