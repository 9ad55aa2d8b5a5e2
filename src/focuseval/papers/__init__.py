"""Recomputations of the papers: one module or package for each, named after it."""
