"""The published studies, computed again: one package per paper, from scores to tables and findings."""
