"""SumTitles' pre-training part: a film's subtitles as one dialogue of anonymous speakers, with the film's synopsis."""
