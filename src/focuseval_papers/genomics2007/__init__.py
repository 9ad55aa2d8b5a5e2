"""Hersh, Cohen, Ruslen & Roberts (2007): the TREC Genomics Track, and the program that scored its runs."""
