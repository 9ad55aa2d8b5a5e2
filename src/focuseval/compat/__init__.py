"""Output and files of other programs."""
