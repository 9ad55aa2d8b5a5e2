"""Functions that score runs, and that check whether inputs can be scored."""
