"""The subtitles pipeline: a film's subtitles as one dialogue of anonymous speakers, with the film's synopsis.

Reference: SumTitles, section 3 (the pre-training part).
"""
