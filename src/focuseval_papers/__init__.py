"""Reproductions of published evaluations, one module or folder for each, and the code of the workflow's jobs."""
