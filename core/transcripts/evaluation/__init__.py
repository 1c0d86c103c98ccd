"""How good alignments of recaps with transcripts are: against gold read by hand, at the break, on made-up episodes."""
