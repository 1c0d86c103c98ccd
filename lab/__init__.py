"""What studies fabula: speed, quality, fitting, trainings, the summarisation benchmark. fabula never imports it."""
