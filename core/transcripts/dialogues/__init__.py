"""Raw transcripts of every format, cleaned to turns."""
