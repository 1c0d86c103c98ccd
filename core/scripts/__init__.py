"""The scripts pipeline: aligns screenplays, and other long texts with scenes, with their synopses, as SumTitles does.

Reference: Malykh, Chernis, Artemova and Piontkovskaya, "SumTitles: a Summarization Dataset with Low Extractiveness", COLING 2020.
"""
