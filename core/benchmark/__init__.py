"""Benchmarks of summarisation: dialogues with summaries, systems that summarise them, measures, and tables of results."""
