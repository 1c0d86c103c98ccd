"""Reading by a language model: its questions, its answers, and how far they are believed."""
