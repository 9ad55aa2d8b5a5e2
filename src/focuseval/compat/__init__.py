"""Output like that of INEX's program and trec_eval, and EvalJ's files of settings."""
