"""Chandrasekaran et al. (2020): CL-SciSumm 2020, Task 1A, by its own program, and corrected."""
