"""Trains the models that fabula then reads: scorers and classifiers of threads, next-sentence prediction, the writer of rooms."""
