"""Summarisers that are trained: BertSumExt, sequence to sequence, and the extract-then-rewrite model of CRD3."""
