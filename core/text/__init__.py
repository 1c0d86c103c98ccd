"""Decodes text and splits it into captions, sentences, tokens and terms."""
