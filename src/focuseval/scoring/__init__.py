"""Scores of runs on topics."""
