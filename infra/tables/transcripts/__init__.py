"""Tables of `transcripts`: what the store keeps of an episode, and its rows in a release."""
