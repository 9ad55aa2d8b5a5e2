"""Comparisons of runs, and gates against a baseline."""
