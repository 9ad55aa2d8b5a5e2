"""Hersh, Cohen, Ruslen & Roberts (TREC 2007): the Genomics Track, by its own scoring program."""
