"""Stories that were read for this project: where each sentence is told, by hashes and numbers, without text."""
