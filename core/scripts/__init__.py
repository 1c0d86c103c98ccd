"""SumTitles: screenplays (and other long texts told in scenes) aligned with their synopses.

Reference: Malykh, Chernis, Artemova and Piontkovskaya, "SumTitles: a Summarization Dataset with Low Extractiveness", COLING 2020.
"""
