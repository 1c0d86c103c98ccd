"""Checks that everything a run needs is there: one check per need, each with a finding and a remedy."""
