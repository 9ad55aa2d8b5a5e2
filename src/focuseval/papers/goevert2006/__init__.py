"""Gövert, Fuhr, Lalmas & Kazai (2006): from scores to Tables 1-5, the graphs, and the paper's findings.

Everything here is a pure function from tidy tables to tidy tables. A *result set* is the runs of one
campaign cut at one size; the paper has three, and their names are kept (see `names`).
"""
