"""Statistics over scores: correlations, tests, intervals and comparisons of systems."""
