"""Hersh, Cohen, Ruslen & Roberts (2007): the TREC Genomics Track and its scoring program."""
