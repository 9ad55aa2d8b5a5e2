"""Recomputations of published evaluations: a module or a folder for each, and what the workflow makes them from."""
