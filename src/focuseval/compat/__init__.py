"""Compatibility with other programs: the output of INEX's program and of trec_eval, and EvalJ's settings files."""
