"""Jiang et al. (2025): localisation of code on SWE-bench by their own program, and corrected."""
