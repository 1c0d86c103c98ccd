"""The transcripts pipeline: aligns a show's transcripts with the recaps that its fans write, as CRD3 does.

Reference: Rameshkumar and Bailey, "Storytelling with Dialogue: a Critical Role Dungeons and Dragons Dataset", ACL 2020.
"""
