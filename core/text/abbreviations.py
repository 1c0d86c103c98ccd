"""Words whose full stop does not end a sentence."""

TITLES = frozenset((
    "adm", "brig", "capt", "cmdr", "col", "cpl", "dr", "fr", "gen", "gov", "hon", "lt", "maj", "messrs", "mlle", "mme",
    "mr", "mrs", "ms", "mx", "pres", "prof", "rep", "rev", "sen", "sgt", "sr", "sra", "st", "ste", "supt",
))  # fmt: skip
"""Titles and similar words. A name follows them, so a capital letter after them does not start a sentence."""

ABBREVIATIONS = TITLES | frozenset((
    "approx", "ca", "cf", "e.g", "ed", "eds", "ep", "eps", "esp", "fig", "figs", "i.e", "nos", "pg", "pp", "vol",
    "vols", "vs", "viz",
))  # fmt: skip
"""Abbreviations inside a sentence, in lower case and without the last full stop. The sentence goes on, in any case."""
