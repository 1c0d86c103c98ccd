"""What a dataset is made of, whatever its pipeline: units, splits, rejects, takedown, and the files that describe a release."""
