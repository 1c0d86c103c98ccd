"""Times fabula, and what it is compared with in the same run."""
