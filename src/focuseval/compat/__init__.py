"""Compatibility with other programs: outputs of inex_eval and trec_eval, and settings files of EvalJ."""
