"""Forum posts with their comments, made into dialogues of two speakers."""
