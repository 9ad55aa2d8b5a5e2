"""The published studies, computed again: one module per paper, from score tables to its tables and findings."""
