"""Kazai & Lalmas (2005): from scores to Tables 1 and 2, the graphs of each task, sweeps, and the findings.

Everything here is a pure function from topics, results and tidy tables to tidy tables.
"""
