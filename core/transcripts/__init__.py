"""CRD3: transcripts of a show aligned with the recaps its fans write.

Reference: Rameshkumar and Bailey, "Storytelling with Dialogue: a Critical Role Dungeons and Dragons Dataset", ACL 2020.
"""
