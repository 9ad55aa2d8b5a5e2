"""Recomputations of the papers: a package for each, named after it."""
