"""Words whose full stop does not end a sentence."""

TITLES = frozenset((
    "adm", "brig", "capt", "cmdr", "col", "cpl", "dr", "fr", "gen", "gov", "hon", "lt", "maj", "messrs", "mlle", "mme",
    "mr", "mrs", "ms", "mx", "pres", "prof", "rep", "rev", "sen", "sgt", "sr", "sra", "st", "ste", "supt",
))  # fmt: skip
"""Titles and the like: a name follows, so a capital letter after them starts no sentence."""

ABBREVIATIONS = TITLES | frozenset((
    "approx", "ca", "cf", "e.g", "ed", "eds", "ep", "eps", "esp", "fig", "figs", "i.e", "nos", "pg", "pp", "vol",
    "vols", "vs", "viz",
))  # fmt: skip
"""Every abbreviation that more of the same sentence follows, whatever its case; lower case, without the last full stop."""
