"""The summarisation benchmark: systems that summarise a release's dialogues, their measures, and a board of the results."""
