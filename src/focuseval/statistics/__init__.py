"""Statistics over scores: correlations, tests, intervals, comparisons of systems."""
